"""How LDS serves a wave: its banks, and which lanes it serves in the same cycle.

That a phase takes its cycle whether lanes take part in it or not is in the counters of tinygrad's
traces: `tools/calibrate.py`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from irattn.targets.families import LdsBanks

# MI350X has twice the banks, and loads of one word go at once; stores go by 32 lanes all the same.
_STORING_LANES = 32


@dataclass(frozen=True)
class Phases:
    """The lanes that are served in each phase, [phases, lanes], by a number of banks."""

    lanes: np.ndarray
    banks: int


@cache
def phases(lds: LdsBanks, wave_size: int, words: int, *, is_load: bool) -> Phases:
    """The phases of an access of so many words a lane. Three go as many at a time as four do."""
    together = lds.banks >> (words - 1).bit_length()
    if not is_load:
        together = min(together, _STORING_LANES)
    every = np.arange(wave_size)
    quads = [quad for row in lds.load_quads for quad in row]
    if words == 4 and is_load and wave_size == 4 * len(quads):
        every = every.reshape(-1, 4)[quads].reshape(-1)
    return Phases(every.reshape(-1, min(together, wave_size)), lds.banks)
