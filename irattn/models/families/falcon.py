"""Falcon: layer norms, and the MLP beside attention or after it."""

from irattn.models.families.alibi import scaled_slopes
from irattn.models.families.common import PLAIN, TIED, WHOLE_HEADS, biases
from irattn.models.families.family import FILE, ROPE, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _layer(fields: Fields) -> LayerStyle:
    """The layer of Falcon 7B, of 40B and 180B (new_decoder_architecture), or of RW."""
    parallel = None
    if fields.get("new_decoder_architecture"):
        norms = fields.get("num_ln_in_parallel_attn") or 2
        parallel = "own_norm" if norms == 2 else "shared_norm"
    elif fields.get("parallel_attn"):
        parallel = "shared_norm"
    return LayerStyle(
        **biases("bias"),
        **PLAIN,
        parallel_mlp=parallel,
        rotates=not fields.get("alibi"),
    )


def _tensors(fields: Fields) -> TensorNames:
    has_two = _layer(fields).parallel_mlp == "own_norm"
    return TensorNames(
        bases=("transformer.",),
        embedding="word_embeddings",
        norm="ln_f",
        layer="h.{number}.",
        qkv=("self_attention.query_key_value",),
        # All query heads, a key head and a value head for each KV head, which 7B has one of.
        is_grouped=True,
        attention_norm="ln_attn" if has_two else "input_layernorm",
        mlp_norm="ln_mlp" if has_two else "post_attention_layernorm",
        slopes=scaled_slopes,
        output="self_attention.dense",
        up="mlp.dense_h_to_4h",
        down="mlp.dense_4h_to_h",
    )


FALCON = ModelFamily(
    reads=FILE
    | SIZES
    | (ROPE - {"partial_rotary_factor"})
    | {
        *("activation", "alibi", "bias", "ffn_hidden_size", "layer_norm_epsilon", "multi_query"),
        *("n_head", "n_layer", "new_decoder_architecture", "num_kv_heads"),
        *("num_ln_in_parallel_attn", "parallel_attn"),
    },
    only=WHOLE_HEADS,
    defaults={**TIED, "activation": "gelu", "layer_norm_epsilon": 1e-5},
    layer=_layer,
    tensors=_tensors,
)
