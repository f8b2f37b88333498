"""GPT-2: learned positions, layer norms, biases, and weights that stand the other way round."""

from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

GPT_2 = ModelFamily(
    reads=FILE
    | SIZES
    | {
        *("activation_function", "layer_norm_epsilon", "n_embd", "n_head", "n_inner", "n_layer"),
        *("n_positions", "scale_attn_weights"),
    },
    # A scale for each layer, which GPT-2's code has.
    only={"scale_attn_by_inverse_layer_idx": (False,)},
    harmless=ROTATION,
    defaults={**TIED, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5},
    layer=LayerStyle(
        **biases(True),
        **PLAIN,
        rotates=False,
    ),
    tensors=TensorNames(
        bases=("transformer.", ""),
        embedding="wte",
        positions="wpe",
        norm="ln_f",
        layer="h.{number}.",
        attention_norm="ln_1",
        qkv=("attn.c_attn",),
        output="attn.c_proj",
        mlp_norm="ln_2",
        up="mlp.c_fc",
        down="mlp.c_proj",
        are_turned=True,
    ),
)
