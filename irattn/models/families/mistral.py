"""Mistral, Ministral and Ministral 3, and Mixtral."""

from irattn.models.families.common import LAYER, LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

# Mixtral's own, which MiniMax has, too.
MIXTRAL_TENSORS = TensorNames(
    router="block_sparse_moe.gate",
    choice_bias="block_sparse_moe.e_score_correction_bias",
    expert_gate_up=(
        "block_sparse_moe.experts.{expert}.w1",
        "block_sparse_moe.experts.{expert}.w3",
    ),
    expert_down="block_sparse_moe.experts.{expert}.w2",
)

MISTRAL = ModelFamily(
    reads=LAYER | {"sliding_window"},
    only=WHOLE_HEADS,
    layer=LayerStyle(),
    tensors=TensorNames(),
)
MINISTRAL = ModelFamily(
    reads=LISTED,
    only=WHOLE_HEADS,
    layer=LayerStyle(),
    tensors=TensorNames(),
)
# The settings of its rotation have a temperature of queries, too.
MINISTRAL_3 = ModelFamily(
    reads=LAYER | {"llama_4_scaling_beta", "sliding_window"},
    only=WHOLE_HEADS,
    # Without them, the code has some of its own.
    needs=(("rope_parameters",),),
    layer=LayerStyle(),
    tensors=TensorNames(),
)
MIXTRAL = ModelFamily(
    reads=LAYER | EXPERT_KEYS | {"sliding_window"},
    only=WHOLE_HEADS,
    defaults={
        "rope_theta": 1000000.0,
    },
    layer=LayerStyle(experts=ExpertStyle(width="intermediate_size")),
    tensors=MIXTRAL_TENSORS,
)
