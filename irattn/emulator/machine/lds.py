"""LDS: memory that the waves of a workgroup share."""

from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError
from irattn.emulator.machine.places import Places
from irattn.emulator.machine.races import Races
from irattn.emulator.machine.space import Space


class Lds(Space):
    """The LDS of all workgroups of a chunk, one after the other.

    `granule` is the size of the smallest store, by which races are looked for.
    """

    def __init__(self, size: int, groups: int, granule: int, *, checks: bool) -> None:
        self.per_group = size
        self.stride = size + -size % 16
        super().__init__("LDS", self.stride * groups, checks=checks)
        self.races = Races(self.stride * groups // granule if checks else 0, granule)

    def places(self, address: np.ndarray, group: np.ndarray, active: Any) -> Places:
        """Where LDS addresses, uint32 [waves, lanes], of workgroups lie here."""
        if active is not True:
            address = np.where(active, address, np.uint32(0))
        least, most = int(address.min(initial=self.per_group)), int(address.max(initial=0))
        low = int(np.bitwise_or.reduce(address, axis=None)) & 15
        base = (group * self.stride)[:, None]
        return Places(base, address + base, least, most, low)

    def pass_barrier(self, group: np.ndarray) -> None:
        """All waves of these workgroups have come to a barrier."""
        self.races.forget_of(frozenset((group * self.stride).tolist()))

    def moved(self, places: Places, offset: int, group: np.ndarray, active: Any) -> Places:
        """Addresses with an offset added: the sum wraps at 32 bits."""
        address = places.address.astype(np.uint32) + np.uint32(offset)
        return self.places(address, group, active)

    def check(self, places: Places, offset: int, size: int, active: Any) -> None:
        """FaultError where an access leaves LDS or is not aligned."""
        if places.most + offset + size > self.per_group:
            at = places.address + offset
            wrong = (at + size > self.per_group) & active
            if wrong.any():
                first = int(at[wrong].max())
                raise FaultError(
                    f"access of {size} bytes outside LDS, at byte {first:#x} of "
                    f"{self.per_group:#x}",
                    wrong,
                )
        alignment = min(size, 4)
        if (places.low | offset) & (alignment - 1):
            wrong = ((places.address + offset) & (alignment - 1) != 0) & active
            if wrong.any():
                raise FaultError(f"misaligned access of {size} bytes in LDS", wrong)
