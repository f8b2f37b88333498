"""Layer normalisation, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.layer_norm import LayerNormSpec


def layer_norm(spec: LayerNormSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of LayerNormSpec."""
    x, weight = tensors["x"].astype(np.float64), tensors["weight"].astype(np.float64)
    unit = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + spec.eps)
    scaled = unit * (spec.offset + weight)
    return (scaled + tensors["bias"].astype(np.float64) if spec.has_bias else scaled,)
