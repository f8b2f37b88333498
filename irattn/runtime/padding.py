"""Pad a call's arrays to the compiled sizes, and cut its outputs back."""

from collections.abc import Callable, Mapping

import numpy as np

from irattn.dtypes import dtype
from irattn.runtime.arrays import aligned_empty
from irattn.specs import Spec
from irattn.tensors import AnySize, DynamicSize, Role, TensorType

# The field whose size says how long every sequence is, where the caller names no lengths.
_LENGTHS = {Role.QUERY_LENGTHS: "q_len", Role.KEY_LENGTHS: "kv_len"}


def run_call(
    spec: Spec,
    arrays: list[np.ndarray],
    launch: Callable[[list[np.ndarray]], tuple[np.ndarray, ...]],
) -> tuple[np.ndarray, ...]:
    """The outputs of a call of a spec, whose function `launch` runs on arrays of its own sizes."""
    names = (tensor.name for tensor in spec.inputs)
    call = spec.of_call(dict(zip(names, arrays, strict=True)))
    if call is spec:
        return launch(arrays)
    return cut_arrays(call, launch(pad_arrays(spec.compiled, call, arrays)))


def pad_arrays(compiled: Spec, call: Spec, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The arrays of a call as the compiled function takes them, and the lengths that it asks for.

    `call` is the static spec of the call, `compiled` the spec of the function.
    """
    given = dict(zip((tensor.name for tensor in call.inputs), arrays, strict=True))
    return [
        _padded(tensor, given[tensor.name])
        if tensor.name in given
        else _lengths(tensor, call, given)
        for tensor in compiled.inputs
    ]


def cut_arrays(call: Spec, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """The outputs without their padding."""
    return tuple(
        np.ascontiguousarray(array[tuple(map(slice, tensor.largest_shape))])
        for array, tensor in zip(arrays, call.outputs, strict=True)
    )


def _padded(tensor: TensorType, array: np.ndarray) -> np.ndarray:
    """The array, with zeros where it is shorter than the function's steps."""
    shape = tuple(map(_step_up, array.shape, tensor.shape))
    if shape == array.shape:
        return array
    padded = aligned_empty(shape, array.dtype)
    padded[...] = 0
    padded[tuple(map(slice, array.shape))] = array
    return padded


def _step_up(given: int, size: AnySize) -> int:
    if not isinstance(size, DynamicSize):
        return size
    return -(-given // size.multiple) * size.multiple


def _lengths(tensor: TensorType, call: Spec, given: Mapping[str, np.ndarray]) -> np.ndarray:
    """The same length for every sequence."""
    length = getattr(call, _LENGTHS[tensor.role])
    return np.full(len(given["query"]), length, dtype(tensor.dtype).numpy)
