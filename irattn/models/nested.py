"""Files that keep settings of a language model in parts of their own, as flat ones."""

from collections.abc import Callable, Mapping
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.values import Fields, section, text

_ATTENTION, _MLP = "attn_config", "ffn_config"


def flattened(fields: Fields) -> Fields:
    """The fields of a file with those of its parts beside them; others as they are."""
    model_type = text(fields, "model_type")
    return _FLAT[model_type](fields) if model_type in _FLAT else fields


def _flat_mpt(fields: Fields) -> Fields:
    """MPT keeps the settings of its attention in a part of its own."""
    settings = section(fields, _ATTENTION)
    return {
        **settings,
        **_without(fields, _ATTENTION),
        "multi_query": settings.get("attn_type") == "multiquery_attention",
    }


def _flat_dbrx(fields: Fields) -> Fields:
    """DBRX keeps those of its experts in another, with a hidden size that the code never reads."""
    experts = _without(section(fields, _MLP), "hidden_size")
    made = _without(fields, _ATTENTION, _MLP)
    for name, part in ((_ATTENTION, section(fields, _ATTENTION)), (_MLP, experts)):
        for key, value in part.items():
            if made.get(key) is None:
                made[key] = value
            elif key in _DBRX_OWN and made[key] != value:
                raise ConfigError(
                    f"{key}: expected that of {name}, {shown(value)}, or none beside it, "
                    f"got {shown(made[key])}"
                )
    return made


# What a file may say outside of its parts, too.
_DBRX_OWN = (
    *("clip_qkv", "ffn_act_fn", "ffn_hidden_size", "kv_n_heads", "moe_normalize_expert_weights"),
    *("moe_num_experts", "moe_top_k", "rope_theta"),
)
_FLAT: Mapping[str | None, Callable[[Fields], Fields]] = {"dbrx": _flat_dbrx, "mpt": _flat_mpt}


def _without(fields: Fields, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key not in keys}
