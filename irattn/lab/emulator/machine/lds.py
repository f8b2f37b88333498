"""LDS: memory that the waves of a workgroup share."""

from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.direct_loads import DirectLoads
from irattn.lab.emulator.machine.places import Places
from irattn.lab.emulator.machine.races import Races
from irattn.lab.emulator.machine.space import Space
from irattn.lab.emulator.machine.unfinished import Unfinished

# Bytes of the widest load.
_WIDEST = 16


class Lds(Space):
    """The LDS of all workgroups of a chunk, one after the other.

    `granule` is the size of the smallest store, by which races are looked for. Loads and stores may
    lie anywhere: ROCm sets SH_MEM_CONFIG.alignment_mode to "unaligned" on all that are executed
    here (Linux, `kfd_device_queue_manager_v9.c` to `v12.c`), with which "any DS_LOAD or DS_STORE of
    any size can be byte aligned" (guides of RDNA3, 3.3.4, and RDNA4, 3.3.5.1; for GFX9 on LLVM's
    `FeatureUnalignedDSAccess`). Atomics may not.
    """

    alignment = 1
    keeps_unwritten = True

    def __init__(self, size: int, groups: int, granule: int, *, checks: bool) -> None:
        self.per_group = size
        # Room for the end of a load that begins in it.
        self.stride = size + _WIDEST - size % _WIDEST
        super().__init__("LDS", self.stride * groups, checks=checks)
        self.direct_loads = DirectLoads(self.stride * groups)
        granules = self.stride * groups // granule if checks else 0
        self.races = Races(granules, granule, self.units)
        self.unfinished = Unfinished(groups)

    def places(self, address: np.ndarray, group: np.ndarray, active: Any) -> Places:
        """Where LDS addresses, uint32 [waves, lanes], of workgroups lie here."""
        if active is not True:
            address = np.where(active, address, np.uint32(0))
        least, most = int(address.min(initial=self.per_group)), int(address.max(initial=0))
        low = int(np.bitwise_or.reduce(address, axis=None)) & 15
        base = (group * self.stride)[:, None]
        return Places(base, address + base, least, most, low)

    def come_to_barrier(
        self, group: np.ndarray, slot: np.ndarray, begun: np.ndarray, ended: np.ndarray
    ) -> None:
        """Note that waves come to a barrier that have begun and waited for so many operations."""
        self.unfinished.come(group, slot, begun, ended, group * self.stride)

    def pass_barrier(self, group: np.ndarray) -> None:
        """Note that all waves of these workgroups have come to a barrier."""
        bases = frozenset((group * self.stride).tolist())
        underway = self.unfinished.pass_barrier(bases)
        self.races.forget_of(bases)
        for access in underway:
            self.races.renew(access)

    def moved(self, places: Places, offset: int, group: np.ndarray, active: Any) -> Places:
        """Addresses with an offset added: the sum wraps at 32 bits."""
        address = places.address.astype(np.uint32) + np.uint32(offset)
        return self.places(address, group, active)

    def check(self, places: Places, offset: int, size: int, active: Any, *, is_load: bool) -> None:
        """FaultError where an access leaves LDS.

        Vectors may be loaded that end beyond it: hardware gives LDS in blocks, and zeros after
        them. Here these bytes are such as nobody wrote.
        """
        needed = 1 if is_load else size
        if places.most + offset + needed > self.per_group:
            at = places.address + offset
            wrong = (at + needed > self.per_group) & active
            if wrong.any():
                first = int(at[wrong].max())
                raise FaultError(
                    f"access of {size} bytes outside LDS, at byte {first:#x} of "
                    f"{self.per_group:#x}",
                    wrong,
                )
