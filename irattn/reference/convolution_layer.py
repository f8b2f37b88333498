"""A layer with a short convolution between two gates, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.projections import linear
from irattn.reference.rms_norm import rms_norm
from irattn.reference.rounded_activations import multiplied
from irattn.reference.short_convolution import short_convolution
from irattn.reference.state_layer import finished
from irattn.specs.convolution_layer import ConvolutionLayerSpec


def convolution_layer(
    spec: ConvolutionLayerSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of ConvolutionLayerSpec: its parts one by one, nothing rounded between."""
    wide = {
        name: array if array.dtype.kind in "iu" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    x = wide["hidden"]
    (normed,) = rms_norm(spec.norm, {"x": x, "weight": wide["norm_weight"]})
    given = {"weight": wide["in_weight"]}
    b, c, z = np.split(linear(multiplied(spec.into, normed), given), 3, axis=1)
    made, conv_state = short_convolution(
        spec.convolution,
        {
            "x": b * z,
            "weight": wide["conv_weight"],
            "initial_state": wide["conv_state"],
            "cu_seqlens_q": wide["cu_seqlens_q"],
        },
    )
    change = linear(multiplied(spec.out, c * made), {"weight": wide["out_weight"]})
    return finished(spec, x, change, wide), conv_state
