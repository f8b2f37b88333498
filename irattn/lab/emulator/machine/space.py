"""Memory that knows which of its bytes belong to something and which were written."""

from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError

# Shadow of a byte: whether it is written, and whether it belongs to something.
WRITTEN, ALLOCATED = 1, 2
ALL = WRITTEN | ALLOCATED
# The same for units of 1, 2 and 4 bytes.
_EVERY = {1: 0x01, 2: 0x0101, 4: 0x01010101}
_KINDS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


class Space:
    """Words with a shadow. Addresses are offsets in bytes from its start.

    Reads and writes take offsets as int64 [waves, lanes] and the lanes that take part: True for
    all. Values are uint32 [words, waves, lanes]. Words may lie at multiples of `alignment`. What
    nobody wrote may be loaded from a space where it `keeps_unwritten`: it counts as not written in
    registers too.
    """

    alignment = 4
    keeps_unwritten = False

    def __init__(
        self, name: str, size: int, *, checks: bool = True, allocated: bool = True
    ) -> None:
        self.name = name
        self.checks = checks
        words = -(-size // 4) or 1
        self._bind(size, np.zeros(words, np.uint32), np.zeros(4 * words, np.uint8))
        if allocated:
            self._shadow[...] = ALLOCATED

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
        at = self._prepared(at, min(size, self.alignment), size, active, "load")
        if (at & (size - 1)).any():
            low, high = (self.read_part(at + i, 1, active) for i in range(size))
            return np.asarray(low | high << np.uint32(8))
        index = at >> (size >> 1)
        if self.checks and not self._is_whole(at, size):
            self.check_known(self.known[size].take(index), active)
        values: np.ndarray = self.units[size].take(index).astype(np.uint32)
        return values

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
        at = self._prepared(at, min(size, self.alignment), size, active, "store")
        if (at & (size - 1)).any():
            for i in range(size):
                self.write_part(at + i, values >> np.uint32(8 * i), 1, active)
            return
        is_checked = self.checks and not self._is_whole(at, size)
        if active is not True:
            at, values = at[active], values[active]
        self._store(at >> (size >> 1), values, size, is_checked, active)

    def _store(
        self, index: np.ndarray, values: np.ndarray, size: int, is_checked: bool, active: Any
    ) -> None:
        """Store units of `size` bytes, of the lanes that take part."""
        if is_checked:
            known, allocated = self.known[size], ALLOCATED * _EVERY[size]
            outside = known.take(index) & allocated != allocated
            if outside.any():
                lanes = _lanes_of(outside, active)
                raise FaultError(f"access outside any buffer of {self.name}", lanes)
            known[index] = ALL * _EVERY[size]
        self.units[size][index] = values.astype(_KINDS[size], copy=False)

    def is_written(self, at: np.ndarray, size: int) -> bool:
        """Whether all lanes' units of this size are known to be written, without a closer look."""
        unit = min(size, 4)
        if (at & (unit - 1)).any():
            return False
        index = (at // unit) + np.arange(-(-size // unit))[:, None, None]
        known = self.known[unit].take(index, mode="clip")
        return bool(known.min(initial=ALL * _EVERY[unit]) == ALL * _EVERY[unit])

    def unwritten(self, at: np.ndarray, words: int, active: Any) -> np.ndarray:
        """The bits of words that nobody wrote: uint32 [words, waves, lanes]."""
        index = np.where(active, at, 0)[..., None] + np.arange(4 * words)
        lacks = self.known[1].take(index, mode="clip") & WRITTEN == 0
        bits = np.where(lacks, np.uint8(0xFF), np.uint8(0)).view(np.uint32)
        return np.moveaxis(bits, -1, 0)

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
        if known.size == 0 or known.min() == ALL * every:
            return
        needed = ALLOCATED if self.keeps_unwritten else ALL
        wrong = known & needed * every != needed * every
        outside = wrong & ((known & ALLOCATED * every) != ALLOCATED * every)
        wrong, outside = wrong & active, outside & active
        if wrong.any():
            what = (
                "access outside any buffer of"
                if outside.any()
                else "read of bytes never written in"
            )
            lanes = wrong if wrong.ndim == 2 else wrong.any(axis=0)
            raise FaultError(f"{what} {self.name}", lanes)


def _lanes_of(wrong: np.ndarray, active: Any) -> np.ndarray:
    """The lanes of a wave that are wrong in some word; `wrong` has only those that take part."""
    if active is True:
        return wrong if wrong.ndim == 2 else np.asarray(wrong.any(axis=0))
    lanes = np.zeros(active.shape, bool)
    lanes[active] = wrong if wrong.ndim == 1 else wrong.any(axis=0)
    return lanes
