"""GPT-NeoX and Pythia: layer norms, partial rotation, and the MLP beside attention."""

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import PLAIN
from irattn.models.families.family import FILE, ROPE, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, positive

# Its own words, by which the code goes, and those of others.
_WORDS = {"rotary_emb_base": "rope_theta", "rotary_pct": "partial_rotary_factor"}


def _layer(fields: Fields) -> LayerStyle:
    return LayerStyle(
        qkv_bias="attention_bias",
        output_bias="attention_bias",
        mlp_bias=True,
        **PLAIN,
        parallel_mlp=None if fields.get("use_parallel_residual") is False else "own_norm",
    )


def _as_read(fields: Fields) -> Fields:
    """The fields of a file; ConfigError where the words of others say something else."""
    for ours, theirs in _WORDS.items():
        said, own = positive(fields, theirs), positive(fields, ours)
        if said is not None and said != own:
            raise ConfigError(f"{theirs}: expected {ours} = {shown(own)}, got {shown(said)}")
    return fields


GPT_NEOX = ModelFamily(
    reads=FILE
    | SIZES
    | ROPE
    | {
        *("attention_bias", "hidden_act", "intermediate_size", "layer_norm_eps"),
        *("rotary_emb_base", "rotary_pct", "use_parallel_residual"),
    },
    defaults={"rotary_emb_base": 10000.0, "rotary_pct": 0.25},
    as_read=_as_read,
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
