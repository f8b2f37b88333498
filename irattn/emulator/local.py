"""LDS, which the waves of a workgroup share, and scratch, which every lane has for itself."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError
from irattn.emulator.memory import Space

_MANY = np.uint32(0xFF)
_SLOT = np.uint32(0xFF)


@dataclass
class Places:
    """LDS addresses of one register: as they are, in the LDS of the chunk, and their bounds.

    `most` is the highest address, `low` has the low bits that any of them has.
    """

    address: np.ndarray
    at: np.ndarray
    most: int
    low: int
    units: dict[int, np.ndarray] = field(default_factory=dict)

    def index(self, size: int) -> np.ndarray:
        """`at` in units of 1, 2 or 4 bytes."""
        found = self.units.get(size)
        if found is None:
            found = self.units[size] = self.at >> (size >> 1)
        return found


class Lds(Space):
    """The LDS of all workgroups of a chunk, one after the other.

    For each granule it notes who wrote and who read it last, as `epoch << 8 | wave + 1`, the epoch
    being the number of barriers before. Two waves at one granule in one epoch, one of them
    writing, are a race.
    """

    def __init__(self, size: int, groups: int, granule: int, *, checks: bool) -> None:
        self.per_group = size
        self.stride = size + -size % 16
        super().__init__("LDS", self.stride * groups, checks=checks)
        self._granule = granule
        self._reads: list[tuple[Places, int, int, np.ndarray, Any]] = []
        self._wrote = False
        tags = self.stride * groups // granule if checks else 0
        self._writer, self._reader = np.zeros(tags, np.uint32), np.zeros(tags, np.uint32)

    def places(self, address: np.ndarray, group: np.ndarray, active: Any) -> "Places":
        """Where LDS addresses, uint32 [waves, lanes], of workgroups lie here."""
        if active is not True:
            address = np.where(active, address, np.uint32(0))
        most = int(address.max(initial=0))
        low = int(np.bitwise_or.reduce(address, axis=None)) & 15
        if most >= self.per_group:
            # Beyond it every access is refused, so that these places are not used.
            return Places(address, address.astype(np.int64), most, low)
        return Places(address, address + (group * self.stride)[:, None], most, low)

    def check(self, places: "Places", offset: int, size: int, active: Any) -> None:
        """FaultError where an access leaves LDS or is not aligned."""
        if places.most + offset + size > self.per_group:
            at = places.address.astype(np.int64) + offset
            wrong = (at + size > self.per_group) & active
            if not wrong.any():
                wrong = np.broadcast_to(active, at.shape)
            first = int(at[wrong].max(initial=offset))
            raise FaultError(
                f"access of {size} bytes outside LDS, at byte {first:#x} of {self.per_group:#x}",
                wrong,
            )
        alignment = min(size, 4)
        if (places.low | offset) & (alignment - 1):
            wrong = ((places.address + np.uint32(offset)) & np.uint32(alignment - 1) != 0) & active
            if wrong.any():
                raise FaultError(f"misaligned access of {size} bytes in LDS", wrong)

    def watch(
        self, places: Places, offset: int, size: int, reads: bool, tags: np.ndarray, active: Any
    ) -> None:
        """Note an access; FaultError where it races with one of another wave."""
        if reads:
            # Reads are looked at when something is written before the next barrier.
            self._reads.append((places, offset, size, tags, active))
            if self._wrote:
                self._look(*self._reads.pop(), True)
            return
        while self._reads:
            self._look(*self._reads.pop(), True)
        self._wrote = True
        self._look(places, offset, size, tags, active, False)

    def forget(self) -> None:
        """All waves have passed a barrier: what was before races with nothing that follows."""
        self._reads.clear()
        self._wrote = False

    def _look(
        self, places: Places, offset: int, size: int, tags: np.ndarray, active: Any, reads: bool
    ) -> None:
        at = places.at + offset
        mine = np.broadcast_to(tags[:, None], at.shape)
        shape = at.shape
        if active is not True:
            at, mine = at[active], mine[active]
        index = at // self._granule + _steps(-(-size // self._granule), at.ndim)
        self._compare(self._writer[index], mine, "written", shape, active)
        if not reads:
            self._compare(self._reader[index], mine, "read", shape, active)
            self._writer[index] = mine
            self._compare(self._writer[index], mine, "written", shape, active)
            return
        old = self._reader[index]
        shared = (old >> 8 == mine >> 8) & (old != mine) & (old & _SLOT != 0)
        many = mine | _MANY
        self._reader[index] = np.where(shared, many, mine)
        now = self._reader[index]
        self._reader[index] = np.where(now != mine, many, now)

    def _compare(
        self, noted: np.ndarray, mine: np.ndarray, verb: str, shape: tuple[int, ...], active: Any
    ) -> None:
        wrong = (noted >> 8 == mine >> 8) & (noted != mine) & (noted & _SLOT != 0)
        if not wrong.any():
            return
        wrong = wrong.any(axis=0)
        lanes = wrong
        if active is not True:
            lanes = np.zeros(shape, bool)
            lanes[active] = wrong
        raise FaultError(f"race in LDS: another wave has {verb} this since the last barrier", lanes)


def _steps(count: int, rank: int) -> np.ndarray:
    return np.arange(count).reshape((count,) + (1,) * rank)


class Scratch(Space):
    """Scratch of all lanes of a chunk, each lane's in one piece."""

    def __init__(self, size: int, slots: int, groups: int, lanes: int, *, checks: bool) -> None:
        self.per_lane = size
        self.stride = size + -size % 16
        self._slots, self._lanes = slots, lanes
        super().__init__("scratch", self.stride * slots * groups * lanes, checks=checks)

    def place(
        self, at: np.ndarray, group: np.ndarray, slot: np.ndarray, size: int, active: Any
    ) -> np.ndarray:
        """Where addresses of lanes lie here."""
        wrong = ((at < 0) | (at + size > self.per_lane)) & active
        if wrong.any():
            first = int(at[wrong][0])
            raise FaultError(
                f"access of {size} bytes outside scratch, at byte {first:#x} of {self.per_lane:#x}",
                wrong,
            )
        wave = (group * self._slots + slot)[:, None]
        starts: np.ndarray = (wave * self._lanes + np.arange(self._lanes)) * self.stride
        return np.asarray(at + starts)
