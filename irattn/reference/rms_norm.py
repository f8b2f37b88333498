"""Root mean square normalisation, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.gated_rms_norm import GatedRmsNormSpec
from irattn.specs.rms_norm import RmsNormSpec


def rms_norm(
    spec: RmsNormSpec | GatedRmsNormSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of RmsNormSpec, and of GatedRmsNormSpec up to its gate."""
    x, weight = tensors["x"].astype(np.float64), tensors["weight"].astype(np.float64)
    size = np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True) + spec.eps)
    return (x / size * (spec.offset + weight),)
