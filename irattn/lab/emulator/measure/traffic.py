"""Counts what loads and stores cost: cache lines, distinct memory, LDS bank conflicts.

Estimates: a cache line has 64 bytes on every target here, and a bank of LDS gives one word of four
bytes in a cycle; words that several lanes share are read once. What a compute unit's cache gives in
a cycle is in the record of the chip's family.
"""

from typing import Any

import numpy as np

from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.measure.banks import phases
from irattn.targets.chips import dies_of

# After so many more, each line that is noted is kept but once for a workgroup.
_MOST_ASKED = 1 << 23
_LINE = 6


class Traffic:
    """Counts for one launch of so many workgroups on a gfx.

    By workgroup, [workgroups] by the number in the grid: `cache_cycles_of` are those of the caches
    of compute units, `lds_cycles_of` those of LDS, `lines_of` how many lines of memory it accessed.
    `lds_phases` are the cycles that LDS would take without bank conflicts. Workgroup n runs on die
    n mod `dies`.
    """

    def __init__(self, memory_bytes: int, gfx: str, workgroups: int = 1) -> None:
        self._chips = family(gfx).chips
        self.dies = dies_of(gfx)
        self.cache_lines = 0
        self.lds_phases = 0
        self.cache_cycles_of, self.lds_cycles_of, self.lines_of = np.zeros(
            (3, workgroups), np.int64
        )
        self._numbers = np.arange(workgroups)
        self._touched = np.zeros((self.dies, (memory_bytes >> _LINE) + 2), bool)
        self._asked: list[np.ndarray] = []
        self._waiting = 0

    @property
    def cache_cycles(self) -> int:
        """The cycles of the caches of all compute units."""
        return int(self.cache_cycles_of.sum())

    @property
    def lds_cycles(self) -> int:
        """The cycles of the LDS of all compute units."""
        return int(self.lds_cycles_of.sum())

    @property
    def touched_bytes(self) -> int:
        """Memory in whole lines that any lane accessed."""
        self._settle()
        return int(self._touched.any(axis=0).sum()) << _LINE

    @property
    def touched_by_die(self) -> np.ndarray:
        """Memory in whole lines that any lane of a die accessed: int64 [dies]."""
        self._settle()
        return np.asarray(self._touched.sum(axis=1) << _LINE)

    @property
    def asked_by_die(self) -> np.ndarray:
        """Memory in whole lines that workgroups accessed, summed for each die: int64 [dies]."""
        self._settle()
        die = np.arange(len(self.lines_of)) % self.dies
        return np.bincount(die, self.lines_of, self.dies).astype(np.int64) << _LINE

    def begin(self, numbers: np.ndarray) -> None:
        """Count for the workgroups of these numbers in the grid from now on."""
        self._settle()
        self._numbers = numbers

    def note_global(self, at: np.ndarray, size: int, active: Any, group: np.ndarray) -> None:
        """An access to global memory: the lines that each wave asks for."""
        lines = np.stack([at >> _LINE, (at + size - 1) >> _LINE], axis=-1).reshape(len(at), -1)
        if active is not True:
            mask = np.repeat(np.broadcast_to(active, at.shape), 2, axis=1)
            lines = np.where(mask, lines, -1)
        lines = np.sort(lines, axis=1)
        distinct = _firsts(lines) & (lines >= 0)
        self.cache_lines += int(distinct.sum())
        given = lines // (self._chips.cache_bytes >> _LINE)
        cycles = (_firsts(given) & (lines >= 0)).sum(axis=1)
        np.add.at(self.cache_cycles_of, self._numbers[group], cycles)
        keys = lines + group[:, None] * self._touched.shape[1]
        self._ask(keys[distinct])

    def note_lds(
        self, at: np.ndarray, size: int, active: Any, group: np.ndarray, *, is_load: bool
    ) -> None:
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
        cycles = np.maximum(load.max(axis=1), 1).reshape(len(at), -1).sum(axis=1)
        np.add.at(self.lds_cycles_of, self._numbers[group], cycles)
        self.lds_phases += len(passes)

    def _ask(self, keys: np.ndarray) -> None:
        """Note lines, as numbers that tell those of one workgroup from another's."""
        self._asked.append(keys)
        self._waiting += len(keys)
        if self._waiting > _MOST_ASKED:
            self._asked = [np.unique(np.concatenate(self._asked))]
            self._waiting = 0

    def _settle(self) -> None:
        """Count the lines that the workgroups of now have asked for, each once for each of them."""
        if not self._asked:
            return
        group, line = np.divmod(np.unique(np.concatenate(self._asked)), self._touched.shape[1])
        number = self._numbers[group]
        np.add.at(self.lines_of, number, 1)
        self._touched[number % self.dies, line] = True
        self._asked, self._waiting = [], 0


def _firsts(rows: np.ndarray) -> np.ndarray:
    """Where a number differs from the one before it in its row."""
    firsts = np.ones(rows.shape, bool)
    firsts[:, 1:] = rows[:, 1:] != rows[:, :-1]
    return firsts
