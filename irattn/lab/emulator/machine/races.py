"""Notices where waves of a workgroup race for LDS."""

from collections.abc import Callable, Mapping
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
class Access:
    """A load or store: `tags` are those of the waves, `stored` the words that it stores.

    `groups` are the workgroups that have come to no barrier since.
    """

    places: Places
    offset: int
    size: int
    loads: bool
    tags: np.ndarray
    active: Any
    groups: frozenset[int]
    stored: np.ndarray | None = None

    @cached_property
    def reach(self) -> Range:
        """The bytes of a workgroup's LDS between which it lies."""
        return self.places.least + self.offset, self.places.most + self.offset + self.size

    def meets(self, reach: Range, groups: frozenset[int]) -> bool:
        """Whether it has something in common with what is accessed between two bytes of groups."""
        return _meet(self.reach, reach) and not self.groups.isdisjoint(groups)

    def part(self, byte: int, size: int) -> np.ndarray:
        """So many of the bytes that active lanes store, from one on: uint32."""
        assert self.stored is not None
        words = self.stored[byte // 4] >> np.uint32(8 * (byte % 4))
        part = np.broadcast_to(words & np.uint32((1 << 8 * size) - 1), self.places.at.shape)
        return part if self.active is True else part[self.active]


class Races:
    """Who wrote and who read each granule of LDS last, as tags `epoch << 8 | wave + 1`.

    The epoch is the number of barriers before. Two waves at one granule in one epoch, one of them
    writing, are a race, but where both write the same. `contents` are those of LDS by the size of
    units, as they are at any time.
    """

    def __init__(self, granules: int, granule: int, contents: Mapping[int, np.ndarray]) -> None:
        self._granule = granule
        self._contents = contents
        self._writer, self._reader = np.full((2, granules), _NOBODY, np.uint32)
        # Since the last barrier: what was written by which workgroups, loads that none of it
        # concerns, so that nobody has looked at them yet, and whether others were noted.
        self._written: dict[Range, frozenset[int]] = {}
        self._loads: list[Access] = []
        self._noted = False

    def watch(
        self,
        places: Places,
        offset: int,
        size: int,
        loads: bool,
        tags: np.ndarray,
        active: Any,
        stored: np.ndarray | None = None,
    ) -> Access:
        """Note a load or store; FaultError where it races with an access of another wave.

        A store is looked at before it is done; where its words are not given, it writes others
        than anybody else.
        """
        if not self._is_in_granules(places, offset, size, active):
            self._split()
        access = Access(places, offset, size, loads, tags, active, places.groups, stored)
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
        return access

    def renew(self, access: Access) -> None:
        """Note an access for the epoch of its tags, too, in which nobody has done anything yet."""
        first, index, mine = self._where(access)
        if access.loads:
            self._noted = True
        else:
            self._note_written(access)
        for step in range(first, first + -(-access.size // self._granule)):
            _note((self._reader if access.loads else self._writer)[step:], index, mine)

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

    def _load(self, access: Access, meets_stores: bool) -> None:
        self._noted = True
        first, index, mine = self._where(access)
        for step in range(first, first + -(-access.size // self._granule)):
            if meets_stores:
                _refuse(_are_others(self._writer[step:].take(index), mine), "written", access)
            _note(self._reader[step:], index, mine)

    def _store(self, access: Access, meets_stores: bool) -> None:
        self._note_written(access)
        first, index, mine = self._where(access)
        for step in range(first, first + -(-access.size // self._granule)):
            writer = self._writer[step:]
            if self._noted:
                _refuse(_are_others(self._reader[step:].take(index), mine), "read", access)
            tags = mine
            # After the first granule waves may meet what others of this very store have written.
            if meets_stores or step > first:
                others = _are_others(writer.take(index), mine)
                if others.any():
                    held = self._contents[self._granule][step:].take(index)
                    self._refuse_other_values(others, held, access, step - first)
                    tags = np.where(others, mine | _MANY, mine)
            writer[index] = tags
            others = _are_others(writer.take(index), mine)
            if others.any():
                held = self._stored_last(access, step - first, index)
                self._refuse_other_values(others, held, access, step - first)
                writer[index[others]] = mine[others] | _MANY

    def _note_written(self, access: Access) -> None:
        groups = self._written.get(access.reach, frozenset())
        self._written[access.reach] = groups | access.groups

    def _refuse_other_values(
        self, others: np.ndarray, held: np.ndarray, access: Access, step: int
    ) -> None:
        """FaultError where others have written something else than a store does in a granule."""
        if access.stored is not None:
            others = others & (access.part(step * self._granule, self._granule) != held)
        _refuse(others, "written", access)

    def _stored_last(self, access: Access, step: int, index: np.ndarray) -> np.ndarray:
        """The number that the last of the lanes that store to a granule leaves, for each lane."""
        if access.stored is None:
            return index
        mine = access.part(step * self._granule, self._granule)
        places, inverse = np.unique(index, return_inverse=True)
        last = np.zeros(len(places), np.uint32)
        last[inverse.reshape(-1)] = mine.reshape(-1)
        return last[inverse.reshape(index.shape)]

    def _where(self, access: Access) -> tuple[int, np.ndarray, np.ndarray]:
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


def _refuse(wrong: np.ndarray, verb: str, access: Access) -> None:
    """FaultError where another wave has noted itself in the same epoch."""
    if not wrong.any():
        return
    lanes, active = wrong, access.active
    if active is not True:
        lanes = np.zeros(active.shape, bool)
        lanes[active] = wrong
    raise FaultError(
        f"race in LDS: another wave has {verb} this since the last barrier, or before it and has "
        f"not waited",
        lanes,
    )


def _note(noted: np.ndarray, index: np.ndarray, mine: np.ndarray) -> None:
    """Write tags; where there are several waves, one that says so."""
    shared = _are_others(noted.take(index), mine)
    noted[index] = np.where(shared, mine | _MANY, mine) if shared.any() else mine
    # Of several waves that are at one place at once, the last one has noted itself.
    differ = noted.take(index) != mine
    noted[index[differ]] = mine[differ] | _MANY
