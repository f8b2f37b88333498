"""The bits of 2 / pi that sines of large f64 take."""

from functools import cache
from typing import Any

import numpy as np

# The bits of 2 / pi that there are, and how many of them an instruction gives.
_BITS, _GIVEN = 1201, 53


@cache
def _two_by_pi() -> int:
    """2 / pi * 2**1201, cut off: pi is by J. Machin, 4 (4 atan(1/5) - atan(1/239))."""
    places = 2 * _BITS
    one = 1 << places
    return (2 << places + _BITS) // (4 * (4 * _arc_tangent(5, one) - _arc_tangent(239, one)))


def _arc_tangent(inverse: int, one: int) -> int:
    """The arc tangent of 1 / inverse, in units of 1 / one."""
    term = total = one // inverse
    for number in range(3, 4 * _BITS, 2):
        term //= inverse * inverse
        total += -term // number if number % 4 == 3 else term // number
    return total


def _part(number: float, segment: int) -> float:
    exponent = int(np.float64(number).view(np.uint64)) >> 52 & 0x7FF
    shift = (segment & 31) * _GIVEN + max(exponent - 1077, 0)
    whole = (_two_by_pi() << shift) >> _BITS - _GIVEN & (1 << _GIVEN) - 1
    return float(np.ldexp(float(whole), -_GIVEN - shift + 128 * (exponent >= 1968)))


def trig_preop(numbers: Any, segments: Any) -> Any:
    """V_TRIG_PREOP_F64: 53 bits of 2 / pi, of a segment, as far on as the number is large."""
    return np.frompyfunc(_part, 2, 1)(numbers, segments).astype(np.float64)
