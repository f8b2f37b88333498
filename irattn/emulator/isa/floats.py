"""Denormal f32 numbers as the wave's mode wants them, by the mode of this processor; 16-bit floats.

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

import numpy as np

from irattn.errors import EmulatorError

# Where the control word lies in `fenv_t`, and its bits: (words, word, bits).
_CONTROL = {"x86_64": (8, 7, 0x8040), "AMD64": (8, 7, 0x8040), "aarch64": (2, 0, 1 << 24)}
FLUSH, KEEP = 0, 3

# All f16 numbers as f32: looking them up takes half the time of NumPy's conversion.
_F16 = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


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


def widened(bits: np.ndarray, kind: str) -> np.ndarray:
    """f16 or bf16, given as uint16, as f32."""
    if kind == "f16":
        return _F16.take(bits, mode="clip")
    return (bits.astype(np.uint32, order="C") << np.uint32(16)).view(np.float32)


# The smallest normal numbers.
_TINIEST = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126}


def flushed(values: Any, kind: str = "f32") -> Any:
    """f32 that stand for numbers of a kind, its denormal ones as zeros of their sign."""
    values = np.asarray(values)
    is_denormal = np.abs(values) < np.float32(_TINIEST[kind])
    return np.where(is_denormal, np.copysign(np.float32(0), values), values)


def narrowed(values: np.ndarray, kind: str) -> np.ndarray:
    """f32 rounded to f16 or bf16, as uint16."""
    if kind == "f16":
        return values.astype(np.float16).view(np.uint16)
    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)
