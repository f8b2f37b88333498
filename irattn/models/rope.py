"""The rotary embedding of a configuration, in the old keys and in `rope_parameters`."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families import LayerStyle
from irattn.models.kinds import SLIDING, LayerKind
from irattn.models.values import (
    Fields,
    positive,
    positive_or_off,
    rope_type,
    rope_type_key,
    section,
    whole,
)
from irattn.specs.rope_scaling import (
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    RopeScaling,
    YarnScaling,
)

# The second ones are GPT-NeoX's.
_PART, _THETA = ("partial_rotary_factor", "rotary_pct"), ("rope_theta", "rotary_emb_base")
_SHARED, _OLD, _ORIGINAL = (
    *("rope_parameters", "rope_scaling", "original_max_position_embeddings"),
)
# Scalings by the length of the first training, which files may say outside of their settings.
_BY_LENGTH = ("llama3", "longrope", "su", "yarn")


def rope_fields(
    fields: Fields, style: LayerStyle, kind: LayerKind, head_dim: int, context: int
) -> dict[str, Any]:
    """`theta`, `scaling` and `rotary_dim` of a kind of layer for contexts up to `context`."""
    rope = _parameters(fields, style, kind)
    part = positive(rope, "partial_rotary_factor") or positive(fields, *_PART)
    rotated = int(head_dim * part) if part else whole(fields, "rotary_dim")
    theta = positive(rope, "rope_theta") or positive(fields, *_THETA) or 10000.0
    if (stretch := _stretch(rope, head_dim)) is not None:
        return {"theta": theta * stretch, "rotary_dim": rotated, "scaling": None}
    if rope.get("rope_type") == "proportional":
        scaling = ProportionalScaling(
            factor=positive(rope, "factor") or 1.0,
            rotated_pairs=int(head_dim * (part or 1.0) // 2),
        )
        return {"theta": theta, "rotary_dim": None, "scaling": scaling}
    return {
        "theta": theta,
        "rotary_dim": rotated,
        "scaling": _scaling(rope, fields, context),
    }


def _stretch(rope: Fields, head_dim: int) -> float | None:
    """The factor of Hunyuan's theta: with an `alpha`, what files call dynamic knows no lengths."""
    alpha = positive_or_off(rope, "alpha")
    if not alpha or rope_type(rope) != "dynamic":
        return None
    if head_dim == 2:
        raise ConfigError("alpha: expected none with heads of 2 columns, which it does not stretch")
    return float(alpha ** (head_dim / (head_dim - 2)))


def temperature_fields(fields: Fields, rotates: bool) -> dict[str, Any]:
    """The temperature of positions.

    Llama 4 has it in layers that do not rotate, Ministral 3 among the settings of the rotation.
    """
    if fields.get("attn_temperature_tuning"):
        return {} if rotates else _temperature_of_llama_4(fields)
    rope = _with_original(section(fields, _SHARED), fields)
    temperature = positive(rope, "llama_4_scaling_beta")
    if temperature is None:
        return {}
    return {"temperature": temperature, "temperature_tokens": _trained(rope, fields)}


def _temperature_of_llama_4(fields: Fields) -> dict[str, Any]:
    scale, tokens = positive(fields, "attn_scale"), whole(fields, "floor_scale")
    if scale is None or tokens is None:
        raise ConfigError("attn_scale, floor_scale: missing, but there is attn_temperature_tuning")
    return {
        "temperature": scale,
        "temperature_tokens": tokens,
        # Its code counts a position from 1.
        "temperature_offset": 1,
    }


def _parameters(fields: Fields, style: LayerStyle, kind: LayerKind) -> Fields:
    """The fields of a file on the rotation of one kind of layers.

    Where the code scales some layers alone, what the file says outside of a part is for these.
    """
    shared, old = section(fields, _SHARED), section(fields, _OLD)
    if shared and old:
        _refuse_two_settings(fields, shared, old)
    # Gemma 3 scales the layers that see all keys only.
    local = positive(fields, "rope_local_base_freq") if kind.name == SLIDING else None
    own = {"rope_theta": local} if local else {}
    given = shared or old
    if any(isinstance(value, Mapping) for value in given.values()):
        return {**own, **_part_of_kind(fields, given, style, kind)}
    if shared and style.rotates_by_kind:
        raise ConfigError(
            f"{_SHARED}: expected a part for each kind of layers, as {kind.name}, got "
            f"{', '.join(shared)}"
        )
    scales = style.scales_windows or kind.window is None
    return _with_original(shared or own or (old if scales else {}), fields)


def _refuse_two_settings(fields: Fields, shared: Fields, old: Fields) -> None:
    """ConfigError where the old settings, which transformers goes by, say something else.

    What they leave out stands outside of them.
    """
    keys = dict.fromkeys((*shared, *old))
    if others := [key for key in keys if shared.get(key) != old.get(key, fields.get(key))]:
        raise ConfigError(
            f"{_SHARED}, {_OLD}: expected one of the two, or the same, got others for "
            f"{', '.join(others)}"
        )


