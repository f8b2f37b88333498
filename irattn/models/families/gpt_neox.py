"""GPT-NeoX and Pythia: layer norms, partial rotation, and the MLP beside attention.

The Japanese one has an MLP behind it, and a bias in the last layer alone.
"""

from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import PLAIN, TIED
from irattn.models.families.family import FILE, ROPE, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, positive, whole

_TIMES = "intermediate_multiple_size"
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


def _with_inner_size(fields: Fields) -> Fields:
    """The Japanese one's file, which says how many times as wide MLPs are."""
    size, times = whole(fields, "hidden_size"), whole(fields, _TIMES)
    return {**_as_read(fields), "intermediate_size": size and times and size * times}


_TENSORS = TensorNames(
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
    as_read=_as_read,
    layer=_layer,
    tensors=_TENSORS,
)
GPT_NEOX_JAPANESE = replace(
    GPT_NEOX,
    reads=(GPT_NEOX.reads - {"attention_bias", "intermediate_size", "use_parallel_residual"})
    | {_TIMES},
    defaults={**TIED, "rotary_emb_base": 10000.0, "rotary_pct": 1.0},
    as_read=_with_inner_size,
    # In layers but the last, the bias is zeros.
    layer=LayerStyle(**PLAIN, output_bias=True),
    tensors=replace(
        _TENSORS, bases=("gpt_neox_japanese.",), last_output_bias="attention.dense_bias"
    ),
)
