"""The text of Aria: Llama with experts, whose tensors hold all of them at once, and shared ones."""

from irattn.models.families.common import BIAS, LAYER, SILU, WHOLE_HEADS
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames

ARIA = ModelFamily(
    reads=(LAYER - {"hidden_act"})
    | {"attention_bias", "moe_num_experts", "moe_num_shared_experts", "moe_topk"},
    # Routed experts have silu, whatever the file says, and shared ones no biases here.
    only={**WHOLE_HEADS, **SILU, "mlp_bias": (False,)},
    layer=LayerStyle(**BIAS, experts=ExpertStyle(width="intermediate_size")),
    tensors=TensorNames(
        router="mlp.router",
        expert_gate_up=("mlp.experts.fc1.weight",),
        expert_down="mlp.experts.fc2.weight",
        turned_experts=True,
        **SHARED_EXPERTS,
    ),
)
