"""Decoders that get attention only: their layers are not described yet, or others than ours."""

from dataclasses import replace

from irattn.models.families.family import DECODER, FILE, ROTATION, SIZES, WINDOW, ModelFamily

_PLAIN = ModelFamily(reads=DECODER, harmless=ROTATION)
# The file says which layers have the window.
_LISTED = replace(_PLAIN, reads=DECODER | WINDOW, needs=(("layer_types",),))

# Its factor is that of norms of queries and keys.
_MUSE = replace(_LISTED, harmless=ROTATION | {"qk_scale_factor", "residual_gate_temperature"})

DECODERS: dict[str, ModelFamily] = {
    **dict.fromkeys(("baichuan", "chameleon"), _PLAIN),
    **dict.fromkeys(("ernie4_5_vl_moe_text", "higgs_audio_v2"), _PLAIN),
    "bitnet": replace(
        _PLAIN,
        structure="norms before the last products of attention and MLP, and weights of three "
        "values beside inputs of 8 bits",
    ),
    "molmo2_text": replace(_PLAIN, harmless=ROTATION | {"rope_scaling_layers"}),
    **dict.fromkeys(("muse_glimmer_text", "muse_spark_text"), _MUSE),
    "minicpm": _PLAIN,
    "modernbert-decoder": replace(
        _PLAIN,
        reads=FILE | SIZES | WINDOW | {"global_attn_every_n_layers", "local_attention"},
        defaults={"global_attn_every_n_layers": 3},
        structure="a first layer without a norm, and a head with a layer of its own",
    ),
}
