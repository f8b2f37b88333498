"""Granite 3 and 4, dense and with experts: scaled embeddings, residuals and logits."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

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
GRANITE_MOE = replace(
    GRANITE,
    reads=GRANITE.reads | EXPERT_KEYS,
    layer=LayerStyle(
        **BIAS,
        residual_scale="residual_multiplier",
        experts=ExpertStyle(width="intermediate_size"),
    ),
    tensors=TensorNames(
        router="block_sparse_moe.router.layer",
        expert_gate_up=("block_sparse_moe.input_linear.weight",),
        expert_down="block_sparse_moe.output_linear.weight",
    ),
)
