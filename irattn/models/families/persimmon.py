"""Persimmon, and the text of Fuyu: layer norms, also of heads, and squares of ReLU."""

from irattn.models.families.common import PARTIAL, PLAIN, biases
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

PERSIMMON = ModelFamily(
    # The code divides the width by the heads, each of which has keys of its own.
    reads=(PARTIAL - {"head_dim", "num_key_value_heads", "rms_norm_eps"})
    | {"layer_norm_eps", "qk_layernorm"},
    defaults={"partial_rotary_factor": 0.5},
    layer=LayerStyle(
        **biases(True),
        **PLAIN,
        qk_norm="qk_layernorm",
        layer_qk_norm=True,
    ),
    tensors=TensorNames(
        norm="final_layernorm",
        # Query, key and value of each head.
        qkv=("self_attn.query_key_value",),
        is_grouped=True,
        query_norm="self_attn.q_layernorm",
        key_norm="self_attn.k_layernorm",
        output="self_attn.dense",
        up="mlp.dense_h_to_4h",
        down="mlp.dense_4h_to_h",
    ),
)
