"""Laguna: gates of heads that are a softplus, query heads by layer, experts chosen by sigmoids."""

from collections.abc import Collection
from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, PARTIAL
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle, dense_first, numbers_of
from irattn.models.families.family import WINDOW, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, section, texts, whole

_FULL, _SLIDING, _KINDS = "full_attention", "sliding_attention", "layer_types"
_BY_LAYER, _GATES = "num_attention_heads_per_layer", "gating"
_MLPS, _ROPE, _SCALE = "mlp_layer_types", "rope_parameters", "moe_routed_scaling_factor"
# What the code fills in.
_ROTATION = {
    _FULL: {"rope_theta": 500000.0, "partial_rotary_factor": 0.5},
    _SLIDING: {"rope_theta": 10000.0, "partial_rotary_factor": 1.0},
}
_PER_HEAD = (True, "per-head")
_PER_ELEMENT = (False, "per-element")
_NAMES = TensorNames(
    qkv=tuple(f"self_attn.{name}_proj" for name in "qkvg"),
    choice_bias="mlp.experts.e_score_correction_bias",
    shared_gate_up=("mlp.shared_expert.gate_proj", "mlp.shared_expert.up_proj"),
    shared_down="mlp.shared_expert.down_proj",
)


def _as_read(fields: Fields) -> Fields:
    """The fields of a file by the keys of others."""
    count = whole(fields, *LAYERS) or 0
    own = {
        **fields,
        _KINDS: texts(fields, _KINDS) or [_FULL] * count,
        _MLPS: texts(fields, _MLPS) or ["dense", *["sparse"] * (count - 1)],
        _ROPE: section(fields, _ROPE) or _ROTATION,
        "routed_scaling_factor": fields.get(_SCALE),
    }
    if fields.get(_GATES) not in (*_PER_HEAD, *_PER_ELEMENT):
        raise ConfigError(
            f"{_GATES}: expected true, false, per-head or per-element, got {shown(fields[_GATES])}"
        )
    if heads := numbers_of(fields, _BY_LAYER):
        _check_heads(own, heads, count)
    return own


def _check_heads(fields: Fields, heads: list[int], count: int) -> None:
    """ConfigError unless layers of one kind have as many query heads."""
    kinds = list(zip(texts(fields, _KINDS), texts(fields, _MLPS), strict=False))
    if len(heads) != count:
        raise ConfigError(
            f"{_BY_LAYER}: expected a number for each of the {count} layers, got {len(heads)}"
        )
    if len(set(zip(kinds, heads, strict=False))) != len(set(kinds)):
        raise ConfigError(
            f"{_BY_LAYER}: expected one number for all layers of the same {_KINDS} and {_MLPS}, "
            f"got {shown(heads)}"
        )


def _names_as_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of published files, or those that transformers' class has."""
    if not any(".mlp.shared_experts." in name for name in there):
        return names
    return replace(names, choice_bias="mlp.gate.e_score_correction_bias", **SHARED_EXPERTS)


def _tensors(fields: Fields) -> TensorNames:
    return replace(_NAMES, gates_heads=fields.get(_GATES) in _PER_HEAD, as_stored=_names_as_stored)


LAGUNA = ModelFamily(
    reads=(PARTIAL - {"partial_rotary_factor", "rope_scaling", "rope_theta"})
    | WINDOW
    | EXPERT_KEYS - {"norm_topk_prob"}
    | {
        *("attention_bias", "shared_expert_intermediate_size", _BY_LAYER, _GATES, _MLPS, _SCALE),
    },
    only={
        "moe_apply_router_weight_on_input": (False,),
        "moe_router_logit_softcapping": (0, 0.0),
        "norm_topk_prob": (True,),
        "routed_scaling_factor": (),
    },
    needs=(LAYERS,),
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        output_gate=True,
        softplus_gate=True,
        rotates_by_kind=True,
        experts=ExpertStyle(
            scores="sigmoid",
            has_choice_bias=True,
            shared_size="shared_expert_intermediate_size",
            dense=dense_first,
        ),
    ),
    tensors=_tensors,
    as_read=_as_read,
)
