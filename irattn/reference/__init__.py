"""Compute every spec in float64 NumPy: what it means, with no knowledge of templates."""

import importlib
from collections.abc import Mapping

import numpy as np

from irattn.reference.packed_weights import with_weights
from irattn.specs import Spec

__all__ = ["reference"]


def reference(spec: Spec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The float64 outputs of a spec, in its order, for the tensors that it lists.

    The meaning of an op is the function of its name, in the file of the same name as the spec's.
    """
    _, _, file = type(spec).__module__.rpartition(".")
    meaning = getattr(importlib.import_module(f"{__name__}.{file}"), spec.op)
    outputs: tuple[np.ndarray, ...] = meaning(spec.of_call(tensors), with_weights(spec, tensors))
    return outputs
