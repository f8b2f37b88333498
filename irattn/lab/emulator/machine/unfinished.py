"""Accesses to LDS that waves have not waited for when they come to a barrier.

A barrier is no wait: what a wave has begun before it may be done after it, when others already
store and load. Such an access counts as one of the time after the barrier, too.
"""

from dataclasses import dataclass, replace

import numpy as np

from irattn.lab.emulator.machine.races import Access

# So many waves a workgroup has at most.
_WAVES = 32
# So many operations of LDS a wave has under way at most: its counter ends there.
_MOST_UNDERWAY = 64
# So many accesses are kept before it is looked which of them have ended by themselves.
_MOST_KEPT = 4096


@dataclass
class _Begun:
    """An access, and for each of its waves which one of the wave's operations it is.

    `groups` are the workgroups, by where their LDS begins, that have come to no barrier since.
    """

    access: Access
    group: np.ndarray
    slot: np.ndarray
    number: np.ndarray
    groups: frozenset[int]

    def left(self, groups: frozenset[int], ended: np.ndarray) -> Access | None:
        """The part that waves of these workgroups have not waited for, in the next epoch."""
        base = self.access.places.base.ravel()
        is_late = self.number > ended[self.group, self.slot]
        is_late &= np.isin(base, list(self.groups & groups))
        active = self.access.active & np.broadcast_to(is_late[:, None], self.access.places.at.shape)
        if not active.any():
            return None
        bases = frozenset(base[is_late].tolist())
        return replace(
            self.access, tags=self.access.tags + np.uint32(1 << 8), active=active, groups=bases
        )


class Unfinished:
    """The accesses of the waves of some workgroups since their last barrier."""

    def __init__(self, groups: int) -> None:
        self._begun: list[_Begun] = []
        # By workgroup and wave: the last operation that was begun, and the last one that the wave
        # had waited for when it came to its last barrier.
        self._last, self._ended = np.zeros((2, groups, _WAVES), np.int64)
        # Workgroups of which a wave has come to a barrier with operations under way.
        self._late: frozenset[int] = frozenset()

    def note(self, access: Access, group: np.ndarray, slot: np.ndarray, number: np.ndarray) -> None:
        """Note an access of waves, the operation of this number of each."""
        self._last[group, slot] = number
        self._begun.append(_Begun(access, group, slot, number, access.groups))
        if len(self._begun) > _MOST_KEPT:
            self._begun = [one for one in self._begun if self._may_be_underway(one)]

    def come(
        self,
        group: np.ndarray,
        slot: np.ndarray,
        begun: np.ndarray,
        ended: np.ndarray,
        base: np.ndarray,
    ) -> None:
        """Waves come to a barrier that have begun and waited for operations up to these numbers.

        `base` is where the LDS of each one's workgroup begins.
        """
        self._ended[group, slot] = ended
        is_late = begun > ended
        if is_late.any():
            self._late |= frozenset(base[is_late].tolist())

    def pass_barrier(self, groups: frozenset[int]) -> list[Access]:
        """All waves of workgroups have come: the accesses that are still under way."""
        late = groups & self._late
        self._late -= groups
        left = [one.left(late, self._ended) for one in self._begun] if late else []
        carried = [
            replace(one, access=access, groups=one.groups & late)
            for one, access in zip(self._begun, left, strict=False)
            if access is not None
        ]
        for one in self._begun:
            one.groups -= groups
        self._begun = [one for one in self._begun if one.groups] + carried
        return [one.access for one in carried]

    def _may_be_underway(self, one: _Begun) -> bool:
        return bool((one.number > self._last[one.group, one.slot] - _MOST_UNDERWAY).any())
