"""16-bit floats, and denormal numbers that count as zeros."""

from typing import Any

import numpy as np

from irattn.lab.emulator.isa.kinds import BF16, F16, F32, Kind

# All f16 numbers as f32: looking them up takes half the time of NumPy's conversion.
_F16 = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def widened(bits: np.ndarray, kind: Kind) -> np.ndarray:
    """f16 or bf16, given as uint16, as f32."""
    if kind == F16:
        return _F16.take(bits, mode="clip")
    return (bits.astype(np.uint32, order="C") << np.uint32(16)).view(np.float32)


# The smallest normal numbers.
_TINIEST = {F16: 2.0**-14, BF16: 2.0**-126, F32: 2.0**-126}


def flushed(values: Any, kind: Kind = F32) -> Any:
    """f32 that stand for numbers of a kind, its denormal ones as zeros of their sign."""
    values = np.asarray(values)
    is_denormal = np.abs(values) < np.float32(_TINIEST[kind])
    return np.where(is_denormal, np.copysign(np.float32(0), values), values)


def narrowed(values: np.ndarray, kind: Kind) -> np.ndarray:
    """f32 rounded to f16 or bf16, as uint16."""
    if kind == F16:
        return values.astype(np.float16).view(np.uint16)
    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)
