"""StarCoder 2: layer norms, an MLP without a gate, biases, and a window in every layer."""

from irattn.models.families.common import LAYER, PLAIN, TIED, WHOLE_HEADS, biases
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

STARCODER_2 = ModelFamily(
    reads=(LAYER - {"rms_norm_eps"}) | {"norm_epsilon", "sliding_window", "use_bias"},
    # What published files say, and the code takes for granted.
    only=WHOLE_HEADS
    | {"mlp_type": ("default",), "norm_type": ("layer_norm",), "scale_attn_weights": (True,)},
    defaults=TIED,
    layer=LayerStyle(
        **biases("use_bias"),
        **PLAIN,
    ),
    tensors=TensorNames(up="mlp.c_fc", down="mlp.c_proj"),
)
