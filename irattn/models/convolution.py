"""Layers with short convolutions: how a hybrid model fills them in."""

from irattn.core.errors import ConfigError
from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.mlp import mlp_of_state_layer
from irattn.models.names import HIDDEN, NORM_EPS
from irattn.models.values import Fields, by_keys, positive, whole
from irattn.specs.convolution_layer import ConvolutionLayerSpec

_KERNEL = "conv_L_cache"


def convolution_layer_of(
    fields: Fields, style: LayerStyle, kind: LayerKind, batch: int, q_tokens: int, io_dtype: str
) -> ConvolutionLayerSpec:
    """The layer of so many packed tokens of a batch of sequences."""
    size, kernel = whole(fields, HIDDEN[0]), whole(fields, _KERNEL)
    if size is None or kernel is None:
        raise ConfigError(f"{HIDDEN[0] if size is None else _KERNEL}: missing")
    return by_keys(
        ConvolutionLayerSpec,
        {"kernel": _KERNEL},
        batch=batch,
        q_tokens=q_tokens,
        hidden_size=size,
        kernel=kernel,
        norm_eps=positive(fields, *NORM_EPS) or 1e-6,
        norm_offset=style.norm_offset,
        **mlp_of_state_layer(fields, style, kind),
        io_dtype=io_dtype,
    )
