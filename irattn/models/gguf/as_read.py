"""The fields of a GGUF file by the names that the code of a model's type has for them."""

from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.families import CLASS_DEFAULTS, FAMILIES, ModelFamily
from irattn.models.gguf.said import Said
from irattn.models.names import (
    EACH,
    EXPERTS,
    HEADS,
    HIDDEN,
    INNER,
    KV_HEADS,
    NORM_EPS,
    ROUTED_SCALE,
    SHARED,
)

# What means the same; the first is what fields of files are called.
_SAME = (NORM_EPS, KV_HEADS, INNER, EXPERTS, EACH, SHARED, ROUTED_SCALE)
# What types without such a key take for granted: heads as wide as the width has room for, and as
# many KV heads as query heads.
_HEAD, _KV_HEADS, _PART = "head_dim", "num_key_value_heads", "partial_rotary_factor"
_PARTS = {_PART, "rotary_dim", "rotary_pct"}


def as_read(said: Said, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, less those that only say what the type's code takes for granted.

    ConfigError, naming the key of the metadata, where they say anything else.
    """
    family = FAMILIES[fields["model_type"]]
    named = _named(fields, family)
    for key in (_HEAD, _KV_HEADS):
        if key in named and key not in family.reads:
            _check_granted(said, key, named)
            del named[key]
    # Whole heads are rotated where nothing is said, unless the code fills something in.
    filled = {*family.defaults, *CLASS_DEFAULTS.get(fields["model_type"], {})}
    if named.get(_PART) == 1 and not filled & _PARTS:
        del named[_PART]
    return named


def _named(fields: dict[str, Any], family: ModelFamily) -> dict[str, Any]:
    """The fields by the names that the family reads, where what they say has several."""
    names = {}
    for same in _SAME:
        there = next((key for key in same if key in fields), None)
        if there and there not in family.reads:
            names[there] = next((key for key in same if key in family.reads), there)
    return {names.get(key, key): value for key, value in fields.items()}


def _check_granted(said: Said, key: str, fields: dict[str, Any]) -> None:
    heads, width = (next(fields[one] for one in keys if one in fields) for keys in (HEADS, HIDDEN))
    wanted, ours = {
        _HEAD: (width / heads, "attention.key_length"),
        _KV_HEADS: (1 if fields.get("multi_query") else heads, "attention.head_count_kv"),
    }[key]
    if fields[key] != wanted:
        raise ConfigError(
            f"{said.named(ours)}: expected {wanted:g}, all that irattn has of "
            f"{fields['model_type']}, got {fields[key]}"
        )
