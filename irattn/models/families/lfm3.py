"""LFM3: short convolutions between layers with attention, some with windows, and norms of both."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, PARTIAL, TIED
from irattn.models.families.family import WINDOW, LayerStyle, ModelFamily
from irattn.models.families.lfm2 import LFM_2_NAMES
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, section, texts, whole

_KINDS, _ROPE, _PART = "layer_types", "rope_parameters", "partial_rotary_factor"
_NORMS, _GATES = "use_sandwich_norm", "use_attention_gate"
_QUERIES = tuple(f"self_attn.{name}_proj" for name in "qkv")
_GATE, _OWN_GATE = "self_attn.gate_proj", "self_attn.g_proj"
_FULL, _SLIDING = "full_attention", "sliding_attention"
# What the code fills in.
_ROTATION: dict[str, Any] = {
    _SLIDING: {"rope_type": "default", "rope_theta": 10000.0},
    _FULL: {"rope_type": "proportional", "rope_theta": 1000000.0, _PART: 0.5},
}


def _as_read(fields: Fields) -> Fields:
    """A file with the kinds of layers and the rotations that it leaves to the code."""
    count = whole(fields, *LAYERS) or 0
    rotation = section(fields, _ROPE) or _ROTATION
    for kind, own in rotation.items():
        if not isinstance(own, Mapping):
            continue
        if own.get("rope_type") != "proportional" and own.get(_PART) not in (None, 1, 1.0):
            raise ConfigError(
                f"{_PART}: expected 1 with the rope_type {shown(own.get('rope_type'))} of {kind}, "
                f"which rotates whole heads, got {shown(own[_PART])}"
            )
    kinds = texts(fields, _KINDS) or [_kind(number) for number in range(count)]
    return {**fields, _ROPE: rotation, _KINDS: kinds}


def _kind(number: int) -> str:
    """The kind of a layer where no file says it."""
    if number % 4 == 2:
        return _FULL
    return _SLIDING if number % 4 == 0 and number else "conv"


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        **BIAS,
        qk_norm=True,
        output_gate=bool(fields.get(_GATES)),
        post_norm=bool(fields.get(_NORMS)),
        rotates_by_kind=True,
    )


def _as_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of published files, or those that transformers' class has."""
    if not any(name.endswith(f"{_OWN_GATE}.weight") for name in there):
        return names
    return replace(names, qkv=(*_QUERIES, _OWN_GATE))


def _tensors(fields: Fields) -> TensorNames:
    is_gated = bool(fields.get(_GATES))
    return TensorNames(
        norm=LFM_2_NAMES.norm,
        attention_norm=LFM_2_NAMES.attention_norm,
        post_norm="post_operator_norm",
        qkv=(*_QUERIES, _GATE) if is_gated else _QUERIES,
        gates_heads=True if is_gated else None,
        mlp_norm=LFM_2_NAMES.mlp_norm,
        gate_up=LFM_2_NAMES.gate_up,
        down=LFM_2_NAMES.down,
        mlp_post_norm="post_ffn_norm",
        convolution=LFM_2_NAMES.convolution,
        as_stored=_as_stored,
    )


LFM_3 = ModelFamily(
    reads=(PARTIAL | WINDOW | {"attention_bias", "conv_L_cache", "norm_eps", _NORMS, _GATES})
    - {"hidden_act", "partial_rotary_factor", "quantization_config", "rope_scaling"}
    - {"rope_theta"},
    only={"conv_bias": (False,), "quantization_config": (), "hidden_act": ("silu", "swish")},
    defaults=TIED,
    needs=(LAYERS,),
    layer=_layer,
    tensors=_tensors,
    as_read=_as_read,
)
