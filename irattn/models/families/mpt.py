"""MPT: slopes instead of positions, layer norms without biases, and an MLP without a gate."""

from irattn.models.families.alibi import interleaved_slopes
from irattn.models.families.common import TIED
from irattn.models.families.family import FILE, ROTATION, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _as_read(fields: Fields) -> Fields:
    """The fields of a file with its number of positions by the key of others."""
    return {**fields, "max_position_embeddings": fields.get("max_seq_len")}


MPT = ModelFamily(
    reads=FILE
    | {
        *("alibi", "attn_type", "clip_qkv", "d_model", "kv_n_heads", "layer_norm_epsilon"),
        *("max_seq_len", "multi_query", "n_heads", "n_layers", "softmax_scale"),
    },
    only={
        "alibi_bias_max": (8,),
        "attn_uses_sequence_id": (False,),
        "prefix_lm": (False,),
    },
    # The last two the code knows nothing of.
    harmless=ROTATION | {"attn_impl", "qk_ln"},
    # The code has one activation.
    defaults={**TIED, "alibi": True, "hidden_act": "gelu"},
    as_read=_as_read,
    layer=LayerStyle(norm_kind="layer", gated=False, rotates=False),
    tensors=TensorNames(
        bases=("transformer.",),
        embedding="wte",
        norm="norm_f",
        layer="blocks.{number}.",
        attention_norm="norm_1",
        qkv=("attn.Wqkv",),
        slopes=interleaved_slopes,
        output="attn.out_proj",
        mlp_norm="norm_2",
        up="ffn.up_proj",
        down="ffn.down_proj",
    ),
)
