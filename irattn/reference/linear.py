"""A product with a weight, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference import projections
from irattn.specs.linear import LinearSpec


def linear(spec: LinearSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of LinearSpec."""
    return (projections.linear(tensors["hidden"], {"weight": tensors["weight"]}),)
