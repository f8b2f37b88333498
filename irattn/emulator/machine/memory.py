"""Memory of the emulated device: words, and for each byte whether it is there and written."""

import bisect
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.codeobject import CodeObject
from irattn.emulator.faults import FaultError
from irattn.errors import EmulatorError

# Where made-up addresses begin: 48 bits, as buffer resources hold them.
BASE = 0x7E00_0000_0000
_GUARD = 4096
_ALIGNMENT = 256

# Shadow of a byte: whether it is written, and whether it belongs to something.
_WRITTEN, _ALLOCATED = 1, 2
_ALL = _WRITTEN | _ALLOCATED
# The same for units of 1, 2 and 4 bytes.
_EVERY = {1: 0x01, 2: 0x0101, 4: 0x01010101}
_KINDS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


class Space:
    """Words with a shadow. Addresses are offsets in bytes from its start.

    Reads and writes take offsets as int64 [waves, lanes] and the lanes that take part: True for
    all. Values are uint32 [words, waves, lanes]. Words may lie at multiples of `alignment`.
    """

    alignment = 4

    def __init__(
        self, name: str, size: int, *, checks: bool = True, allocated: bool = True
    ) -> None:
        self.name = name
        self.checks = checks
        words = -(-size // 4) or 1
        self._bind(size, np.zeros(words, np.uint32), np.zeros(4 * words, np.uint8))
        if allocated:
            self._shadow[...] = _ALLOCATED

    def _bind(self, size: int, words: np.ndarray, shadow: np.ndarray) -> None:
        self.size, self._words, self._shadow = size, words, shadow
        # What is there, and what is known of it, by the size of units.
        self.units = {size: words.view(kind) for size, kind in _KINDS.items()}
        self.known = {size: shadow.view(kind) for size, kind in _KINDS.items()}

    def read(self, at: np.ndarray, count: int, active: Any) -> np.ndarray:
        """`count` words from word-aligned offsets; those of other lanes mean nothing."""
        at = self._prepared(at, self.alignment, 4 * count, active, "load")
        if self.alignment < 4 and (at & 3).any():
            parts = [self.read_part(at + i, 1, active) for i in range(4 * count)]
            data = np.stack(parts, axis=-1).astype(np.uint8).view(np.uint32)
            return np.asarray(np.moveaxis(data, -1, 0))
        index = (at >> 2) + np.arange(count)[:, None, None]
        if self.checks and not self._is_whole(at, 4 * count):
            self.check_known(self.known[4].take(index), active)
        return self._words.take(index)

    def read_part(self, at: np.ndarray, size: int, active: Any) -> np.ndarray:
        """One or two bytes as uint32 [waves, lanes]."""
        at = self._prepared(at, size, size, active, "load")
        index = at >> (size >> 1)
        if self.checks and not self._is_whole(at, size):
            self.check_known(self.known[size].take(index), active)
        found: np.ndarray = self.units[size].take(index).astype(np.uint32)
        return found

    def write(self, at: np.ndarray, values: np.ndarray, active: Any) -> None:
        """Store words [words, waves, lanes] at word-aligned offsets."""
        count = len(values)
        at = self._prepared(at, self.alignment, 4 * count, active, "store")
        if self.alignment < 4 and (at & 3).any():
            for i in range(4 * count):
                byte = values[i // 4] >> np.uint32(8 * (i % 4))
                self.write_part(at + i, byte, 1, active)
            return
        index = (at >> 2) + np.arange(count)[:, None, None]
        if active is not True:
            index, values = index[:, active], values[:, active]
        self._store(index, values, 4, self.checks and not self._is_whole(at, 4 * count), active)

    def write_part(self, at: np.ndarray, values: np.ndarray, size: int, active: Any) -> None:
        """Store the low one or two bytes of uint32 [waves, lanes]."""
        at = self._prepared(at, size, size, active, "store")
        is_checked = self.checks and not self._is_whole(at, size)
        if active is not True:
            at, values = at[active], values[active]
        self._store(at >> (size >> 1), values, size, is_checked, active)

    def _store(
        self, index: np.ndarray, values: np.ndarray, size: int, is_checked: bool, active: Any
    ) -> None:
        """Store units of `size` bytes, of the lanes that take part."""
        if is_checked:
            known, allocated = self.known[size], _ALLOCATED * _EVERY[size]
            outside = known.take(index) & allocated != allocated
            if outside.any():
                lanes = _lanes_of(outside, active)
                raise FaultError(f"access outside any buffer of {self.name}", lanes)
            known[index] = _ALL * _EVERY[size]
        self.units[size][index] = values.astype(_KINDS[size], copy=False)

    def _prepared(
        self, at: np.ndarray, alignment: int, size: int, active: Any, what: str
    ) -> np.ndarray:
        """Offsets with 0 for lanes that do not take part; FaultError where one is impossible."""
        if active is not True:
            at = np.where(active, at, 0)
        if at.size == 0:
            return at
        if at.min() < 0 or at.max() > self.size - size:
            wrong = (at < 0) | (at > self.size - size)
            if active is not True:
                wrong &= active
            if wrong.any():
                raise FaultError(
                    f"{what} of {size} bytes outside {self.name}{self._first(at, wrong)}", wrong
                )
        if alignment > 1 and (at & (alignment - 1)).any():
            wrong = (at & (alignment - 1)) != 0
            raise FaultError(f"misaligned {what} in {self.name}{self._first(at, wrong)}", wrong)
        return at

    def _first(self, at: np.ndarray, wrong: np.ndarray) -> str:
        return f", at byte {int(at[wrong][0]):#x} of {self.size:#x}"

    def _is_whole(self, at: np.ndarray, size: int) -> bool:
        """Whether all that is touched is known to be there and to be written."""
        return False

    def check_known(self, known: np.ndarray, active: Any) -> None:
        """FaultError where shadow bits of what is loaded are missing."""
        every = _EVERY[known.itemsize]
        if known.size == 0 or known.min() == _ALL * every:
            return
        wrong = known != _ALL * every
        outside = wrong & ((known & _ALLOCATED * every) != _ALLOCATED * every)
        wrong, outside = wrong & active, outside & active
        if wrong.any():
            what = (
                "access outside any buffer of"
                if outside.any()
                else "read of bytes never written in"
            )
            lanes = wrong if wrong.ndim == 2 else wrong.any(axis=0)
            raise FaultError(f"{what} {self.name}", lanes)


@dataclass
class Block:
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
        self.blocks: list[Block] = []
        self._starts: list[int] = []
        self._end = _GUARD
        self._images: dict[int, tuple[CodeObject, int]] = {}

    def allocate(self, name: str, size: int, data: np.ndarray | bytes | None = None) -> int:
        """The address of a new buffer; its bytes count as written where `data` gives them."""
        start = self._end
        self._end = start + max(size, 1) + _GUARD
        self._end += -self._end % _ALIGNMENT
        self._grow(self._end)
        self.blocks.append(Block(name, BASE + start, size))
        self._starts.append(start)
        self._shadow[start : start + size] |= _ALLOCATED
        if data is not None:
            self.put(BASE + start, data)
        return BASE + start

    def free(self, address: int) -> None:
        """Give back the buffer that was allocated last."""
        block = self.blocks.pop()
        if block.address != address:
            raise ValueError("only the last buffer can be freed")
        self._end = self._starts.pop()
        self._shadow[self._end : self._end + block.size] = 0

    def image(self, code_object: CodeObject) -> int:
        """Where a code object is loaded: the address of its address 0."""
        found = self._images.get(id(code_object))
        if found is None:
            size = max(start + len(data) for start, data in code_object.segments)
            address = self.allocate("code", size, bytes(size))
            for start, data in code_object.segments:
                self.put(address + start, data)
            found = self._images[id(code_object)] = (code_object, address)
        return found[1]

    def put(self, address: int, data: np.ndarray | bytes) -> None:
        """Write bytes from the host."""
        given = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else _bytes_of(data)
        start = self._offset(address, given.size)
        self.units[1][start : start + given.size] = given
        self._shadow[start : start + given.size] |= _WRITTEN

    def get(self, address: int, size: int) -> np.ndarray:
        """Bytes as the host reads them: uint8 [size]."""
        start = self._offset(address, size)
        return self.units[1][start : start + size].copy()

    def copy(self, source: int, target: int, size: int) -> None:
        """Copy bytes with what is known of them."""
        start, end = self._offset(source, size), self._offset(target, size)
        for data in (self.units[1], self._shadow):
            data[end : end + size] = data[start : start + size].copy()

    def written(self, address: int, size: int) -> bool:
        """Whether every byte of a range was written."""
        start = self._offset(address, size)
        return bool((self._shadow[start : start + size] == _ALL).all())

    def check_extent(self, start: np.ndarray, size: np.ndarray) -> None:
        """FaultError where ranges of bytes, one for each wave, end outside the buffers they are in.

        Loads and stores beyond a resource are dropped: one that says too much lets them through.
        """
        same = (start == start[:1]).all() and (size == size[:1]).all()
        ranges = zip(start[:1], size[:1], strict=True) if same else zip(start, size, strict=True)
        for first, length in ranges:
            i = bisect.bisect_right(self._starts, int(first)) - 1
            end = self._starts[i] + self.blocks[i].size if i >= 0 else 0
            if first + length > end:
                beyond = int(first + length) - end
                raise FaultError(f"a buffer resource reaches {beyond} bytes beyond its buffer")

    def settle(self) -> None:
        """Note which buffers are written as a whole: loads from them need no further look."""
        for block in self.blocks:
            block.whole = self.written(block.address, block.size)

    def _is_whole(self, at: np.ndarray, size: int) -> bool:
        if at.size == 0:
            return True
        low, high = int(at.min()), int(at.max()) + size
        i = bisect.bisect_right(self._starts, low) - 1
        if i < 0:
            return False
        block = self.blocks[i]
        return block.whole and high <= block.address - BASE + block.size

    def _first(self, at: np.ndarray, wrong: np.ndarray) -> str:
        return f", at address {int(at[wrong][0]) + BASE:#x}"

    def _offset(self, address: int, size: int) -> int:
        i = bisect.bisect_right(self._starts, address - BASE) - 1
        if i >= 0 and address + size <= self.blocks[i].address + self.blocks[i].size:
            return address - BASE
        raise EmulatorError(f"{size} bytes at {address:#x} are outside any buffer")

    def _grow(self, size: int) -> None:
        if size <= self.size:
            return
        words = -(-max(size, 2 * self.size) // 4)
        more = words - self._words.size
        self._bind(4 * words, np.pad(self._words, (0, more)), np.pad(self._shadow, (0, 4 * more)))


def _lanes_of(found: np.ndarray, active: Any) -> np.ndarray:
    """For what was found in one or more words of lanes that take part: the lanes, of all."""
    if active is True:
        return found if found.ndim == 2 else np.asarray(found.any(axis=0))
    lanes = np.zeros(active.shape, bool)
    lanes[active] = found if found.ndim == 1 else found.any(axis=0)
    return lanes


def _bytes_of(data: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(data).reshape(-1).view(np.uint8)
