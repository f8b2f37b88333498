"""Root mean square normalisation with a gate, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.rms_norm import rms_norm
from irattn.specs.gated_rms_norm import GatedRmsNormSpec


def gated_rms_norm(
    spec: GatedRmsNormSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of GatedRmsNormSpec."""
    (normed,) = rms_norm(spec, tensors)
    gate = tensors["gate"].astype(np.float64)
    opened = 0.5 * (1 + np.tanh(0.5 * gate))
    return (normed * (opened if spec.sigmoid_gate else gate * opened),)
