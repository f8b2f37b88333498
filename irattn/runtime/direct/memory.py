"""Memory of the launcher's own, for arrays of libraries that cannot be asked for any."""

import threading
from collections import defaultdict
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import DeviceError
from irattn.runtime.direct import capsules
from irattn.runtime.direct.driver import Driver
from irattn.runtime.direct.steps import Shape


class OwnMemory:
    """Bytes on a device, freed with the object: the driver waits for what still uses them."""

    def __init__(self, driver: Driver, number: int, num_bytes: int) -> None:
        self.driver, self.number, self.num_bytes = driver, number, num_bytes
        with driver.on(number):
            self.address = driver.handle("allocate", max(num_bytes, 1))

    def __del__(self) -> None:
        # Where making it failed there is none.
        if address := self.__dict__.get("address"):
            try:
                with self.driver.on(self.number):
                    self.driver.f["free"](address)
            except DeviceError:
                # The process is ending, and the driver is gone before.
                return


class ScratchPool:
    """Memory for what lives during one call, by device and stream, kept for later calls.

    What a stream was given back is only ever given to the same stream: there it comes after.
    What was given while a graph was captured belongs to the graph, and is kept for good.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._free: dict[tuple[int, int], list[OwnMemory]] = defaultdict(list)
        self._captured: list[OwnMemory] = []
        self._lock = threading.Lock()

    def take(self, num_bytes: int, number: int, stream: int) -> "Lent":
        """Memory of at least so many bytes, given back when it is dropped."""
        with self._lock:
            free = self._free[number, stream]
            fitting = [one for one in free if one.num_bytes >= num_bytes]
            best = min(fitting, key=lambda one: one.num_bytes, default=None)
            if best is not None:
                free.remove(best)
        memory = best or OwnMemory(self._driver, number, num_bytes)
        return Lent(self, memory, stream)

    def give_back(self, memory: OwnMemory, stream: int) -> None:
        """Take memory back from a stream."""
        captured = self._driver.captures(memory.number, stream)
        with self._lock:
            kept = self._captured if captured else self._free[memory.number, stream]
            kept.append(memory)


class Lent:
    """Memory of a pool while it is in use."""

    def __init__(self, pool: ScratchPool, memory: OwnMemory, stream: int) -> None:
        self._pool, self._memory, self._stream = pool, memory, stream
        self.address = memory.address

    def __del__(self) -> None:
        self._pool.give_back(self._memory, self._stream)


class DirectArray:
    """A dense array in memory of the launcher's own, which other libraries read by DLPack.

    `dtype` is irattn's name of its element type, `stream` the one on which it is written.
    """

    def __init__(
        self, memory: Any, shape: Shape, element: str, device: tuple[int, int], stream: int
    ) -> None:
        self._memory, self.shape, self.dtype = memory, shape, element
        self.device, self.stream, self.address = device, stream, memory.address

    def at(self, offset: int, shape: Shape, element: str) -> "DirectArray":
        """The array that begins so many bytes further on, in the same memory."""
        made = DirectArray(self._memory, shape, element, self.device, self.stream)
        made.address += offset
        return made

    def to_numpy(self) -> np.ndarray:
        """A copy of the contents, which waits for them."""
        made = np.empty(self.shape, dtype(self.dtype).numpy)
        driver = self._memory.driver
        with driver.on(self._memory.number):
            driver.call("download", made.ctypes.data, self.address, made.nbytes, self.stream)
            driver.call("wait", self.stream)
        return made

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: int | None = None, **others: Any) -> Any:
        """A capsule of the array's memory, of which the contents are there."""
        driver = self._memory.driver
        with driver.on(self._memory.number):
            driver.call("wait", self.stream)
        return capsules.made(self, self.address, self.shape, self.dtype, self.device)

    def __repr__(self) -> str:
        return f"<DirectArray {self.dtype} {list(self.shape)} on {self.device}>"
