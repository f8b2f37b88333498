"""Counts what loads and stores cost: cache lines, distinct memory, LDS bank conflicts.

Estimates: a cache line has 64 bytes on every target here, and a bank of LDS gives one word of four
bytes in a cycle; words that several lanes share are read once. What a compute unit's cache gives in
a cycle is in the record of the chip's family.
"""

from typing import Any

import numpy as np

from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.measure.banks import phases

_LINE = 6


class Traffic:
    """Counts for one launch on a gfx. Offsets are int64 [waves, lanes]; `active` as in `Waves`.

    `cache_cycles` are those of the caches of compute units; `lds_phases` the cycles that LDS would
    take without bank conflicts.
    """

    def __init__(self, memory_bytes: int, gfx: str) -> None:
        self._chips = family(gfx).chips
        self.cache_lines = 0
        self.cache_cycles = 0
        self.lds_cycles = 0
        self.lds_phases = 0
        self._touched = np.zeros((memory_bytes >> _LINE) + 2, bool)

    @property
    def touched_bytes(self) -> int:
        """Memory in whole lines that any lane accessed."""
        return int(self._touched.sum()) << _LINE

    def note_global(self, at: np.ndarray, size: int, active: Any) -> None:
        """An access to global memory: the lines that each wave asks for."""
        lines = np.stack([at >> _LINE, (at + size - 1) >> _LINE], axis=-1).reshape(len(at), -1)
        if active is not True:
            mask = np.repeat(np.broadcast_to(active, at.shape), 2, axis=1)
            lines = np.where(mask, lines, -1)
        lines = np.sort(lines, axis=1)
        distinct = _firsts(lines) & (lines >= 0)
        self.cache_lines += int(distinct.sum())
        given = lines // (self._chips.cache_bytes >> _LINE)
        self.cache_cycles += int((_firsts(given) & (lines >= 0)).sum())
        self._touched[lines[distinct]] = True

    def note_lds(self, at: np.ndarray, size: int, active: Any, *, is_load: bool) -> None:
        """An access to LDS: phase after phase, each as long as the bank takes that most different
        words lie in, and a cycle where no lane takes part.
        """
        first = at & 3
        # One more where a word lies across two.
        most = (int(first.max(initial=0)) + size + 3) // 4
        word = np.arange(most)
        index = np.where(4 * word < first[..., None] + size, (at >> 2)[..., None] + word, -1)
        if active is not True:
            index = np.where(np.broadcast_to(active, at.shape)[..., None], index, -1)
        served = phases(self._chips.lds_banks, at.shape[1], max(1, size // 4), is_load=is_load)
        passes = index[:, served.lanes].reshape(-1, served.lanes.shape[1] * most)
        passes = np.sort(passes, axis=1)
        row, column = np.nonzero(_firsts(passes) & (passes >= 0))
        load = np.zeros((len(passes), served.banks), np.int64)
        np.add.at(load, (row, passes[row, column] % served.banks), 1)
        self.lds_cycles += int(np.maximum(load.max(axis=1), 1).sum())
        self.lds_phases += len(passes)


def _firsts(rows: np.ndarray) -> np.ndarray:
    """Where a number differs from the one before it in its row."""
    firsts = np.ones(rows.shape, bool)
    firsts[:, 1:] = rows[:, 1:] != rows[:, :-1]
    return firsts
