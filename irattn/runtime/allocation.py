"""Allocate the memory of a GPU's calls, keep it for later ones, and give it back.

A call allocates its results, and what lies between its kernels. That may take longer than the
kernels, so freed memory is kept for the next call, within bounds.
"""

from functools import cache
from typing import Any

# IREE 3.13.0's CUDA driver takes such memory from pools of CUDA's, which hand it to the system as
# soon as a stream is waited for, and that is after each call. There is no parameter that lets them
# keep it. Without these pools the driver asks the device's allocator, which is made to keep it.
_NO_POOLS = "--cuda_async_allocations={}"

# By kind of memory: buffers of any size; the most bytes that calls have and it keeps; the most
# buffers that it keeps, of which a queue of small calls leaves a hundred. Arrays are copied to the
# device and back through the host's. Memory that callers ask for themselves is not among it: see
# `Device`.
_KEEPING = (
    "caching:device_local=*;2gib;4096,host_local=*;512mib;16,host_local|host_cached=*;512mib;16"
)

# Freed memory is kept by its exact size. Of hip, which does this by itself, there is no bound; of
# cuda, new sizes find no place among many old ones. Where sizes change, all is given back at times.
MOST_SIZES, MOST_BYTES = 64, 1 << 30


def open_gpu(name: str) -> Any:
    """The first device of IREE's driver `cuda` or `hip`.

    RuntimeError or ValueError where there is none.
    """
    if name == "cuda":
        return _cuda_driver().create_default_device(allocators=[_KEEPING])
    from iree import runtime

    # The hip driver would free memory of an allocator around its own as what it is not.
    return runtime.get_device(name)


@cache
def _cuda_driver() -> Any:
    # The public function keeps one driver of a name for the process, which others may use: this
    # makes another. The runtime's version is pinned.
    from iree.runtime._binding import create_hal_driver
    from iree.runtime.flags import parse_flags

    # A driver reads its settings when it is created.
    parse_flags(_NO_POOLS.format("false"))
    try:
        return create_hal_driver("cuda")
    finally:
        parse_flags(_NO_POOLS.format("true"))


class KeptSizes:
    """The sizes of freed memory that an allocator may keep."""

    def __init__(self, allocator: Any) -> None:
        self._allocator = allocator
        self._sizes: set[int] = set()

    def add(self, num_bytes: int) -> None:
        """Know of a size that a call has allocated; where they become too many, give all back."""
        sizes = self._sizes
        if num_bytes in sizes:
            return
        sizes.add(num_bytes)
        if len(sizes) > MOST_SIZES or sum(sizes) > MOST_BYTES:
            # A call of another thread in between is only given less.
            self._sizes = {num_bytes}
            self._allocator.trim()
