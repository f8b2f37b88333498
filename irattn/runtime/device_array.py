"""Arrays that stay on a device."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, final

import numpy as np

from irattn.core.array_hints import array_hint
from irattn.core.errors import ArgumentError, DeviceError
from irattn.runtime import dlpack
from irattn.runtime.array_types import ArrayType, array_type, new_type
from irattn.runtime.devices import memory_of
from irattn.runtime.memory import Device
from irattn.runtime.queue import Launched, Queue

# From so many threads on that have used an array, those are forgotten that have ended.
_MANY_QUEUES = 8


@final
class DeviceArray:
    """A dense array in a device's memory, freed when nothing refers to it.

    `DeviceArray.from_numpy`, `empty`, `zeros` and `from_dlpack` make one, and so does a kernel that
    is called with one. `device` is a driver's name (`cpu`, `local-sync`, `local-task`, `hip`,
    `cuda`) or the `device` of a kernel or of another array; the CPU devices share their memory.
    Element types are f32, f16, bf16, i32, i64 and bool, by irattn's, NumPy's or torch's name for
    them. Contents change only where the array is a call's `out` or where another library that
    shares its memory writes to it; a kernel may take over the memory of an array that is donated to
    it, which ends the array. `np.asarray(array)` and `to_numpy()` copy; `np.from_dlpack(array)`
    shares memory on the CPU.
    """

    # The memory, as the virtual machine hands it on. An array that was donated has none, and when
    # Python ends none has.
    _ref: Any
    _taken_by: str = ""
    # The contents of integers, where the host has them anyway.
    _known: np.ndarray | None = None
    # Of a block table, those with block 0 where no query looks, by what decides where that is.
    _cleaned: Mapping[Any, "DeviceArray"] = MappingProxyType({})
    # What writes the contents, where that may not be done yet.
    _launched: Launched | None = None
    # What owns the memory, where the runtime does not know it.
    _owner: Any = None
    # Where it is used: the queue of the first thread, and those of others.
    _queue: Queue | None = None
    _others: Collection[Queue] = frozenset()

    def __init__(self, ref: Any, type_: ArrayType) -> None:
        self._ref = ref
        self._type = type_

    @classmethod
    def from_numpy(cls, array: np.ndarray, device: str = "cpu") -> "DeviceArray":
        """A copy of a NumPy array; ArgumentError for what is none, or of no type of irattn's."""
        if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
            hint = "" if isinstance(array, np.ndarray) else array_hint("array", array)
            raise ArgumentError(f"array: expected a NumPy array, got {type(array).__name__}{hint}")
        type_ = new_type("array", array.shape, array.dtype, device)
        made = cls(type_.device.upload(array, type_.dtype_name).ref, type_)
        if array.dtype.kind == "i" and not type_.device.is_host:
            made._known = array.copy()
        return made

    @classmethod
    def empty(cls, shape: tuple[int, ...], dtype: Any, device: str = "cpu") -> "DeviceArray":
        """An array with anything in it. ArgumentError for a shape or type that there is not."""
        type_ = new_type("empty", shape, dtype, device)
        return cls(type_.device.empty(type_.shape, type_.dtype_name).ref, type_)

    @classmethod
    def zeros(cls, shape: tuple[int, ...], dtype: Any, device: str = "cpu") -> "DeviceArray":
        """An array of zeros. ArgumentError for a shape or type that there is not."""
        type_ = new_type("zeros", shape, dtype, device)
        view = type_.device.empty(type_.shape, type_.dtype_name)
        made = cls(view.ref, type_)
        made._written(type_.device.set_all(view, 0))
        return made

    @classmethod
    def from_dlpack(cls, tensor: Any, device: str | None = None) -> "DeviceArray":
        """An array in the memory of another library's tensor, which it keeps alive.

        Nothing is copied, but on the CPU a tensor whose address is no multiple of 64. `device`
        defaults to the driver of the tensor's own device; ArgumentError where it is another, for a
        tensor that is not dense and row-major, is read-only or of an element type that irattn has
        not. On a GPU, wait for what still writes to the tensor first (`torch.cuda.synchronize()`).
        """
        opened = memory_of(device or dlpack.driver_of(tensor))
        view, name = dlpack.imported(tensor, opened)
        if view is None:
            return cls.from_numpy(dlpack.as_numpy(tensor, opened), opened)
        shape = tuple(view.shape)
        if not (opened.is_host and all(shape)):
            return cls(view.ref, array_type(opened, shape, name, None))
        # Where memory is DLPack's the runtime lets no kernel write an output, given as `out`.
        made = cls._in_memory_of(opened.mapped(view, shape, name), name, opened)
        made._owner = view
        return made

    @classmethod
    def _in_memory_of(cls, array: np.ndarray, name: str, device: Device) -> "DeviceArray":
        """An array of a CPU device in the memory of one that `can_import` takes.

        `name` is irattn's of its element type, whose carrier the array has. Others may change what
        it holds, and kernels may write there, too, which the runtime forbids of DLPack's.
        """
        made = cls(device.imported(array, name).ref, array_type(device, array.shape, name, None))
        made._owner = array
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its axes."""
        return self._type.shape

    @property
    def dtype(self) -> np.dtype:
        """The element type as NumPy's; that of bf16 is `ml_dtypes.bfloat16`."""
        return self._type.dtype

    @property
    def device(self) -> Device:
        """The device where the array lies: the driver's name, as text."""
        return self._type.device

    def to_numpy(self) -> np.ndarray:
        """A copy of the contents, which waits for them. Raises as `synchronize`."""
        self.synchronize()
        return self.device.download(self._live(), self.dtype)

    def synchronize(self) -> None:
        """Wait until the contents are there.

        ArgumentError where the array was donated, DeviceError where what makes them has failed.
        """
        self._live()
        if launched := self._launched:
            launched.wait()
            self._launched = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("a device array is copied; np.from_dlpack shares memory on the CPU")
        contents = self.to_numpy()
        return contents if dtype is None else contents.astype(dtype, copy=False)

    def __reduce__(self) -> NoReturn:
        # What copies and pickles objects asks this: a second array of the same memory would not
        # know that the first was donated.
        raise TypeError("a device array is not copied or pickled; to_numpy() copies its contents")

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.device_code(self.device)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule of the array's own memory; BufferError for a copy, or for another device."""
        if copy:
            raise BufferError("copy: a device array shares its memory; to_numpy() copies")
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError(f"dl_device: the array is on {self.__dlpack_device__()}")
        # What is shared may be written to.
        self.synchronize()
        self._end_uses()
        self._forget_uses()
        self._has_passed(None)
        self._known = None
        try:
            return dlpack.exported(self._owned(), self.device)
        except RuntimeError:
            # CUDA shares no memory of its pools, in which outputs lie: the array moves out of it.
            self._move()
            return dlpack.exported(self._live(), self.device)

    def __repr__(self) -> str:
        state = ", donated" if self._taken_by else ""
        return f"<DeviceArray {self._type} on {self.device}{state}>"

    def _move(self) -> None:
        """Copy the contents into memory of their own, and stay there."""
        moved = self.device.empty(self.shape, self._type.dtype_name)
        self._written(self.device.copy(self._live(), moved))
        self._ref = moved.ref
        self.synchronize()

    def _memory(self, name: str = "array") -> Any:
        """The memory; ArgumentError where it was donated."""
        ref = self.__dict__.get("_ref")
        if ref is None:
            self._refuse(name)
        return ref

    def _live(self, name: str = "array") -> Any:
        """IREE's view of the memory; ArgumentError where it was donated."""
        return self.device.view_of(self._memory(name))

    def _owned(self) -> Any:
        """IREE's view of the memory, which keeps alive what owns it, if another library does."""
        view, owner, name = self._live(), self._owner, self._type.dtype_name
        if not dlpack.is_view(owner):
            return view
        # An output may have been made elsewhere than where it was to be.
        is_there = self.device.lies_in(owner, self.device.mapped(view, self.shape, name))
        return self.device.reshaped(owner, self.shape, name) if is_there else view

    def _take(self, name: str, taker: str, own: Queue | None = None) -> None:
        """Let the memory go, which is the array's no longer; `taker` says whose it is.

        Waits as `_end_uses` does.
        """
        if self._queue:
            self._end_uses(own)
        try:
            # One step, so that of two threads one gets it.
            del self._ref
        except AttributeError:
            self._refuse(name)
        self._taken_by = taker

    def _release(self) -> None:
        """Let the memory go for good, with all that waits for it."""
        for attribute in ("_ref", "_launched", "_queue", "_others"):
            self.__dict__.pop(attribute, None)

    def _refuse(self, name: str) -> NoReturn:
        if not self._taken_by:
            raise DeviceError(f"{name}: its memory has been released, as Python is ending")
        raise ArgumentError(
            f"{name}: expected an array that is still there, got one that was donated"
            f"{self._taken_by}"
        )

    def _reshaped(self, shape: tuple[int, ...]) -> "DeviceArray":
        """The array's memory in another shape; for arrays that nobody donates or writes to."""
        is_shared = self._type.passed is None
        type_ = array_type(
            self.device, shape, self._type.dtype_name, None if is_shared else frozenset()
        )
        view = self.device.reshaped(self._live(), shape, type_.dtype_name)
        made = DeviceArray(view.ref, type_)
        made._written(self._launched)
        made._owner = self._owner
        return made

    def _copy_parts(self, source: "DeviceArray", parts: Iterable[tuple[int, int, int]]) -> None:
        """Copy parts of another array, or of this one: from and to where, and bytes."""
        queue = self.device.queue
        is_shared = any([array._join(queue) for array in (source, self)])
        self._end_uses(queue)
        view, target = source._live(), self._live()
        self._written(self.device.copy_parts(view, target, parts))
        if is_shared:
            self.synchronize()

    def _written(self, launched: Launched | None) -> None:
        """Note that the contents are new, and what writes them where that may not be done yet."""
        self._launched, self._known = launched, None
        self._forget_uses()
        if self._type.passed is not None:
            self._has_passed(frozenset())
            self._cleaned = MappingProxyType({})
            if launched:
                self._queue = launched.queue

    def _join(self, queue: Queue | None) -> bool:
        """Let a queue, or who has none, use the contents, which waits for what makes them.

        Whether another library may change them: then who uses them must wait until that is done.
        """
        if self._launched and self._launched.queue is not queue:
            self.synchronize()
        if self._type.passed is None:
            return True
        if queue is None:
            return False
        # Each in one step, as two threads may come at once.
        if self.__dict__.setdefault("_queue", queue) is not queue:
            others = self.__dict__.setdefault("_others", set())
            others.add(queue)
            if len(others) > _MANY_QUEUES:
                others.difference_update([other for other in list(others) if other.is_over])
        return False

    def _end_uses(self, own: Queue | None = None) -> None:
        """Wait for what queues, but for one's own, have been given the memory for."""
        for queue in {self._queue, *self._others}:
            if queue is not own and queue is not None:
                queue.wait()

    def _forget_uses(self) -> None:
        for name in ("_queue", "_others"):
            self.__dict__.pop(name, None)

    def _pass(self, check: Any) -> None:
        """Note that the contents have passed a check, unless others may change them."""
        if self._type.passed is not None:
            self._has_passed(self._type.passed | {check})

    def _has_passed(self, checks: frozenset[Any] | None) -> None:
        self._type = self._type.having_passed(checks)

    def _of_same_type(self, contents: np.ndarray) -> "DeviceArray":
        """A new array on the same device; on the CPU its contents are put where it lies."""
        if not self.device.is_host:
            return DeviceArray.from_numpy(contents, self.device)
        made = DeviceArray.empty(self.shape, self.dtype, self.device)
        self.device.fill(made._live(), contents, self._type.dtype_name)
        return made

    def _contents(self) -> np.ndarray:
        """The contents for reading: where they lie if the host can read them, else a copy."""
        if self.device.is_host:
            self.synchronize()
            return self.device.mapped(self._live(), self.shape, self._type.dtype_name)
        return self._known if self._known is not None else self.to_numpy()


def on_host(array: Any) -> np.ndarray:
    """The contents of an array as the host can read them, for checks."""
    contents: np.ndarray = array._contents() if isinstance(array, DeviceArray) else array
    return contents
