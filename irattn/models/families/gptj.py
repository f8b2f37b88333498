"""GPT-J and CodeGen: neighbours turn, the MLP is beside attention, and the head has a bias."""

from typing import Any

from irattn.models.families.common import PLAIN
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

_SHARED: dict[str, Any] = {
    "reads": FILE
    | SIZES
    | {
        *("activation_function", "layer_norm_epsilon", "n_embd", "n_head", "n_inner", "n_layer"),
        *("n_positions", "rotary_dim"),
    },
    # The code has a scale, and says the rest of the rotation itself.
    "only": {"scale_attn_weights": (True,)},
    "harmless": ROTATION - {"rotary_dim"},
    "defaults": {"activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "rotary_dim": 64},
    "layer": LayerStyle(
        **PLAIN, mlp_bias=True, parallel_mlp="shared_norm", rope_style="interleaved"
    ),
}
_TENSORS: dict[str, Any] = {
    "bases": ("transformer.",),
    "embedding": "wte",
    "norm": "ln_f",
    "has_head_bias": True,
    "layer": "h.{number}.",
    "attention_norm": "ln_1",
    "output": "attn.out_proj",
    "up": "mlp.fc_in",
    "down": "mlp.fc_out",
}

GPT_J = ModelFamily(
    **_SHARED,
    tensors=TensorNames(**_TENSORS, qkv=tuple(f"attn.{name}_proj" for name in "qkv")),
)
# Its weights are those of the four machines of its training, one below the other.
CODEGEN = ModelFamily(
    **_SHARED,
    tensors=TensorNames(**_TENSORS, qkv=("attn.qkv_proj",), qkv_shards=4),
)
