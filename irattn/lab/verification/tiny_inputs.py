"""Answers that are right, too, on hardware that takes the smallest inputs for zeros."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from irattn.core.dtypes import FLOAT_NAMES, dtype
from irattn.core.tensors import TensorType
from irattn.reference import reference
from irattn.specs import Spec

Tensors = Mapping[str, np.ndarray]


def changes_by_tiny_inputs(
    spec: Spec, tensors: Tensors, expected: Sequence[np.ndarray]
) -> tuple[np.ndarray, ...] | None:
    """By how much each output differs where inputs below `tiniest` are zeros; None without such.

    Most outputs lose as little as those inputs are. But a norm with a small eps makes 1 / sqrt(eps)
    times as much of a row of nothing else, and a number over the largest of its row, as caches are
    quantised by, is as large as any other: hardware that flushes, and hardware that does not, are
    both right there.
    """
    flushed = {tensor.name: _flushed(tensors[tensor.name], tensor) for tensor in spec.inputs}
    if all(flushed[name] is tensors[name] for name in flushed):
        return None
    return tuple(_changes(*pair) for pair in zip(reference(spec, flushed), expected, strict=True))


def nearest(
    outputs: Sequence[np.ndarray], expected: Sequence[np.ndarray], changes: Sequence[np.ndarray]
) -> Iterator[np.ndarray]:
    """The numbers next to outputs of all between what is expected and that with its changes."""
    for output, exact, change in zip(outputs, expected, changes, strict=True):
        with np.errstate(invalid="ignore"):
            actual = output.astype(np.float64)
        within = np.clip(actual, exact + np.minimum(change, 0), exact + np.maximum(change, 0))
        yield np.where(change != 0, within, exact)


def _flushed(values: np.ndarray, tensor: TensorType) -> np.ndarray:
    """Floats with zeros in the places of numbers below the type's `tiniest`; others as they are."""
    if tensor.dtype not in FLOAT_NAMES:
        return values
    tiny = (values != 0) & (np.abs(values) < dtype(tensor.dtype).tiniest)
    return np.where(tiny, values.dtype.type(0), values) if tiny.any() else values


def _changes(flushed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The finite differences of two answers; 0 elsewhere."""
    with np.errstate(invalid="ignore"):
        change = flushed - expected
    return np.where(np.isfinite(change), change, 0.0)
