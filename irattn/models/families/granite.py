"""Granite 3 and 4, dense and with experts: scaled embeddings, residuals and logits."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields

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
GRANITE_MOE_SHARED = replace(
    GRANITE_MOE,
    reads=GRANITE_MOE.reads | {"shared_intermediate_size"},
    layer=LayerStyle(
        **BIAS,
        residual_scale="residual_multiplier",
        experts=ExpertStyle(width="intermediate_size", shared_size="shared_intermediate_size"),
    ),
    tensors=replace(
        _MOE_TENSORS,
        shared_gate_up=("shared_mlp.input_linear",),
        shared_down="shared_mlp.output_linear",
    ),
)


def _layer_of_4(fields: Fields) -> LayerStyle:
    return LayerStyle(
        **BIAS,
        residual_scale="residual_multiplier",
        rotates=fields.get("position_embedding_type") == "rope",
    )


# Layers with attention; those of Mamba 2 are refused by `layer_types`.
GRANITE_4 = ModelFamily(
    reads=(GRANITE.reads - {"intermediate_size", "mlp_bias"})
    | {"layer_types", "position_embedding_type", "shared_intermediate_size"},
    only=WHOLE_HEADS | {"num_local_experts": (0,)},
    # Of such layers, and of experts.
    harmless=frozenset(
        {
            *("mamba_chunk_size", "mamba_conv_bias", "mamba_d_conv", "mamba_d_head"),
            *("mamba_d_state", "mamba_expand", "mamba_n_groups", "mamba_n_heads"),
            *("mamba_proj_bias", "time_step_limit", "intermediate_size", "num_experts_per_tok"),
        }
    ),
    needs=(("layer_types",),),
    layer=_layer_of_4,
    tensors=TensorNames(
        gate_up=("shared_mlp.input_linear",),
        down="shared_mlp.output_linear",
    ),
)
