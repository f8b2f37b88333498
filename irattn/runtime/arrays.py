"""Arrays of the host that a CPU device can use where they lie."""

import ctypes
import math

import numpy as np

# The allocator hands out memory aligned like this, and code compiled for it relies on that: a
# host array that is aligned less must be copied.
ALIGNMENT = 64


def aligned_empty(shape: tuple[int, ...], numpy_dtype: np.dtype) -> np.ndarray:
    """An uninitialised array that the CPU devices can use without a copy."""
    num_bytes = math.prod(shape) * numpy_dtype.itemsize
    memory = np.empty(num_bytes + ALIGNMENT, np.uint8)
    # NumPy's own `memory.ctypes.data` takes three times as long.
    start = -ctypes.addressof(ctypes.c_char.from_buffer(memory.data)) % ALIGNMENT
    return memory[start : start + num_bytes].view(numpy_dtype).reshape(shape)


def can_import(array: np.ndarray) -> bool:
    """Whether a CPU device can use the array's own memory."""
    return (
        array.flags.c_contiguous
        and array.flags.writeable
        and array.size > 0
        and array.ctypes.data % ALIGNMENT == 0
    )
