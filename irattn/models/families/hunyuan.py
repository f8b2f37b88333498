"""Hunyuan 3 (Hy3): norms of heads, and experts chosen by sigmoids."""

from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle, dense_first
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

HY_3 = ModelFamily(
    reads=LAYER
    | EXPERT_KEYS
    | {"attention_bias", "mlp_layer_types", "num_shared_experts", "router_scaling_factor"},
    # Biases would be those of what is shared, too. The code has an MLP in the first layer alone,
    # unless the file lists the layers.
    only=WHOLE_HEADS | {"first_k_dense_replace": (1,), "mlp_bias": (False,)},
    # Of types in which the code computes.
    harmless=frozenset({"enable_attention_fp32_softmax"}),
    defaults={"first_k_dense_replace": 1, "rope_theta": 11158840.0},
    layer=LayerStyle(
        **BIAS,
        qk_norm=True,
        experts=ExpertStyle(scores="sigmoid", has_choice_bias=True, dense=dense_first),
    ),
    tensors=TensorNames(
        router="mlp.router.gate",
        choice_bias="mlp.expert_bias",
        shared_gate_up=("mlp.shared_mlp.gate_proj", "mlp.shared_mlp.up_proj"),
        shared_down="mlp.shared_mlp.down_proj",
    ),
)
