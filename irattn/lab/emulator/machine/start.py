"""Sets the registers of waves as the hardware starts them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.families import Family
from irattn.lab.emulator.machine.descriptor import Descriptor
from irattn.lab.emulator.machine.waves import EXEC, TTMP, Waves

Triple = tuple[int, int, int]

# A buffer resource whose base, 0, stands for scratch: swizzled, and with the lane's number added.
SCRATCH_BUFFER = (0, 1 << 31, 0xFFFFFFFF, 1 << 23)


@dataclass(frozen=True)
class Start:
    """How the waves of a launch start: `grid` counts workgroups of `block` work-items.

    `kernarg` is the address of the kernel's arguments.
    """

    descriptor: Descriptor
    family: Family
    grid: Triple
    block: Triple
    kernarg: int

    def set_registers(self, waves: Waves, number: np.ndarray) -> None:
        """Set the registers of waves whose workgroups have these numbers in the grid."""
        waves.denormals = self.descriptor.denormals
        item = waves.slot[:, None] * waves.lanes + np.arange(waves.lanes)
        waves.v[0] = self._item_ids(item)
        waves.written.note(frozenset((0,)), True)
        self._set_scalars(waves, number)
        here = item < math.prod(self.block)
        waves.s[EXEC : EXEC + waves.lanes // 32] = (
            np.packbits(here, axis=1, bitorder="little").view(np.uint32).T
        )
        waves.set_exec()

    def _item_ids(self, item: np.ndarray) -> np.ndarray:
        """The place of work-items in their workgroup: x, with y and z where they are wanted."""
        x, y, _ = self.block
        ids = (item % x).astype(np.uint32)
        if self.descriptor.has_item_y:
            ids |= (item // x % y << 10).astype(np.uint32)
        if self.descriptor.has_item_z:
            ids |= (item // (x * y) << 20).astype(np.uint32)
        return ids

    def _set_scalars(self, waves: Waves, number: np.ndarray) -> None:
        given, kernarg = self.descriptor, self.kernarg
        if given.has_scratch_buffer:
            _give(waves, 0, SCRATCH_BUFFER)
        if given.kernarg_sgpr is not None:
            _give(waves, given.kernarg_sgpr, (kernarg & 0xFFFFFFFF, kernarg >> 32))
        if given.preloaded:
            start = kernarg + 4 * given.preloaded.start
            words = waves.around.memory.get(start, 4 * len(given.preloaded)).view(np.uint32)
            _give(waves, given.user_sgprs - len(words), words)
        x, y, _ = self.grid
        ids = (number % x, number // x % y, number // (x * y))
        if self.family.ids_in_trap_registers:
            set_trap_registers(waves, ids, given.workgroup_ids)
            return
        values = [v for enabled, v in zip(given.workgroup_ids, ids, strict=True) if enabled]
        if self.family.scratch_by_buffer and given.scratch_offset:
            values.append(np.zeros_like(number))
        _give(waves, given.user_sgprs, values)


def _give(waves: Waves, register: int, values: Iterable[Any]) -> None:
    """Put values into scalar registers from one on."""
    for i, value in enumerate(values, register):
        waves.s[i] = value
        waves.written.scalar.add(i)


def set_trap_registers(
    waves: Waves, ids: tuple[np.ndarray, ...], enabled: tuple[bool, bool, bool]
) -> None:
    """Where RDNA4 puts a workgroup's place: x in TTMP9, y and z as halves of TTMP7.

    TTMP8 has the number of the wave in its workgroup in bits 25 to 29, as LLVM reads it for
    `llvm.amdgcn.wave.id` (`SITargetLowering::lowerWaveID`); its other bits nobody knows.
    """
    x, y, z = (place * is_enabled for place, is_enabled in zip(ids, enabled, strict=True))
    waves.s[TTMP + 9] = x
    waves.s[TTMP + 7] = y | z << 16
    waves.s[TTMP + 8] = waves.slot.astype(np.uint32) << np.uint32(25)
    waves.written.bits[TTMP + 8] = np.full(waves.count, 31 << 25, np.uint32)
    if enabled[0]:
        waves.written.scalar.add(TTMP + 9)
    if enabled[1] or enabled[2]:
        waves.written.scalar.add(TTMP + 7)
