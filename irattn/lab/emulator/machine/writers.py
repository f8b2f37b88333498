"""Notices where workgroups of a launch write different numbers to one place of global memory.

Workgroups run in any order, at the same time: which number stays is chance. What only one order
shows would pass unseen in all others.
"""

from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError

# Places are noted in units of so many bytes; stores of single bytes are not noted.
_UNIT = 2


class Writers:
    """Which workgroup of a launch wrote each unit of global memory last."""

    def __init__(self, contents: np.ndarray) -> None:
        """`contents` are the units of the memory, uint16, as they are at any time."""
        self._contents = contents
        # Workgroups by number, from 1 on; pages that nobody touches take no memory.
        self._last = np.zeros(contents.size, np.uint32)
        self._orders = False

    def order(self) -> None:
        """Atomics may order workgroups: nothing is a race any more."""
        self._orders = True

    def note(self, at: np.ndarray, values: np.ndarray, groups: np.ndarray, active: Any) -> None:
        """Look at a store before it is done: FaultError where workgroups meet and differ.

        `at` are offsets in bytes, int64 [waves, lanes], `values` what is stored there, uint16
        [units, waves, lanes], `groups` the workgroups' places in the grid [waves], `active` the
        lanes that take part.
        """
        if self._orders or (at & (_UNIT - 1)).any():
            return
        index = (at >> 1) + np.arange(len(values))[:, None, None]
        mine = np.broadcast_to((groups + 1).astype(np.uint32)[:, None], index.shape)
        taking = np.broadcast_to(active, index.shape)
        index, mine, values = index[taking], mine[taking], values[taking]
        if index.size == 0 or index.min() < 0 or index.max() >= self._last.size:
            # Of no memory: the store itself says so.
            return
        last = self._last[index]
        clash = (last != 0) & (last != mine) & (self._contents[index] != values)
        self._last[index] = mine
        if (self._last[index] != mine).any():
            clash |= _clash_at_once(index, mine, values)
        if clash.any():
            lanes = np.zeros(taking.shape, bool)
            lanes[taking] = clash
            why = "race in global memory: workgroups write different numbers to one place"
            raise FaultError(why, np.asarray(lanes.any(axis=0)))


def _clash_at_once(index: np.ndarray, mine: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Where two workgroups of one store differ."""
    order = np.argsort(index, kind="stable")
    same = index[order][1:] == index[order][:-1]
    others = (mine[order][1:] != mine[order][:-1]) & (values[order][1:] != values[order][:-1])
    clash = np.zeros(index.size, bool)
    clash[order[1:][same & others]] = True
    return clash
