"""A product with a weight, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference import projections
from irattn.reference.rounded_activations import multiplied
from irattn.specs.linear import LinearSpec


def linear(spec: LinearSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of LinearSpec."""
    x = multiplied(spec, tensors["hidden"])
    return (projections.linear(x, {"weight": tensors["weight"]}),)
