"""BLOOM: slopes instead of positions, and a norm behind the embedding."""

from irattn.models.families.alibi import geometric_slopes
from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

BLOOM = ModelFamily(
    reads=FILE
    | SIZES
    | {
        *("apply_residual_connection_post_layernorm", "layer_norm_epsilon", "n_embed", "n_head"),
        *("n_layer", "seq_length"),
    },
    harmless=ROTATION | {"masked_softmax_fusion", "offset_alibi", "skip_bias_add_qkv"},
    # The code has one activation, whatever a file says.
    defaults={**TIED, "hidden_act": "gelu_pytorch_tanh"},
    alibi=True,
    layer=LayerStyle(**biases(True), **PLAIN, rotates=False),
    tensors=TensorNames(
        bases=("transformer.", ""),
        embedding="word_embeddings",
        embedding_norm="word_embeddings_layernorm",
        norm="ln_f",
        layer="h.{number}.",
        # Query, key and value of each head.
        qkv=("self_attention.query_key_value",),
        is_grouped=True,
        slopes=geometric_slopes,
        output="self_attention.dense",
        up="mlp.dense_h_to_4h",
        down="mlp.dense_4h_to_h",
    ),
)
