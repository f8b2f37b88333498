"""Scratch: memory that every lane has for itself, for what its registers have no room for."""

from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.space import WRITTEN, Space


class Scratch(Space):
    """Scratch of all lanes of a chunk, each lane's in one piece.

    What nobody wrote may lie in it, as in registers. Loads and stores may lie anywhere, as ROCm
    sets the hardware up (LLVM's `FeatureUnalignedScratchAccess`, from GFX9 on).
    """

    alignment = 1
    keeps_unwritten = True

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

    def forget(self, at: np.ndarray, size: int, unwritten: np.ndarray, active: Any) -> None:
        """Let bytes count as not written that have such a bit: uint32 [words, waves, lanes]."""
        for byte in range(size):
            bits = unwritten[byte // 4] >> np.uint32(8 * (byte % 4)) & np.uint32(0xFF)
            lanes = (bits != 0) & active
            self.known[1][(at + byte)[lanes]] &= ~np.uint8(WRITTEN)
