"""Pad a call's arrays to the compiled sizes, and cut its outputs back."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.arrays import stand_in
from irattn.runtime.resizing import in_shape
from irattn.specs import Spec

# The slot of a token that is not there.
_NO_SLOT = -1

# The field whose size says how long every sequence is, where the caller names no lengths.
LENGTHS = {Role.QUERY_LENGTHS: "q_len", Role.KEY_LENGTHS: "kv_len"}


class CallSizes:
    """The padding of a spec's calls, found once for the same shapes.

    `compiled` is the spec of the function.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self.compiled = spec.compiled
        self._names = [tensor.name for tensor in spec.inputs]
        sizes = [size for tensor in spec.inputs for size in tensor.shape]
        self.is_static = not any(isinstance(size, DynamicSize) for size in sizes)
        self._calls: dict[tuple[tuple[int, ...], ...], Padding] = {}

    def of(self, arrays: Sequence[Any]) -> "Padding":
        """The padding of a call's arrays, which are checked and given in call order."""
        shapes = tuple([array.shape for array in arrays])
        padding = self._calls.get(shapes)
        if padding is None:
            call = self._spec.of_call(dict(zip(self._names, map(stand_in, arrays), strict=True)))
            if len(self._calls) >= MOST_REMEMBERED:
                self._calls.clear()
            padding = self._calls[shapes] = Padding(self.compiled, call)
        return padding


def run_call(
    sizes: CallSizes,
    arrays: list[Any],
    launch: Callable[[list[Any]], tuple[np.ndarray, ...]],
) -> tuple[np.ndarray, ...]:
    """The outputs of a call, whose function `launch` runs on arrays of its own sizes."""
    if sizes.is_static:
        return launch(arrays)
    padding = sizes.of(arrays)
    return padding.cut(launch(padding.pad(arrays)))


class Padding:
    """The padding of calls of the same sizes, and the lengths that they take besides.

    `call` is the static spec of such a call, `compiled` the spec of the function.
    """

    def __init__(self, compiled: Spec, call: Spec) -> None:
        given = {tensor.name: (i, tensor) for i, tensor in enumerate(call.inputs)}
        # By input of the function: the array of a call, its shape and what fills it, or lengths.
        self._inputs: list[tuple[int | None, Any, Any]] = []
        for tensor in compiled.inputs:
            if tensor.name in given:
                i, own = given[tensor.name]
                shape = padded_shape(own.largest_shape, tensor)
                self._inputs.append((i, shape, filler(tensor)))
            else:
                self._inputs.append((None, None, lengths_of(tensor, call)))
        self._outputs = [tensor.largest_shape for tensor in call.outputs]

    def pad(self, arrays: Sequence[Any]) -> list[Any]:
        """The arrays as the function takes them, and the lengths that it asks for."""
        return [
            filling if i is None else in_shape(arrays[i], shape, filling)
            for i, shape, filling in self._inputs
        ]

    def cut(self, arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        """The outputs without their padding."""
        return tuple(map(_cut, arrays, self._outputs))


def padded_shape(shape: tuple[int, ...], tensor: TensorType) -> tuple[int, ...]:
    """The shape that the compiled function takes for one of a call."""
    return tuple(map(_step_up, shape, tensor.shape))


def lengths_of(tensor: TensorType, call: Spec) -> np.ndarray:
    """The lengths of a call's sequences, which are all the same."""
    # The lengths of a layer are its attention's.
    attention: Any = getattr(call, "attention", call)
    length = getattr(attention, LENGTHS[tensor.role])
    return np.full(attention.batch, length, dtype(tensor.dtype).numpy)


def filler(tensor: TensorType) -> int:
    """The number that stands in the place of tokens that are not there."""
    return _NO_SLOT if tensor.role == Role.SLOTS else 0


def _cut(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if shape == array.shape:
        return array
    return np.ascontiguousarray(array[tuple(map(slice, shape))])


def _step_up(given: int, size: AnySize) -> int:
    if not isinstance(size, DynamicSize):
        return size
    return -(-given // size.multiple) * size.multiple
