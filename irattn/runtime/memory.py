"""The memory of an open device: made, filled and read; every copy is counted."""

from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from irattn.dtypes import dtype
from irattn.errors import TooLargeError
from irattn.runtime.allocation import KeptSizes
from irattn.runtime.transfer_counts import count

# How IREE, CUDA and HIP say that memory is full.
_FULL = ("RESOURCE_EXHAUSTED", "OUT_OF_MEMORY", "OUTOFMEMORY")


class Device(str):
    """An open device as the name of its driver, with its memory.

    Memory of a device comes as IREE's buffer views. Two devices may have the same name, as those of
    two emulated GPUs; `shares_memory` tells them apart.
    """

    __slots__ = ("_all_memory", "_hal", "_kept", "attach", "is_host")

    _all_memory: Any
    _hal: Any
    _kept: KeptSizes
    attach: Callable[[], None] | None
    is_host: bool

    def __new__(
        cls, driver: str, hal: Any, is_host: bool, attach: Callable[[], None] | None = None
    ) -> Self:
        """`is_host` says that its memory is the host's own, as that of CPU devices.

        `attach` is what a thread must call before it uses the device, where it must.
        """
        device = super().__new__(cls, driver)
        device._hal, device.is_host, device.attach = hal, is_host, attach
        # Asked for at every copy: the binding would make it anew each time.
        device._all_memory = hal.allocator
        device._kept = KeptSizes(device._all_memory)
        return device

    @property
    def hal(self) -> Any:
        """IREE's device, for the thread that asks."""
        if self.attach:
            self.attach()
        return self._hal

    @property
    def _allocator(self) -> Any:
        if self.attach:
            self.attach()
        return self._all_memory

    def shares_memory(self, other: "Device") -> bool:
        """Whether code on this device may be given memory of another."""
        return self._hal is other._hal or (self.is_host and other.is_host)

    def made(self, views: Iterable[Any]) -> None:
        """Know of memory that a call on a GPU has made for results."""
        for view in views:
            self._kept.add(view.byte_length)

    def empty(self, shape: tuple[int, ...], dtype_name: str) -> Any:
        """Memory with anything in it."""
        from iree import runtime

        num_bytes = int(np.prod(shape, dtype=np.int64)) * dtype(dtype_name).numpy.itemsize
        try:
            buffer = self._allocator.allocate_buffer(
                int(runtime.MemoryType.DEVICE_LOCAL), self._usage, num_bytes
            )
        except RuntimeError as error:
            self._check_full(error, num_bytes)
            raise
        return runtime.HalBufferView(buffer, shape, element_type(dtype_name))

    def zeros(self, shape: tuple[int, ...], dtype_name: str) -> Any:
        """Memory full of zeros."""
        return self.filled(shape, dtype_name, 0)

    def filled(self, shape: tuple[int, ...], dtype_name: str, number: int) -> Any:
        """Memory full of 0 or, as integers, of -1, whose bytes are all the same."""
        view = self.empty(shape, dtype_name)
        buffer, pattern = view.get_buffer(), np.array([number], np.int8).view(np.uint8)
        self._execute(lambda commands: commands.fill(buffer, pattern))
        return view

    def reshaped(self, view: Any, shape: tuple[int, ...], dtype_name: str) -> Any:
        """A view of the same memory in another shape."""
        from iree import runtime

        return runtime.HalBufferView(view.get_buffer(), shape, element_type(dtype_name))

    def upload(self, array: np.ndarray, dtype_name: str) -> Any:
        """A copy of a host's array."""
        from iree import runtime

        count("to_device", array.nbytes)
        try:
            return self._allocator.allocate_buffer_copy(
                int(runtime.MemoryType.DEVICE_LOCAL),
                self._usage,
                self.hal,
                _carried(np.ascontiguousarray(array), dtype_name),
                element_type(dtype_name),
            )
        except RuntimeError as error:
            self._check_full(error, array.nbytes)
            raise

    def imported(self, array: np.ndarray, dtype_name: str) -> Any:
        """The array's own memory, for a CPU device and arrays that `can_import` takes.

        The view keeps the array alive.
        """
        from iree import runtime

        usage = int(runtime.BufferUsage.DEFAULT | runtime.BufferUsage.MAPPING)
        memory = int(runtime.MemoryType.DEVICE_LOCAL | runtime.MemoryType.HOST_VISIBLE)
        buffer = self._allocator.import_host_allocation(_carried(array, dtype_name), memory, usage)
        return runtime.HalBufferView(buffer, array.shape, element_type(dtype_name))

    def mapped(self, view: Any, shape: tuple[int, ...], dtype_name: str) -> np.ndarray:
        """The memory itself as an array, which keeps it alive; of CPU devices only."""
        known = dtype(dtype_name)
        memory: np.ndarray = view.map().asarray(shape, known.carrier)
        return memory if known.is_numpys else memory.view(known.numpy)

    def fill(self, view: Any, contents: np.ndarray, dtype_name: str) -> None:
        """Put an array where a view of a CPU device lies."""
        self.mapped(view, contents.shape, dtype_name)[...] = contents
        count("on_device", contents.nbytes)

    def download(self, view: Any, shape: tuple[int, ...], dtype_name: str) -> np.ndarray:
        """A copy for the host."""
        from iree import runtime

        if self.is_host:
            contents = self.mapped(view, shape, dtype_name).copy()
        else:
            carried = runtime.DeviceArray(self.hal, view).to_host()
            contents = carried.view(dtype(dtype_name).numpy)
        count("to_host", contents.nbytes)
        return contents

    def copy(self, source: Any, target: Any) -> None:
        """Copy all of a view's memory into that of another view of the same size."""
        num_bytes = source.byte_length
        self.copy_parts(source, target, [(0, 0, num_bytes)])

    def copy_parts(self, source: Any, target: Any, parts: Iterable[tuple[int, int, int]]) -> None:
        """Copy parts of a view's memory: where from, where to and how many bytes."""
        old, new, parts = source.get_buffer(), target.get_buffer(), list(parts)

        def record(commands: Any) -> None:
            for start, end, length in parts:
                commands.copy(old, new, start, end, length)

        self._execute(record)
        count("on_device", sum(length for _, _, length in parts))

    def _execute(self, record: Callable[[Any], None]) -> None:
        """Do what `record` tells a command buffer, and wait until it is done."""
        from iree.runtime import HalCommandBuffer, HalFence

        commands = HalCommandBuffer(self.hal)
        record(commands)
        commands.end()
        done = self._hal.create_semaphore(0)
        end = HalFence.create_at(done, 1)
        self._hal.queue_execute(commands, HalFence.create_at(done, 0), end)
        end.wait()

    def _check_full(self, error: RuntimeError, num_bytes: int) -> None:
        """TooLargeError for full memory alone: what a launch failed by may show at a copy, too."""
        if any(word in str(error).upper() for word in _FULL):
            raise TooLargeError(
                f"device {self}: has no memory left for an array of {num_bytes:,} bytes"
            ) from error

    @property
    def _usage(self) -> int:
        from iree.runtime import BufferUsage

        # Others may be given a GPU's: it lasts, and its allocator keeps none of it for calls.
        for_whom = BufferUsage.MAPPING if self.is_host else BufferUsage.SHARING_EXPORT
        return int(BufferUsage.DEFAULT | for_whom)


def element_type(dtype_name: str) -> int:
    """The runtime's number of an element type."""
    from iree.runtime import HalElementType

    return int(getattr(HalElementType, dtype(dtype_name).hal))


def _carried(array: np.ndarray, dtype_name: str) -> np.ndarray:
    """The array as the runtime takes it, which is told the type."""
    return array.view(dtype(dtype_name).carrier)
