"""CTRL and XGLM: positions that are sines and cosines, layer norms, and an MLP without a gate."""

from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.sinusoids import joined_sinusoids, paired_sinusoids
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields

_LAYER = LayerStyle(**biases(True), **PLAIN, rotates=False)


def _as_read(fields: Fields) -> Fields:
    """CTRL's file with the size of its MLP by the key of others."""
    return {**fields, "intermediate_size": fields.get("dff")}


CTRL = ModelFamily(
    reads=FILE | {"dff", "n_embd", "n_head", "n_layer", "n_positions"},
    # Norms of layers have this eps, whatever the file says of the last one's.
    only={"layer_norm_epsilon": (1e-6,)},
    harmless=ROTATION,
    # The code has one activation.
    defaults={**TIED, "hidden_act": "relu", "layer_norm_epsilon": 1e-6},
    as_read=_as_read,
    layer=_LAYER,
    scales_by_width=True,
    tensors=TensorNames(
        bases=("transformer.",),
        embedding="w",
        position_table=paired_sinusoids,
        norm="layernorm",
        has_head_bias=True,
        layer="h.{number}.",
        attention_norm="layernorm1",
        qkv=tuple(f"multi_head_attention.W{name}" for name in "qkv"),
        output="multi_head_attention.dense",
        mlp_norm="layernorm2",
        up="ffn.0",
        down="ffn.2",
    ),
)
XGLM = ModelFamily(
    reads=FILE
    | SIZES
    | {
        *("activation_function", "attention_heads", "d_model", "ffn_dim", "num_layers"),
        "scale_embedding",
    },
    only={"add_cross_attention": (False,)},
    harmless=ROTATION,
    # The code's own.
    defaults={**TIED, "layer_norm_eps": 1e-5},
    layer=_LAYER,
    tensors=TensorNames(
        bases=("model.",),
        position_table=joined_sinusoids,
        # Those before are kept for padding.
        first_position=2,
        norm="layer_norm",
        attention_norm="self_attn_layer_norm",
        output="self_attn.out_proj",
        mlp_norm="final_layer_norm",
        up="fc1",
        down="fc2",
    ),
)
