"""Pad a call's arrays to the compiled sizes, and cut its outputs back."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from irattn.dtypes import dtype
from irattn.runtime.arrays import aligned_empty
from irattn.specs import Spec
from irattn.tensors import AnySize, DynamicSize, Role, TensorType

# The slot of a token that is not there.
_NO_SLOT = -1

# The field whose size says how long every sequence is, where the caller names no lengths.
LENGTHS = {Role.QUERY_LENGTHS: "q_len", Role.KEY_LENGTHS: "kv_len"}


# Sizes that calls have had are remembered up to this many; then it begins anew.
_MOST_REMEMBERED = 1024


class CallSizes:
    """The static spec of each call of a spec, found once for the same shapes.

    `compiled` is the spec of the function.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self.compiled = spec.compiled
        self._names = [tensor.name for tensor in spec.inputs]
        sizes = [size for tensor in spec.inputs for size in tensor.shape]
        self.is_static = not any(isinstance(size, DynamicSize) for size in sizes)
        self._calls: dict[tuple[tuple[int, ...], ...], Spec] = {}

    def of(self, arrays: Sequence[np.ndarray]) -> Spec:
        """The spec of a call's arrays, given in call order; the spec itself where it is static."""
        if self.is_static:
            return self._spec
        shapes = tuple([array.shape for array in arrays])
        call = self._calls.get(shapes)
        if call is None:
            call = self._spec.of_call(dict(zip(self._names, arrays, strict=True)))
            if len(self._calls) >= _MOST_REMEMBERED:
                self._calls.clear()
            self._calls[shapes] = call
        return call


def run_call(
    sizes: CallSizes,
    arrays: list[np.ndarray],
    launch: Callable[[list[np.ndarray]], tuple[np.ndarray, ...]],
) -> tuple[np.ndarray, ...]:
    """The outputs of a call, whose function `launch` runs on arrays of its own sizes."""
    if sizes.is_static:
        return launch(arrays)
    call = sizes.of(arrays)
    return cut_arrays(call, launch(pad_arrays(sizes.compiled, call, arrays)))


def pad_arrays(compiled: Spec, call: Spec, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The arrays of a call as the compiled function takes them, and the lengths that it asks for.

    `call` is the static spec of the call, `compiled` the spec of the function.
    """
    given = dict(zip((tensor.name for tensor in call.inputs), arrays, strict=True))
    return [
        _padded(tensor, given[tensor.name]) if tensor.name in given else lengths_of(tensor, call)
        for tensor in compiled.inputs
    ]


def cut_arrays(call: Spec, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """The outputs without their padding."""
    return tuple(
        np.ascontiguousarray(array[tuple(map(slice, tensor.largest_shape))])
        for array, tensor in zip(arrays, call.outputs, strict=True)
    )


def padded_shape(shape: tuple[int, ...], tensor: TensorType) -> tuple[int, ...]:
    """The shape that the compiled function takes for one of a call."""
    return tuple(map(_step_up, shape, tensor.shape))


def lengths_of(tensor: TensorType, call: Spec) -> np.ndarray:
    """The same length for every sequence of a call."""
    # The lengths of a layer are its attention's.
    attention: Any = getattr(call, "attention", call)
    length = getattr(attention, LENGTHS[tensor.role])
    return np.full(attention.batch, length, dtype(tensor.dtype).numpy)


def filler(tensor: TensorType) -> int:
    """What stands in the place of tokens that are not there."""
    return _NO_SLOT if tensor.role == Role.SLOTS else 0


def common_parts(old: tuple[int, ...], new: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """The elements that two dense arrays have in common, as runs: where in each, and how many."""
    axis = max((i for i, sizes in enumerate(zip(old, new, strict=True)) if len({*sizes}) > 1))
    inner = math.prod(new[axis + 1 :])
    outer = tuple(map(min, old[:axis], new[:axis]))
    for index in np.ndindex(*outer):
        starts = [
            int(np.ravel_multi_index(index, shape[:axis])) * shape[axis] * inner if axis else 0
            for shape in (old, new)
        ]
        yield starts[0], starts[1], min(old[axis], new[axis]) * inner


def _padded(tensor: TensorType, array: np.ndarray) -> np.ndarray:
    """The array, filled up where it is shorter than the function's steps."""
    shape = padded_shape(array.shape, tensor)
    if shape == array.shape:
        return array
    padded = aligned_empty(shape, array.dtype)
    padded[...] = filler(tensor)
    padded[tuple(map(slice, array.shape))] = array
    return padded


def _step_up(given: int, size: AnySize) -> int:
    if not isinstance(size, DynamicSize):
        return size
    return -(-given // size.multiple) * size.multiple
