"""Compute every spec in float64 NumPy: what it means, with no knowledge of templates."""

import importlib
from collections.abc import Callable, Mapping

import numpy as np

from irattn.core.errors import UsageError
from irattn.reference.packed_weights import with_weights
from irattn.specs import Spec

__all__ = ["reference"]


def reference(spec: Spec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The float64 outputs of a spec, in its order, for the tensors that it lists.

    The meaning of an op is the function of its name, in the file of the same name as the spec's.
    """
    outputs: tuple[np.ndarray, ...]
    outputs = _meaning(spec)(spec.of_call(tensors), with_weights(spec, tensors))
    return outputs


def _meaning(spec: Spec) -> Callable[..., tuple[np.ndarray, ...]]:
    """The function of a spec's op; UsageError where its author has not written it yet."""
    _, _, file = type(spec).__module__.rpartition(".")
    module = f"{__name__}.{file}"
    try:
        meaning: Callable[..., tuple[np.ndarray, ...]]
        meaning = getattr(importlib.import_module(module), spec.op)
    except (ModuleNotFoundError, AttributeError) as error:
        # What a module of that name fails to import is told as it is.
        if error.name not in (module, spec.op):
            raise
        place = f"irattn/reference/{file}.py"
        message = (
            f"{spec.op}: expected a function `{spec.op}(spec, tensors)` in {place}, "
            "which says in float64 what the op means, and there is none"
        )
        raise UsageError(message) from None
    return meaning
