"""Products and sums in one instruction: most of them are rounded once."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.floats import flushed

_F64 = np.float64
_LEAST_NORMAL = np.float32(2.0**-126)
# A sum in f64, without the 35 bits before, that lies in the middle between two f32.
_MIDDLE = np.iinfo(np.int64).min


def fma(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for f32, rounded once: in float64 the product is exact."""
    product = np.multiply(a, b, dtype=_F64)
    total = np.asarray(np.add(product, c))
    # A sum that has become the middle between two f32 must not forget on which side it was.
    doubtful = total.view(np.int64) << 35 == _MIDDLE
    doubtful |= (np.abs(total) < _LEAST_NORMAL) & (total != 0)
    if doubtful.any():
        some = (np.broadcast_to(x, total.shape)[doubtful] for x in (product, c))
        total[doubtful] = to_odd(total[doubtful], *some)
    return total.astype(np.float32)


def to_odd(total: Any, a: Any, b: Any) -> Any:
    """A sum of two f64 that are rounded to an odd last bit, so that f32 round it as the exact one.

    S. Boldo, G. Melquiond: Emulation of FMA and correctly rounded sums (2008).
    """
    second = total - a
    error = (a - (total - second)) + (b - second)
    bits = total.view(np.int64)
    is_off = (np.abs(error) > 0) & (bits & 1 == 0)
    return (bits + np.where((error > 0) == (total > 0), is_off, -is_off.astype(int))).view(_F64)


def fma64(a: Any, b: Any, c: Any, power: Any = 0) -> Any:
    """(a * b + c) * 2**power for f64, rounded once."""
    return np.frompyfunc(_fma64, 4, 1)(a, b, c, power).astype(_F64)


def _fma64(a: float, b: float, c: float, power: int) -> float:
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    exact = (Fraction(a) * Fraction(b) + Fraction(c)) * Fraction(2) ** power
    try:
        return float(exact) if exact else a * b + c
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def fma16(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for f16: exact in float64, then rounded once."""
    return (np.multiply(a, b, dtype=_F64) + c).astype(np.float16)


def mad(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for f32, rounded twice; denormal numbers count as zero (CDNA2)."""
    return flushed(flushed(flushed(a) * flushed(b)) + flushed(c))
