"""Phi 1 and 2, whose MLP is beside attention; Phi 3 and 4, whose projections are fused in files."""

from dataclasses import replace

from irattn.models.families.common import PARTIAL, PLAIN, biases
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

PHI = ModelFamily(
    reads=(PARTIAL - {"rms_norm_eps"}) | {"layer_norm_eps", "qk_layernorm"},
    defaults={"partial_rotary_factor": 0.5},
    layer=LayerStyle(
        **biases(True),
        **PLAIN,
        parallel_mlp="shared_norm",
        qk_norm="qk_layernorm",
        layer_qk_norm=True,
    ),
    tensors=TensorNames(
        norm="final_layernorm",
        has_head_bias=True,
        query_norm="self_attn.q_layernorm",
        key_norm="self_attn.k_layernorm",
        output="self_attn.dense",
        up="mlp.fc1",
        down="mlp.fc2",
    ),
)
PHI_3 = ModelFamily(
    reads=PARTIAL | {"sliding_window"},
    # Every layer sees all keys.
    only={"full_attn_mod": (1,)},
    layer=LayerStyle(),
    tensors=TensorNames(qkv=("self_attn.qkv_proj",), gate_up=("mlp.gate_up_proj",)),
)
# Of a model that sees images and hears, too, text alone.
PHI_4_MULTIMODAL = replace(PHI_3, only={})