def _part_of_kind(fields: Fields, given: Fields, style: LayerStyle, kind: LayerKind) -> Fields:
    """The part of the settings that is for one kind of layers."""
    key = _SHARED if section(fields, _SHARED) else _OLD
    if kind.name not in given:
        raise ConfigError(f"{key}: {kind.name} is missing; got {', '.join(given)}")
    if key == _OLD or not style.rotates_by_kind:
        raise ConfigError(
            f"{key}: expected settings for all layers, which alone the code of its model_type "
            f"reads there, got parts for {', '.join(given)}"
        )
    part = section(given, kind.name)
    if not part.get("truncate", True):
        raise ConfigError("truncate: expected true in a part, whose own the code does not read")
    # What stands outside of a part is not the length of its first training.
    return {_ORIGINAL: fields.get("max_position_embeddings"), **part}


def _with_original(settings: Fields, fields: Fields) -> Fields:
    """The settings of all layers, with the first training's length that stands outside of them.

    The code goes by that one, as Phi 3's files have it.
    """
    outside = fields.get(_ORIGINAL)
    name = rope_type(settings)
    if outside is None or name not in _BY_LENGTH:
        return settings
    return {**settings, _ORIGINAL: outside}


def _scaling(rope: Fields, fields: Fields, context: int) -> RopeScaling | None:
    key = rope_type_key(rope)
    name = rope_type(rope) or "default"
    # Of positions along several axes, which are the same for text alone.
    if name == "default" or (name == "mrope" and rope.get("mrope_section")):
        return None
    if name not in _SCALINGS:
        raise ConfigError(
            f"{key}: expected one of default, {', '.join(_SCALINGS)}, got {shown(name)}"
        )
    return _SCALINGS[name](rope, fields, context)


def _linear(rope: Fields, fields: Fields, context: int) -> RopeScaling:
    return LinearScaling(factor=_required(rope, "factor"))


def _dynamic(rope: Fields, fields: Fields, context: int) -> None:
    """NTK scaling that depends on the length, and does nothing up to the trained one."""
    trained = _trained(rope, fields)
    if context > trained:
        raise ConfigError(
            f"{rope_type_key(rope)}: dynamic scales contexts beyond {trained} "
            f"tokens by their length, which irattn does not have; {context} were asked for"
        )


def _llama3(rope: Fields, fields: Fields, context: int) -> RopeScaling:
    return Llama3Scaling(
        factor=_required(rope, "factor"),
        low_freq_factor=_required(rope, "low_freq_factor"),
        high_freq_factor=_required(rope, "high_freq_factor"),
        original_max_position=_trained(rope, fields),
    )


def _yarn(rope: Fields, fields: Fields, context: int) -> RopeScaling:
    factor = positive(rope, "factor") or _lengthening(rope, fields)
    return YarnScaling(
        factor=factor,
        original_max_position=_trained(rope, fields),
        beta_fast=positive(rope, "beta_fast") or 32.0,
        beta_slow=positive(rope, "beta_slow") or 1.0,
        attention_factor=positive(rope, "attention_factor") or _yarn_attention(rope, factor),
        # Null is no, as the code has it.
        truncate=bool(rope.get("truncate", True)),
    )


def _yarn_attention(rope: Fields, factor: float) -> float | None:
    """DeepSeek's two factors, of which the attention gets the ratio."""
    over, under = (positive_or_off(rope, key) for key in ("mscale", "mscale_all_dim"))
    if not over or not under:
        return None
    log = 0.1 * math.log(max(factor, 1.0))
    return (log * over + 1.0) / (log * under + 1.0)


def _longrope(rope: Fields, fields: Fields, context: int) -> RopeScaling:
    """Short contexts have factors of their own; a cache serves one of the two kinds."""
    trained = _trained(rope, fields)
    is_short = context <= trained
    key = "short_factor" if is_short else "long_factor"
    # Phi 3.5's experts have the factor of cosines in the file.
    size = "short_mscale" if is_short else "long_mscale"
    factors = rope.get(key)
    if not isinstance(factors, list):
        raise ConfigError(f"{key}: expected a list of numbers, got {shown(factors)}")
    return LongRopeScaling(
        factor=positive(rope, "factor") or _lengthening(rope, fields),
        factors=tuple(factors),
        original_max_position=trained,
        attention_factor=positive(rope, "attention_factor") or positive(rope, size),
    )


def _trained(rope: Fields, fields: Fields) -> int:
    """The context that the model was trained on before it was extended."""
    length = whole(rope, _ORIGINAL) or whole(fields, _ORIGINAL, "max_position_embeddings")
    if length is None:
        raise ConfigError(f"{_ORIGINAL}: missing")
    return length


def _lengthening(rope: Fields, fields: Fields) -> float:
    """The length of the model's context over that of the trained one."""
    trained = _trained(rope, fields)
    return max((whole(fields, "max_position_embeddings") or trained) / trained, 1.0)


def _required(rope: Fields, key: str) -> float:
    value = positive(rope, key)
    if value is None:
        raise ConfigError(f"{key}: missing from the settings of the rotary embedding")
    return value


_SCALINGS: dict[str, Callable[[Fields, Fields, int], RopeScaling | None]] = {
    "linear": _linear,
    "dynamic": _dynamic,
    "llama3": _llama3,
    "yarn": _yarn,
    "longrope": _longrope,
    "su": _longrope,
}
