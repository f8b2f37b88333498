"""OPT and BioGPT: learned positions, layer norms, and an MLP without a gate."""

from dataclasses import replace
from typing import Any

from irattn.models.families.common import PLAIN, TIED, biases
from irattn.models.families.family import FILE, ROTATION, SIZES, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, whole

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
_BEFORE, _WITHOUT = "do_layer_norm_before", "_remove_final_layer_norm"


def _layer(fields: Fields) -> LayerStyle:
    """Layers with norms before attention and MLP or, as those of 350M, behind residuals."""
    style = LayerStyle(**biases("enable_bias"), **PLAIN, rotates=False)
    if fields.get(_BEFORE):
        return style
    return replace(style, pre_norm=False, post_norm=True, norms_residual=True)


def _tensors(fields: Fields) -> TensorNames:
    """The names of tensors; tables may have other columns than hidden states."""
    columns, size = whole(fields, "word_embed_proj_dim"), whole(fields, "hidden_size")
    has_norm = fields.get(_BEFORE) and not fields.get(_WITHOUT)
    return TensorNames(
        **_TENSORS,
        bases=("model.decoder.", "decoder."),
        post_norm=_TENSORS["attention_norm"],
        mlp_post_norm=_TENSORS["mlp_norm"],
        norm="final_layer_norm" if has_norm else "",
        table_columns=None if columns == size else columns,
    )


OPT = ModelFamily(
    reads=FILE
    | SIZES
    | {"activation_function", "enable_bias", "ffn_dim", "word_embed_proj_dim", _BEFORE, _WITHOUT},
    only={"layer_norm_elementwise_affine": (True,)},
    harmless=ROTATION,
    defaults={**TIED, "layer_norm_eps": 1e-5},
    layer=_layer,
    tensors=_tensors,
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
