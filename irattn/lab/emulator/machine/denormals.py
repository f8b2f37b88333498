"""Treats denormal f32 numbers as the wave's mode wants it, by the switch of this processor.

The emulator computes with the f32 arithmetic of the CPU that it runs on. CPUs have the same switch
as the GPU: denormal sources count as zero, denormal results become zero. It belongs to the thread.
"""

import ctypes
import ctypes.util
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from irattn.core.errors import EmulatorError

# Where the control word lies in `fenv_t`, and its bits: (words, word, bits).
_CONTROL = {"x86_64": (8, 7, 0x8040), "AMD64": (8, 7, 0x8040), "aarch64": (2, 0, 1 << 24)}
FLUSH, KEEP = 0, 3


@cache
def _library() -> Any:
    name = ctypes.util.find_library("m")
    if name is None or platform.machine() not in _CONTROL:
        raise EmulatorError(
            f"this kernel flushes denormal numbers, which irattn does not know how to have this "
            f"processor do ({platform.machine()})"
        )
    return ctypes.CDLL(name)


def set_denormals(mode: int) -> None:
    """Compute as a wave whose f32 denormal mode is FLUSH or KEEP."""
    words, word, bits = _CONTROL.get(platform.machine(), (0, 0, 0))
    if mode == KEEP and not words:
        return
    library = _library()
    environment = (ctypes.c_uint32 * max(words, 16))()
    library.fegetenv(environment)
    environment[word] = environment[word] | bits if mode == FLUSH else environment[word] & ~bits
    library.fesetenv(environment)


@contextmanager
def usual_denormals() -> Iterator[None]:
    """Leave the mode as NumPy expects it, whatever happens within."""
    try:
        yield
    finally:
        set_denormals(KEEP)
