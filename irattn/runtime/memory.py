"""The memory of an open device: made, filled and read; every copy is counted."""

import math
import threading
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, NoReturn, Self

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import DeviceError, TooLargeError
from irattn.runtime.allocation import KeptSizes
from irattn.runtime.pages import LARGE_BYTES, ask_for_large_pages
from irattn.runtime.queue import Launched, Queue
from irattn.runtime.transfer_counts import count

# How IREE, CUDA and HIP say that memory is full.
_FULL = ("RESOURCE_EXHAUSTED", "OUT_OF_MEMORY", "OUTOFMEMORY")


class Device(str):
    """An open device as the name of its driver, with its memory.

    Memory of a device comes as IREE's buffer views. Two devices may have the same name, as those of
    two emulated GPUs; `shares_memory` tells them apart.
    """

    __slots__ = (
        *("_all_memory", "_commands", "_hal", "_instance", "_kept", "_kind"),
        *("_no_bytes", "_no_fence", "_queues"),
        *("_usage", "_usage_of_call", "_view", "attach", "has_queues", "is_host"),
    )

    _all_memory: Any
    _commands: Any
    _hal: Any
    _instance: Any
    _kept: KeptSizes
    _kind: int
    _no_bytes: Any
    _no_fence: Any
    _queues: threading.local
    _usage: int
    _usage_of_call: int
    _view: Any
    attach: Callable[[], None] | None
    has_queues: bool
    is_host: bool

    def __new__(
        cls,
        driver: str,
        hal: Any,
        is_host: bool,
        attach: Callable[[], None] | None = None,
        has_queues: bool = False,
    ) -> Self:
        """`is_host` says that its memory is the host's own, as that of CPU devices.

        `attach` is what a thread must call before it uses the device, where it must. `has_queues`
        says that it works while those who launch go on; else a launch is done when it returns.
        """
        from iree.runtime import (
            BufferUsage,
            HalBufferView,
            HalCommandBuffer,
            HalFence,
            MemoryType,
            VmInstance,
        )

        device = super().__new__(cls, driver)
        device._hal, device.is_host, device.attach = hal, is_host, attach
        device.has_queues, device._queues = has_queues, threading.local()
        # There must be one before the first array: what the virtual machine hands on as a type that
        # it does not know is nothing to the functions that take it, and is never freed.
        device._instance = VmInstance()
        # Asked for at every copy: the binding would make these anew each time.
        device._all_memory, device._view = hal.allocator, HalBufferView
        device._commands, device._no_fence = HalCommandBuffer, HalFence(0)
        # Others may be given a GPU's: it lasts, and its allocator keeps none of it for calls.
        for_whom = BufferUsage.MAPPING if is_host else BufferUsage.SHARING_EXPORT
        device._usage = int(BufferUsage.DEFAULT | for_whom)
        device._usage_of_call, device._no_bytes = int(BufferUsage.DEFAULT), None
        device._kind = int(MemoryType.DEVICE_LOCAL)
        device._kept = KeptSizes(device._all_memory)
        return device

    def __getattr__(self, name: str) -> NoReturn:
        if name in Device.__slots__:
            raise DeviceError(f"device {self}: has been released, as Python is ending")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def hal(self) -> Any:
        """IREE's device, for the thread that asks."""
        if self.attach:
            self.attach()
        return self._hal

    @property
    def queue(self) -> Queue | None:
        """The queue of the thread that asks; None where launches are done when they return."""
        if not self.has_queues:
            return None
        try:
            own: Queue = self._queues.own
        except AttributeError:
            own = self._queues.own = Queue(self, self.hal, self.attach, self.is_host)
        return own

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
        num_bytes = math.prod(shape) * dtype(dtype_name).numpy.itemsize
        buffer = self._allocated(num_bytes, self._usage)
        view = self._view(buffer, shape, element_type(dtype_name))
        if self.is_host and num_bytes >= LARGE_BYTES:
            ask_for_large_pages(self.mapped(view, shape, dtype_name))
        return view

    def for_call(self, num_bytes: int) -> Any:
        """Memory, as IREE's buffer, for what a call makes: kept for the next when it is freed."""
        if num_bytes:
            self._kept.add(num_bytes)
            return self._allocated(num_bytes, self._usage_of_call)
        # There is none of 0 bytes: one stands for all that are not used.
        if self._no_bytes is None:
            self._no_bytes = self._allocated(1, self._usage_of_call)
        return self._no_bytes

    def set_all(self, view: Any, number: int) -> Launched | None:
        """Put 0 or, as integers, -1 everywhere, whose bytes are all the same; see `_submit`."""
        buffer, pattern = view.get_buffer(), _pattern(number)
        return self._execute(
            "fill", lambda commands: commands.fill(buffer, pattern), view.byte_length
        )

    def reshaped(self, view: Any, shape: tuple[int, ...], dtype_name: str) -> Any:
        """A view of the same memory in another shape."""
        return self._view(view.get_buffer(), shape, element_type(dtype_name))

    def view_of(self, ref: Any) -> Any:
        """The view that the virtual machine hands on as `ref`."""
        return ref.deref(self._view)

    def upload(self, array: np.ndarray, dtype_name: str) -> Any:
        """A copy of a host's array."""
        count("to_device", array.nbytes)
        if self.is_host and array.nbytes >= LARGE_BYTES:
            # Into large pages; small arrays are there in a third of the time without a mapping.
            view = self.empty(array.shape, dtype_name)
            self.mapped(view, array.shape, dtype_name)[...] = array
            return view
        try:
            return self._allocator.allocate_buffer_copy(
                self._kind,
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

        The caller keeps the array alive.
        """
        carried = _carried(array, dtype_name)
        buffer = self._allocator.import_host_allocation(carried, _imported_kind(), self._usage)
        return self._view(buffer, array.shape, element_type(dtype_name))

    def mapped(self, view: Any, shape: tuple[int, ...], dtype_name: str) -> np.ndarray:
        """The memory itself as an array; of CPU devices only.

        The array keeps the memory alive, but not what another library shares: its view does.
        """
        known = dtype(dtype_name)
        memory: np.ndarray = view.map().asarray(shape, known.carrier)
        return memory if known.is_numpys else memory.view(known.numpy)

    def fill(self, view: Any, contents: np.ndarray, dtype_name: str) -> None:
        """Put an array where a view of a CPU device lies."""
        self.mapped(view, contents.shape, dtype_name)[...] = contents
        count("on_device", contents.nbytes)

    def lies_in(self, view: Any, array: np.ndarray) -> bool:
        """Whether a view of a CPU device is of an array's own memory."""
        memory = np.frombuffer(view.map(), np.uint8)
        return memory.ctypes.data == array.ctypes.data and memory.nbytes == array.nbytes

    def download(self, view: Any, kind: np.dtype) -> np.ndarray:
        """A copy for the host, whose element type is `kind`."""
        if self.is_host:
            # Quicker than `mapped`, whose arrays can be written to.
            contents = np.ndarray(view.shape, kind, view.map()).copy()
        else:
            from iree import runtime

            contents = runtime.DeviceArray(self.hal, view).to_host().view(kind)
        count("to_host", contents.nbytes)
        return contents

    def copy(self, source: Any, target: Any) -> Launched | None:
        """Copy all of a view's memory into that of another of the same size; see `_submit`."""
        num_bytes = source.byte_length
        if not self.is_host:
            return self.copy_parts(source, target, [(0, 0, num_bytes)])
        # Without a command buffer: a small copy takes half as long.
        count("on_device", num_bytes)
        submit = partial(self._hal.queue_copy, source.get_buffer(), target.get_buffer())
        return self._submit("copy", submit, num_bytes)

    def copy_parts(
        self, source: Any, target: Any, parts: Iterable[tuple[int, int, int]]
    ) -> Launched | None:
        """Copy parts of a view's memory: from and to where, and how many bytes; see `_submit`."""
        old, new, parts = source.get_buffer(), target.get_buffer(), list(parts)

        def record(commands: Any) -> None:
            for start, end, length in parts:
                commands.copy(old, new, start, end, length)

        num_bytes = sum([length for _, _, length in parts])
        count("on_device", num_bytes)
        return self._execute("copy", record, num_bytes)

    def _execute(self, name: str, record: Callable[[Any], None], num_bytes: int) -> Launched | None:
        """Do what `record` tells a command buffer; see `_submit`."""
        commands = self._commands(self.hal)
        try:
            record(commands)
        except RuntimeError:
            # IREE records no copy on the host of memory that a worker has yet to make.
            if not (self.is_host and (queue := self.queue)):
                raise
            queue.wait()
            commands = self._commands(self.hal)
            record(commands)
        commands.end()
        return self._submit(name, partial(self._hal.queue_execute, commands), num_bytes)

    def _submit(
        self, name: str, submit: Callable[[Any, Any], None], num_bytes: int
    ) -> Launched | None:
        """Do what `submit` gives IREE's device, in the order of the thread's queue.

        It takes the fence to wait for and the one to signal. Without a queue it is done on return.
        """
        if queue := self.queue:
            return queue.launch(name, submit, num_bytes)[1]
        if self.is_host:
            # Done when it returns: to make fences and wait takes twice as long as a small copy.
            submit(self._no_fence, self._no_fence)
            return None
        from iree.runtime import HalFence

        done = self._hal.create_semaphore(0)
        end = HalFence.create_at(done, 1)
        submit(HalFence.create_at(done, 0), end)
        end.wait()
        return None

    def _allocated(self, num_bytes: int, usage: int) -> Any:
        try:
            return self._allocator.allocate_buffer(self._kind, usage, num_bytes)
        except RuntimeError as error:
            self._check_full(error, num_bytes)
            raise

    def _check_full(self, error: RuntimeError, num_bytes: int) -> None:
        """TooLargeError for full memory alone: what a launch failed by may show at a copy, too."""
        if any(word in str(error).upper() for word in _FULL):
            raise TooLargeError(
                f"device {self}: has no memory left for an array of {num_bytes:,} bytes"
            ) from error


@cache
def _pattern(number: int) -> np.ndarray:
    """The byte that all of a number's bytes are."""
    return np.array([number], np.int8).view(np.uint8)


@cache
def _imported_kind() -> int:
    """The runtime's number for memory of the host that a CPU device uses where it lies."""
    from iree.runtime import MemoryType

    return int(MemoryType.DEVICE_LOCAL | MemoryType.HOST_VISIBLE)


@cache
def element_type(dtype_name: str) -> int:
    """The runtime's number of an element type."""
    from iree.runtime import HalElementType

    return int(getattr(HalElementType, dtype(dtype_name).hal))


def _carried(array: np.ndarray, dtype_name: str) -> np.ndarray:
    """The array as the runtime takes it, which is told the type."""
    carrier = dtype(dtype_name).carrier
    return array if array.dtype == carrier else array.view(carrier)
