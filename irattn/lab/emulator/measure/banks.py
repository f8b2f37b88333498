"""How LDS serves a wave: its banks, and which lanes it serves in the same cycle.

Phases of loads were measured on MI300X, MI350X, W7900 and RX 9070 XT (`docs/empirical-lds` of
nod-ai/amd-shark-ai); other chips count as their nearest kin. That a phase takes its cycle whether
lanes take part in it or not is in the counters of tinygrad's traces: `tools/calibrate.py`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

# By which groups of four lanes loads of four words go, one row a phase.
_QUADS = {
    "gfx11": ((0, 5), (1, 4), (2, 7), (3, 6)),
    "gfx950": ((0, 3, 5, 6), (8, 11, 13, 14), (1, 2, 4, 7), (9, 10, 12, 15)),
    "gfx9": ((0, 5), (8, 13), (1, 4), (9, 12), (2, 7), (10, 15), (3, 6), (11, 14)),
}
# MI350X has twice the banks, and loads of one word go at once; stores go by 32 lanes all the same.
_MANY_BANKS = "gfx950"
_STORING_LANES = 32


@dataclass(frozen=True)
class Phases:
    """The lanes that are served in each phase, [phases, lanes], by a number of banks."""

    lanes: np.ndarray
    banks: int


@cache
def phases(gfx: str, wave_size: int, words: int, *, is_load: bool) -> Phases:
    """The phases of an access of so many words a lane. Three go as many at a time as four do."""
    banks = 64 if gfx == _MANY_BANKS else 32
    together = banks >> (words - 1).bit_length()
    if not is_load:
        together = min(together, _STORING_LANES)
    every = np.arange(wave_size)
    quads = next((rows for prefix, rows in _QUADS.items() if gfx.startswith(prefix)), None)
    if words == 4 and is_load and quads is not None and wave_size == 4 * sum(map(len, quads)):
        every = every.reshape(-1, 4)[[quad for row in quads for quad in row]].reshape(-1)
    return Phases(every.reshape(-1, min(together, wave_size)), banks)
