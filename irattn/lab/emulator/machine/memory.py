"""Global memory of the emulated machine: buffers at made-up addresses."""

import bisect
from dataclasses import dataclass

import numpy as np

from irattn.binary.codeobject import CodeObject
from irattn.core.errors import EmulatorError
from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.space import ALL, ALLOCATED, WRITTEN, Space

# Where made-up addresses begin: 48 bits, as buffer resources hold them.
BASE = 0x7E00_0000_0000
_GUARD = 4096
_ALIGNMENT = 256


@dataclass
class Buffer:
    """One buffer: name, address and size in bytes."""

    name: str
    address: int
    size: int
    whole: bool = False


class Memory(Space):
    """Global memory: named buffers at made-up addresses, with gaps that belong to nobody.

    Words may lie anywhere, as ROCm sets the hardware up.
    """

    alignment = 1

    def __init__(self, *, checks: bool = True) -> None:
        super().__init__("global memory", 1 << 16, checks=checks, allocated=False)
        self.buffers: list[Buffer] = []
        self._starts: list[int] = []
        self._end = _GUARD
        self._images: dict[int, tuple[CodeObject, int]] = {}

    def allocate(self, name: str, size: int, data: np.ndarray | bytes | None = None) -> int:
        """The address of a new buffer; its bytes count as written where `data` gives them."""
        start = self._end
        self._end = start + max(size, 1) + _GUARD
        self._end += -self._end % _ALIGNMENT
        self._grow(self._end)
        self.buffers.append(Buffer(name, BASE + start, size))
        self._starts.append(start)
        self._shadow[start : start + size] |= ALLOCATED
        if data is not None:
            self.put(BASE + start, data)
        return BASE + start

    def free(self, address: int) -> None:
        """Give back the buffer that was allocated last."""
        buffer = self.buffers.pop()
        if buffer.address != address:
            raise ValueError("only the last buffer can be freed")
        self._end = self._starts.pop()
        self._shadow[self._end : self._end + buffer.size] = 0

    def image(self, code_object: CodeObject) -> int:
        """Where a code object is loaded: the address of its address 0."""
        image = self._images.get(id(code_object))
        if image is None:
            if not code_object.segments:
                raise EmulatorError("the code object has no segments to load")
            size = max(start + len(data) for start, data in code_object.segments)
            address = self.allocate("code", size, bytes(size))
            for start, data in code_object.segments:
                self.put(address + start, data)
            image = self._images[id(code_object)] = (code_object, address)
        return image[1]

    def put(self, address: int, data: np.ndarray | bytes) -> None:
        """Write bytes from the host."""
        given = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else _bytes_of(data)
        start = self._offset(address, given.size)
        self.units[1][start : start + given.size] = given
        self._shadow[start : start + given.size] |= WRITTEN

    def get(self, address: int, size: int) -> np.ndarray:
        """Bytes as the host reads them: uint8 [size]."""
        start = self._offset(address, size)
        return self.units[1][start : start + size].copy()

    def copy(self, source: int, target: int, size: int) -> None:
        """Copy bytes with what is known of them."""
        start, end = self._offset(source, size), self._offset(target, size)
        for data in (self.units[1], self._shadow):
            data[end : end + size] = data[start : start + size].copy()

    def written(self, address: int, size: int) -> np.ndarray:
        """Which bytes of a range were written: bool [size]."""
        start = self._offset(address, size)
        written: np.ndarray = self._shadow[start : start + size] == ALL
        return written

    def check_extent(self, start: np.ndarray, size: np.ndarray) -> None:
        """FaultError where ranges of bytes, one for each wave, end outside the buffers they are in.

        Loads and stores beyond a resource are dropped: one that says too much lets them through.
        """
        same = (start == start[:1]).all() and (size == size[:1]).all()
        ranges = zip(start[:1], size[:1], strict=True) if same else zip(start, size, strict=True)
        for first, length in ranges:
            i = bisect.bisect_right(self._starts, int(first)) - 1
            end = self._starts[i] + self.buffers[i].size if i >= 0 else 0
            if first + length > end:
                beyond = int(first + length) - end
                raise FaultError(f"a buffer resource reaches {beyond} bytes beyond its buffer")

    def settle(self) -> None:
        """Note which buffers are written as a whole: loads from them need no further look."""
        for buffer in self.buffers:
            start = buffer.address - BASE
            known = self._shadow[start : start + buffer.size]
            buffer.whole = bool(known.min(initial=ALL) == ALL)

    def _is_whole(self, at: np.ndarray, size: int) -> bool:
        if at.size == 0:
            return True
        low, high = int(at.min()), int(at.max()) + size
        i = bisect.bisect_right(self._starts, low) - 1
        if i < 0:
            return False
        buffer = self.buffers[i]
        return buffer.whole and high <= buffer.address - BASE + buffer.size

    def _first(self, at: np.ndarray, wrong: np.ndarray) -> str:
        return f", at address {int(at[wrong][0]) + BASE:#x}"

    def _offset(self, address: int, size: int) -> int:
        i = bisect.bisect_right(self._starts, address - BASE) - 1
        if i >= 0 and address + size <= self.buffers[i].address + self.buffers[i].size:
            return address - BASE
        raise EmulatorError(f"{size} bytes at {address:#x} are outside any buffer")

    def _grow(self, size: int) -> None:
        if size <= self.size:
            return
        words = -(-max(size, 2 * self.size) // 4)
        # Pages that nobody touches take no time: those between buffers are not copied.
        before, known = self.units[1], self._shadow
        self._bind(4 * words, np.zeros(words, np.uint32), np.zeros(4 * words, np.uint8))
        for start, buffer in zip(self._starts, self.buffers, strict=True):
            own = slice(start, start + buffer.size)
            self.units[1][own], self._shadow[own] = before[own], known[own]


def _bytes_of(data: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(data).reshape(-1).view(np.uint8)
