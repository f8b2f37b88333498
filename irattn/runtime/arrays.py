"""NumPy arrays to device buffers and back."""

from typing import Any

import numpy as np

from irattn.dtypes import dtype

# The allocator hands out memory aligned like this, and code compiled for it relies on that: a
# host array that is aligned less must be copied.
ALIGNMENT = 64


def aligned_empty(shape: tuple[int, ...], numpy_dtype: np.dtype) -> np.ndarray:
    """An uninitialised array that the CPU devices can use without a copy."""
    num_bytes = int(np.prod(shape, dtype=np.int64)) * numpy_dtype.itemsize
    memory = np.empty(num_bytes + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + num_bytes].view(numpy_dtype).reshape(shape)


def can_import(array: np.ndarray) -> bool:
    """Whether a CPU device can use the array's own memory."""
    return (
        array.flags.c_contiguous
        and array.flags.writeable
        and array.size > 0
        and array.ctypes.data % ALIGNMENT == 0
    )


def import_array(device: Any, array: np.ndarray, dtype_name: str) -> Any:
    """A buffer view of the array's own memory, for arrays that can be imported.

    The caller keeps the array alive for as long as the view is in use.
    """
    from iree import runtime

    usage = int(runtime.BufferUsage.DEFAULT | runtime.BufferUsage.MAPPING)
    memory = int(runtime.MemoryType.DEVICE_LOCAL | runtime.MemoryType.HOST_VISIBLE)
    buffer = device.allocator.import_host_allocation(_carried(array, dtype_name), memory, usage)
    return runtime.HalBufferView(buffer, array.shape, _element_type(dtype_name))


def copy_to_device(device: Any, array: np.ndarray, dtype_name: str) -> Any:
    """A buffer view of a copy in the device's memory."""
    from iree import runtime

    return device.allocator.allocate_buffer_copy(
        int(runtime.MemoryType.DEVICE_LOCAL),
        int(runtime.BufferUsage.DEFAULT),
        device,
        _carried(np.ascontiguousarray(array), dtype_name),
        _element_type(dtype_name),
    )


def to_host(device: Any, view: Any, dtype_name: str) -> np.ndarray:
    """A copy of the contents of a buffer view; the runtime frees the buffer's own memory."""
    from iree import runtime

    mapped = runtime.DeviceArray(device, view)
    contents: np.ndarray = mapped.to_host().copy()
    return contents.view(dtype(dtype_name).numpy)


def _carried(array: np.ndarray, dtype_name: str) -> np.ndarray:
    """The array as the runtime takes it, which is told the type."""
    return array.view(dtype(dtype_name).carrier)


def _element_type(dtype_name: str) -> Any:
    from iree.runtime import HalElementType

    return getattr(HalElementType, dtype(dtype_name).hal)
