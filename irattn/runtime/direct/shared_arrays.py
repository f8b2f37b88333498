"""Arrays of any library that shares them by DLPack; new ones are the launcher's own."""

import ctypes
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype_name
from irattn.core.errors import ArgumentError
from irattn.runtime.direct import capsules
from irattn.runtime.direct.arrays import Described
from irattn.runtime.direct.driver import Driver
from irattn.runtime.direct.memory import DirectArray, OwnMemory, ScratchPool
from irattn.runtime.direct.steps import Shape

# How DLPack calls CUDA's default stream, which is 0 elsewhere.
_LEGACY_STREAM = 1
_CUDA = 2


class Borrowed:
    """Another library's array while a call uses it: its capsule, and what that says."""

    def __init__(self, name: str, array: Any, stream: int) -> None:
        self.array = array
        try:
            kind, number = array.__dlpack_device__()
            self.device = int(kind), int(number)
            self.capsule = array.__dlpack__(stream=self._named(stream))
        except AttributeError as error:
            raise ArgumentError(
                f"{name}: expected an array that other libraries can read (with __dlpack__), got "
                f"{type(array).__name__}"
            ) from error
        except (BufferError, RuntimeError, ValueError) as error:
            raise ArgumentError(f"{name}: its library does not share it: {error}") from error
        self.contents = capsules.read(self.capsule)

    def _named(self, stream: int) -> int | None:
        """The stream as DLPack calls it; the CPU has none."""
        if self.device[0] == 1:
            return None
        return stream or (_LEGACY_STREAM if self.device[0] == _CUDA else 0)


class SharedArrays:
    """Arrays of libraries with DLPack, each as `Borrowed` or `DirectArray`."""

    convert = " to {} in its own library"

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._pool = ScratchPool(driver)

    def taken(self, names: Sequence[str], arrays: Sequence[Any], stream: int) -> list[Any]:
        """Arrays as the other methods take them; they must live until a call is launched."""
        return [
            array if isinstance(array, DirectArray | np.ndarray) else Borrowed(name, array, stream)
            for name, array in zip(names, arrays, strict=True)
        ]

    def own(self, array: Any) -> Any:
        return array.array if isinstance(array, Borrowed) else array

    def key(self, arrays: Sequence[Any]) -> Any:
        return tuple(self.describe("array", array) for array in arrays)

    def describe(self, name: str, array: Any) -> Described:
        if isinstance(array, DirectArray):
            return Described(array.shape, array.dtype, True, array.device)
        contents = array.contents
        return Described(contents.shape, contents.dtype, contents.is_dense, array.device)

    def addresses(self, arrays: Sequence[Any]) -> list[int]:
        return [
            array.address if isinstance(array, DirectArray) else array.contents.address
            for array in arrays
        ]

    def empty(self, shape: Shape, element: str, number: int, stream: int) -> DirectArray:
        itemsize = 1 if element == "bytes" else capsules.itemsize(element)
        memory = OwnMemory(self._driver, number, itemsize * int(np.prod(shape)))
        return DirectArray(memory, shape, element, self._driver.place_of(number), stream)

    def scratch(self, num_bytes: int, number: int, stream: int) -> Any:
        lent = self._pool.take(num_bytes, number, stream)
        place = self._driver.place_of(number)
        return DirectArray(lent, (num_bytes,), "bytes", place, stream)

    def part(self, array: DirectArray, offset: int, shape: Shape, element: str) -> DirectArray:
        return array.at(offset, shape, element)

    def upload(self, array: np.ndarray, number: int, stream: int) -> DirectArray:
        dense = np.ascontiguousarray(array)
        made = self.empty(dense.shape, dtype_name(dense.dtype), number, stream)
        with self._driver.on(number):
            source = ctypes.c_void_p(dense.ctypes.data)
            self._driver.call("upload", made.address, source, dense.nbytes, stream)
            # The driver may read the host's memory until then.
            self._driver.call("wait", stream)
        return made

    def download(self, array: Any, stream: int) -> np.ndarray:
        there = self.describe("array", array)
        (address,) = self.addresses((array,))
        made = np.empty_like(there.stand_in, order="C")
        with self._driver.on(self._driver.number_of(there.device)):
            self._driver.call("download", made.ctypes.data, address, made.nbytes, stream)
            self._driver.call("wait", stream)
        return made

    def on_stream(self, number: int, named: int | None) -> AbstractContextManager[None]:
        return nullcontext()

    def stream(self, number: int) -> int:
        return 0
