"""The heads of layers that have others than the rest of their model."""

from collections.abc import Mapping
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.kinds import FULL, LayerKind
from irattn.models.values import Fields, section, whole

# By the keys of `per_layer_config`.
_FIELDS = {"head_dim": "head_dim", "num_key_value_heads": "num_kv_heads"}


def own_heads(fields: Fields, kind: LayerKind) -> dict[str, int]:
    """The fields of a spec that a kind of layers has of its own; of Gemma 4, those that see all.

    transformers lists them layer by layer in `per_layer_config`, older files name them.
    """
    own = _listed(fields, kind) if fields.get("per_layer_config") else _named(fields, kind)
    found = {}
    for key, name in _FIELDS.items():
        size = whole(own, key)
        if size is not None:
            found[name] = size
    # Laguna's, whose layers of a kind have as many.
    if (by_layer := fields.get("num_attention_heads_per_layer")) and kind.layers:
        found["num_q_heads"] = by_layer[kind.layers[0]]
    return found


def _listed(fields: Fields, kind: LayerKind) -> Fields:
    every = section(fields, "per_layer_config")
    # Of ten layers and more, numbers have as many digits as the last one.
    by_number = {int(number): own for number, own in every.items() if number.isdecimal()}
    layers = [by_number.get(number) or {} for number in kind.layers or ()]
    for own in layers:
        if not isinstance(own, Mapping) or own.keys() - _FIELDS.keys() or own != layers[0]:
            raise ConfigError(
                f"per_layer_config: expected {' and '.join(_FIELDS)} of layers, the same for all "
                f"that see as much, got {shown(own)}"
            )
    return layers[0] if layers else {}


def _named(fields: Fields, kind: LayerKind) -> Fields:
    if kind.name != FULL:
        return {}
    own: dict[str, Any] = {"head_dim": fields.get("global_head_dim")}
    if fields.get("attention_k_eq_v"):
        own["num_key_value_heads"] = fields.get("num_global_key_value_heads")
    return own
