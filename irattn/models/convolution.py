"""Layers with short convolutions: how a hybrid model fills them in."""

from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.state_layer import state_layer_of
from irattn.models.values import Fields
from irattn.specs.convolution_layer import ConvolutionLayerSpec

_SIZES = {"kernel": "conv_L_cache"}


def convolution_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> ConvolutionLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    return state_layer_of(
        ConvolutionLayerSpec,
        _SIZES,
        fields,
        style,
        kind,
        batch=batch,
        q_tokens=q_tokens,
        io_dtype=io_dtype,
        post_norm=style.post_norm,
    )
