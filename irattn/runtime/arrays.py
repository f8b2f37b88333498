"""Arrays of the host that a CPU device can use where they lie."""

import ctypes
import math
from typing import Any

import numpy as np

# The allocator hands out memory aligned like this, and code compiled for it relies on that: a
# host array that is aligned less must be copied.
ALIGNMENT = 64


def aligned_empty(shape: tuple[int, ...], numpy_dtype: np.dtype) -> np.ndarray:
    """An uninitialised array that the CPU devices can use without a copy."""
    num_bytes = math.prod(shape) * numpy_dtype.itemsize
    memory = np.empty(num_bytes + ALIGNMENT, np.uint8)
    start = -_address(memory) % ALIGNMENT
    return memory[start : start + num_bytes].view(numpy_dtype).reshape(shape)


def aligned_copy(array: np.ndarray) -> np.ndarray:
    """A copy that the CPU devices can use where it lies."""
    made = aligned_empty(array.shape, array.dtype)
    made[...] = array
    return made


def stand_in(array: Any) -> np.ndarray:
    """An array of another's shape and type, with no memory of its own."""
    return np.broadcast_to(np.empty((), array.dtype), array.shape)


def can_import(array: np.ndarray) -> bool:
    """Whether a CPU device can use the array's own memory."""
    return (
        array.flags.c_contiguous
        and array.flags.writeable
        and array.size > 0
        and _address(array) % ALIGNMENT == 0
    )


def _address(array: np.ndarray) -> int:
    """The address of an array that is dense and can be written to."""
    # Of other types than NumPy's own, Python takes the bytes alone.
    memory: Any = array if array.dtype.isbuiltin == 1 else array.view(np.uint8)
    # NumPy's own `array.ctypes.data` takes three times as long.
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))
