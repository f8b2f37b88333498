"""OPT and BioGPT: learned positions, layer norms, and an MLP without a gate."""

from typing import Any

from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

_TENSORS: dict[str, Any] = {
    "positions": "embed_positions",
    # Those before were kept for padding.
    "first_position": 2,
    "attention_norm": "self_attn_layer_norm",
    "output": "self_attn.out_proj",
    "mlp_norm": "final_layer_norm",
    "up": "fc1",
    "down": "fc2",
}
OPT = ModelFamily(
    reads=FILE | SIZES | {"activation_function", "enable_bias", "ffn_dim"},
    # Norms behind the residual, which OPT 350M has, and none.
    only={
        "_remove_final_layer_norm": (False,),
        "do_layer_norm_before": (True,),
        "layer_norm_elementwise_affine": (True,),
    },
    # Embeddings of another size are refused for their tensor's shape.
    harmless=ROTATION | {"word_embed_proj_dim"},
    defaults={**TIED, "layer_norm_eps": 1e-5},
    layer=LayerStyle(
        **biases("enable_bias"),
        **PLAIN,
        rotates=False,
    ),
    tensors=TensorNames(**_TENSORS, bases=("model.decoder.", "decoder."), norm="final_layer_norm"),
)
# The code has an epsilon of its own, whatever the file says.
BIOGPT = ModelFamily(
    reads=FILE | SIZES | {"hidden_act", "intermediate_size", "scale_embedding"},
    harmless=ROTATION,
    defaults={**TIED, "layer_norm_eps": 1e-5},
    layer=LayerStyle(**biases(True), **PLAIN, rotates=False),
    tensors=TensorNames(
        **_TENSORS, bases=("biogpt.",), norm="layer_norm", head="output_projection"
    ),
)
