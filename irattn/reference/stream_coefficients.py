"""Coefficients that hidden states are mixed with, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.rms_norm import rms_norm
from irattn.specs.stream_coefficients import StreamCoefficientsSpec


def stream_coefficients(
    spec: StreamCoefficientsSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of StreamCoefficientsSpec."""
    (normed,) = rms_norm(spec.norm, {"x": tensors["hidden"], "weight": tensors["norm_weight"]})
    router, weight = (tensors[name].astype(np.float64) for name in ("router_weight", "weight"))
    return (np.tanh(normed @ router.T / spec.hidden_size) @ weight.T,)
