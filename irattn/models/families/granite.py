"""Granite 3 and 4, dense and with experts, and 4 with Mamba 2: much of them is scaled."""

from dataclasses import replace

from irattn.core.errors import ConfigError
from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.mamba import STATE_SPACE_KEYS, check_steps, with_head_size
from irattn.models.families.state_tensor_names import StateSpaceNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, texts

GRANITE = ModelFamily(
    reads=LAYER
    | {
        *("attention_bias", "attention_multiplier", "embedding_multiplier", "logits_scaling"),
        *("mlp_bias", "residual_multiplier"),
    },
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, mlp_bias="mlp_bias", residual_scale="residual_multiplier"),
    tensors=TensorNames(),
)
_MOE_TENSORS = TensorNames(
    router="block_sparse_moe.router.layer",
    expert_gate_up=("block_sparse_moe.input_linear.weight",),
    expert_down="block_sparse_moe.output_linear.weight",
)
GRANITE_MOE = replace(
    GRANITE,
    reads=GRANITE.reads | EXPERT_KEYS,
    layer=LayerStyle(
        **BIAS,
        residual_scale="residual_multiplier",
        experts=ExpertStyle(width="intermediate_size"),
    ),
    tensors=_MOE_TENSORS,
)
_SHARED_TENSORS = replace(
    _MOE_TENSORS,
    shared_gate_up=("shared_mlp.input_linear",),
    shared_down="shared_mlp.output_linear",
)
GRANITE_MOE_SHARED = replace(
    GRANITE_MOE,
    reads=GRANITE_MOE.reads | {"shared_intermediate_size"},
    layer=LayerStyle(
        **BIAS,
        residual_scale="residual_multiplier",
        experts=ExpertStyle(width="intermediate_size", shared_size="shared_intermediate_size"),
    ),
    tensors=_SHARED_TENSORS,
)


def _layer_of_4(fields: Fields) -> LayerStyle:
    experts = ExpertStyle(width="intermediate_size", shared_size="shared_intermediate_size")
    return LayerStyle(
        **BIAS,
        residual_scale="residual_multiplier",
        rotates=fields.get("position_embedding_type") == "rope",
        # Files say 0 experts where all layers are dense.
        experts=experts if fields.get("num_local_experts") else None,
    )


def _as_read(fields: Fields) -> Fields:
    """Granite 4's file, whose layers with Mamba 2 are called otherwise; ConfigError for their keys.

    Published files say `mamba`, and those of transformers 5 `linear_attention`.
    """
    if fields.get("num_local_experts") is None:
        # Nor does the code run without, whatever else of experts the file has.
        raise ConfigError("num_local_experts: expected a number, 0 where all layers are dense")
    own = {**fields, "layer_types": [_KINDS.get(one, one) for one in texts(fields, "layer_types")]}
    if "state_space" not in own["layer_types"]:
        return own
    check_steps(own)
    return with_head_size(own)


_KINDS = dict.fromkeys(("mamba", "linear_attention"), "state_space")
GRANITE_4 = replace(
    GRANITE_MOE_SHARED,
    reads=(GRANITE_MOE_SHARED.reads - {"mlp_bias"})
    | STATE_SPACE_KEYS
    | {"layer_types", "position_embedding_type"},
    # How the code cuts prompts.
    harmless=frozenset({"mamba_chunk_size"}),
    needs=(("layer_types",),),
    layer=_layer_of_4,
    tensors=replace(
        _SHARED_TENSORS,
        gate_up=("shared_mlp.input_linear",),
        down="shared_mlp.output_linear",
        state_space=StateSpaceNames(),
    ),
    as_read=_as_read,
)
