"""Root mean square normalisation with a gate, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.gated_rms_norm import GatedRmsNormSpec


def gated_rms_norm(
    spec: GatedRmsNormSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of GatedRmsNormSpec."""
    x, gate, weight = (tensors[name].astype(np.float64) for name in ("x", "gate", "weight"))
    size = np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True) + spec.eps)
    with np.errstate(over="ignore"):
        opened = gate / (1 + np.exp(-gate))
    return (x / size * (spec.offset + weight) * opened,)
