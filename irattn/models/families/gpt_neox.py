"""GPT-NeoX and Pythia: layer norms, partial rotation, and the MLP beside attention."""

from irattn.models.families.common import PLAIN
from irattn.models.families.family import FILE, ROPE, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        qkv_bias="attention_bias",
        output_bias="attention_bias",
        mlp_bias=True,
        **PLAIN,
        parallel_mlp=None if fields.get("use_parallel_residual") is False else "own_norm",
    )


GPT_NEOX = ModelFamily(
    reads=FILE
    | SIZES
    | ROPE
    | {
        *("attention_bias", "hidden_act", "intermediate_size", "layer_norm_eps"),
        *("rotary_emb_base", "rotary_pct", "use_parallel_residual"),
    },
    defaults={"rotary_emb_base": 10000.0, "rotary_pct": 0.25},
    layer=_layer,
    tensors=TensorNames(
        bases=("gpt_neox.",),
        embedding="embed_in",
        norm="final_layer_norm",
        head="embed_out",
        # Query, key and value of each head.
        qkv=("attention.query_key_value",),
        is_grouped=True,
        output="attention.dense",
        up="mlp.dense_h_to_4h",
        down="mlp.dense_4h_to_h",
    ),
)
