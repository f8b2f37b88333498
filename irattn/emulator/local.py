"""LDS, which the waves of a workgroup share, and scratch, which every lane has for itself."""

from typing import Any

import numpy as np

from irattn.emulator.faults import Fault
from irattn.emulator.memory import Space

_MANY = np.uint32(0xFF)
_SLOT = np.uint32(0xFF)


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
        tags = self.stride * groups // granule if checks else 0
        self._writer, self._reader = np.zeros(tags, np.uint32), np.zeros(tags, np.uint32)

    def place(self, at: np.ndarray, group: np.ndarray, size: int, active: Any) -> np.ndarray:
        """Where addresses of workgroups lie here."""
        wrong = (at + size > self.per_group) & active
        if wrong.any():
            first = int(at[wrong][0])
            raise Fault(
                f"access of {size} bytes outside LDS, at byte {first:#x} of {self.per_group:#x}",
                wrong,
            )
        return at + (group * self.stride)[:, None]

    def watch(self, at: np.ndarray, size: int, reads: bool, tags: np.ndarray, active: Any) -> None:
        """Note an access; Fault where it races with one of another wave."""
        mine = np.broadcast_to(tags[:, None], at.shape)
        shape = at.shape
        if active is not True:
            at, mine = at[active], mine[active]
        index = at // self._granule + _steps(size // self._granule, at.ndim)
        against = [(self._writer, "written")] if reads else [
            (self._writer, "written"),
            (self._reader, "read"),
        ]
        for noted, verb in against:
            self._compare(noted[index], mine, verb, shape, active)
        if not reads:
            self._writer[index] = mine
            self._compare(self._writer[index], mine, "written", shape, active)
            return
        old = self._reader[index]
        shared = (old >> 8 == mine >> 8) & (old != mine)
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
        raise Fault(f"race in LDS: another wave has {verb} this since the last barrier", lanes)


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
            raise Fault(
                f"access of {size} bytes outside scratch, at byte {first:#x} of {self.per_lane:#x}",
                wrong,
            )
        wave = (group * self._slots + slot)[:, None]
        return at + (wave * self._lanes + np.arange(self._lanes)) * self.stride
