"""Large pages for the host's memory: cores look up fewer places."""

import ctypes
import mmap
from collections.abc import Callable
from functools import cache

import numpy as np

# Decode over 16,384 keys in f32 takes 0.76 of the time on two Zen 4 cores: a plain loop reads its
# keys and values at 34 GB/s in pages of 2 MB, at 25 in pages of 4 KB. Of smaller memory little
# would lie in whole large pages; NumPy begins at the same size.
LARGE_BYTES = 4 << 20


def ask_for_large_pages(memory: np.ndarray) -> None:
    """Ask the system to put memory that nothing was written to yet into large pages.

    It may refuse: the memory is then as it was.
    """
    madvise = _madvise()
    if madvise is None:
        return
    start = memory.ctypes.data
    end = start + memory.nbytes
    # Of whole pages alone.
    first, last = -(-start // mmap.PAGESIZE), end // mmap.PAGESIZE
    madvise(first * mmap.PAGESIZE, (last - first) * mmap.PAGESIZE, mmap.MADV_HUGEPAGE)


@cache
def _madvise() -> Callable[[int, int, int], int] | None:
    """Linux's; None on systems that have none, or no large pages."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return None
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return madvise
