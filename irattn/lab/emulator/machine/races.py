"""Notices where waves of a workgroup race for LDS."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.places import Places

Range = tuple[int, int]

# The number of the wave in a tag; all bits say that there were several.
_MANY = np.uint32(0xFF)
# A tag of an epoch that no wave comes to.
_NOBODY = 0xFFFFFFFF
# So many loads keep their addresses before they are noted.
_MOST_LOADS = 512


@dataclass
class _Access:
    """A load or store: `tags` are those of the waves.

    `groups` are the workgroups that have come to no barrier since.
    """

    places: Places
    offset: int
    size: int
    tags: np.ndarray
    active: Any
    groups: frozenset[int]

    @cached_property
    def reach(self) -> Range:
        """The bytes of a workgroup's LDS between which it lies."""
        return self.places.least + self.offset, self.places.most + self.offset + self.size

    def meets(self, reach: Range, groups: frozenset[int]) -> bool:
        """Whether it has something in common with what is accessed between two bytes of groups."""
        return _meet(self.reach, reach) and not self.groups.isdisjoint(groups)


class Races:
    """Who wrote and who read each granule of LDS last, as tags `epoch << 8 | wave + 1`.

    The epoch is the number of barriers before. Two waves at one granule in one epoch, one of them
    writing, are a race.
    """

    def __init__(self, granules: int, granule: int) -> None:
        self._granule = granule
        self._writer, self._reader = np.full((2, granules), _NOBODY, np.uint32)
        # Since the last barrier: what was written by which workgroups, loads that none of it
        # concerns, so that nobody has looked at them yet, and whether others were noted.
        self._written: dict[Range, frozenset[int]] = {}
        self._loads: list[_Access] = []
        self._noted = False

    def watch(
        self, places: Places, offset: int, size: int, loads: bool, tags: np.ndarray, active: Any
    ) -> None:
        """Note a load or store; FaultError where it races with an access of another wave."""
        if not self._is_in_granules(places, offset, size, active):
            self._split()
        access = _Access(places, offset, size, tags, active, places.groups)
        meets_stores = any(access.meets(*written) for written in self._written.items())
        if not loads:
            self._look_at_loads(access.meets)
            self._store(access, meets_stores)
        elif meets_stores:
            # In order: only the last epoch is noted, and workgroups may be in different ones.
            self._look_at_loads(access.meets)
            self._load(access, meets_stores)
        else:
            self._loads.append(access)
            if len(self._loads) > _MOST_LOADS:
                self._look_at_loads(lambda *load: True)

    def _is_in_granules(self, places: Places, offset: int, size: int, active: Any) -> bool:
        """Whether an access has as many granules as it needs, and no more."""
        unit = min(size & -size, self._granule)
        if places.lies_on(unit) and offset % unit == 0:
            return True
        return not (((places.at + offset) % unit != 0) & active).any()

    def _split(self) -> None:
        """Look at each byte from now on, as somebody stores or loads across granules."""
        self._writer = np.repeat(self._writer, self._granule)
        self._reader = np.repeat(self._reader, self._granule)
        self._granule = 1

    def forget(self) -> None:
        """All waves have passed a barrier: what was before races with nothing that follows."""
        self._written.clear()
        self._loads.clear()
        self._noted = False

    def forget_of(self, groups: frozenset[int]) -> None:
        """Forget accesses of workgroups all waves of which have passed a barrier."""
        left = {reach: its - groups for reach, its in self._written.items()}
        self._written = {reach: its for reach, its in left.items() if its}
        for load in self._loads:
            load.groups -= groups
        self._loads = [load for load in self._loads if load.groups]

    def _look_at_loads(self, concerns: Callable[[Range, frozenset[int]], bool]) -> None:
        """Note the loads that an access concerns."""
        left = []
        for load in self._loads:
            if concerns(load.reach, load.groups):
                self._load(load, False)
            else:
                left.append(load)
        self._loads = left

    def _load(self, access: _Access, meets_stores: bool) -> None:
        self._noted = True
        first, index, mine = self._where(access)
        for step in range(first, first + -(-access.size // self._granule)):
            if meets_stores:
                _refuse_others(self._writer[step:].take(index), mine, "written", access.active)
            _note_loads(self._reader[step:], index, mine)

    def _store(self, access: _Access, meets_stores: bool) -> None:
        others = self._written.get(access.reach, frozenset())
        self._written[access.reach] = others | access.groups
        first, index, mine = self._where(access)
        for step in range(first, first + -(-access.size // self._granule)):
            writer = self._writer[step:]
            # After the first granule waves may meet what others of this very store have written.
            if meets_stores or step > first:
                _refuse_others(writer.take(index), mine, "written", access.active)
            if self._noted:
                _refuse_others(self._reader[step:].take(index), mine, "read", access.active)
            writer[index] = mine
            _refuse_others(writer.take(index), mine, "written", access.active)

    def _where(self, access: _Access) -> tuple[int, np.ndarray, np.ndarray]:
        """The granules of lanes that take part, less a number that is added, and their tags."""
        granule = self._granule
        if access.places.lies_on(granule) and access.offset % granule == 0:
            first, index = access.offset // granule, access.places.index(granule)
        else:
            first, index = 0, (access.places.at + access.offset) // granule
        mine = np.broadcast_to(access.tags[:, None], index.shape)
        if access.active is True:
            return first, index, mine
        return first, index[access.active], mine[access.active]


def _meet(one: Range, other: Range) -> bool:
    """Whether two ranges have something in common."""
    return one[0] < other[1] and other[0] < one[1]


def _are_others(noted: np.ndarray, mine: np.ndarray) -> np.ndarray:
    """Where tags differ and are of the same epoch."""
    differ = noted ^ mine
    # Equal tags become the largest number.
    differ -= np.uint32(1)
    return np.asarray(differ < _MANY)


def _refuse_others(noted: np.ndarray, mine: np.ndarray, verb: str, active: Any) -> None:
    """FaultError where another wave has noted itself in the same epoch."""
    wrong = _are_others(noted, mine)
    if not wrong.any():
        return
    lanes = wrong
    if active is not True:
        lanes = np.zeros(active.shape, bool)
        lanes[active] = wrong
    raise FaultError(f"race in LDS: another wave has {verb} this since the last barrier", lanes)


def _note_loads(reader: np.ndarray, index: np.ndarray, mine: np.ndarray) -> None:
    """Write tags; where several waves read, one that says so."""
    shared = _are_others(reader.take(index), mine)
    reader[index] = np.where(shared, mine | _MANY, mine) if shared.any() else mine
    # Of several waves that read the same at once, the last one has noted itself.
    differ = reader.take(index) != mine
    reader[index[differ]] = mine[differ] | _MANY
