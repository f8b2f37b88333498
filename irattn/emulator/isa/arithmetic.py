"""Arithmetic that NumPy has no function for.

The meanings are those of AMD's "RDNA3" and "CDNA3 Instruction Set Architecture" guides.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator.isa.floats import narrowed
from irattn.emulator.isa.fused import fma
from irattn.emulator.isa.kinds import BF16

F64 = np.float64
_LEAST_NORMAL = np.float32(2.0**-126)


def through_f64(function: Callable[[Any], Any], dtype: Any) -> Callable[[Any], Any]:
    return lambda a: function(np.asarray(a, F64)).astype(dtype)


def of_revolutions(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Sine and cosine take revolutions; whole ones make no difference."""
    return lambda a: function(np.fmod(a, 1.0) * (2 * np.pi))


def to_integer(least: int, most: int, dtype: Any) -> Callable[[Any], Any]:
    """Towards zero, kept in range; NaN gives 0."""

    def convert(a: Any) -> Any:
        value = np.trunc(np.asarray(a, F64))
        value = np.where(np.isnan(value), 0, np.clip(value, least, most))
        return value.astype(np.int64).astype(dtype)

    return convert


def _exponent(a: Any) -> Any:
    return (a.view(np.uint32) >> 23 & 0xFF).astype(np.int32)


def _is_denormal(a: Any) -> Any:
    bits = a.view(np.uint32)
    return (bits & 0x7F800000 == 0) & (bits & 0x7FFFFF != 0)


def _divides_safely(n: Any, d: Any) -> bool:
    """Whether all quotients are far from what needs scaling, as they mostly are."""
    up, down = _exponent(n), _exponent(d)
    is_usual = up.min() > 23 and down.min() > 0 and down.max() < 253
    return bool(is_usual and np.abs(up - down).max() < 96)


def div_scale(a: Any, denominator: Any, numerator: Any) -> tuple[Any, Any]:
    """V_DIV_SCALE_F32: the source `a` scaled so that a division is safe, and what was scaled."""
    a, d, n = np.broadcast_arrays(a, denominator, numerator)
    a, d, n = (np.ascontiguousarray(x) for x in (a, d, n))
    if _divides_safely(n, d):
        return a, np.zeros(a.shape, bool)
    up, down = np.ldexp(a, 64), np.ldexp(a, -64)
    quotient = n.astype(F64) / d.astype(F64)
    tiny = (np.abs(quotient) < 2.0**-126) & (quotient != 0)
    tiny_inverse = np.abs(1.0 / d.astype(F64)) < 2.0**-126
    is_d, is_n = a == d, a == n
    cases = (
        ((n == 0) | (d == 0), np.float32(np.nan), False),
        (_exponent(n) - _exponent(d) >= 96, np.where(is_d, up, a), True),
        (_is_denormal(d), up, False),
        (tiny_inverse & tiny, np.where(is_d, up, a), True),
        (tiny_inverse, down, False),
        (tiny, np.where(is_n, up, a), True),
        (_exponent(n) <= 23, up, False),
    )
    conditions = [case[0] for case in cases]
    value = np.select(conditions, [case[1] for case in cases], a)
    return value, np.select(conditions, [case[2] for case in cases], False)


def div_fmas(a: Any, b: Any, c: Any, scaled: Any) -> Any:
    """V_DIV_FMAS_F32. The guide says 2**32; what undoes V_DIV_SCALE's scaling is 2**±64."""
    value = fma(a, b, c)
    if not scaled.any():
        return value
    factor = np.where(_exponent(np.ascontiguousarray(c)) > 127, 64, -64)
    return np.where(scaled, np.ldexp(value, factor), value)


def div_fixup(quotient: Any, denominator: Any, numerator: Any) -> Any:
    """V_DIV_FIXUP_F32: a quotient, made right where the operands are special."""
    q, d, n = np.broadcast_arrays(quotient, denominator, numerator)
    q, d, n = (np.ascontiguousarray(x) for x in (q, d, n))
    sign = np.where(np.signbit(d) ^ np.signbit(n), np.float32(-1), np.float32(1))
    infinite_d, infinite_n = np.isinf(d), np.isinf(n)
    exponents = _exponent(n) - _exponent(d)
    with np.errstate(all="ignore"):
        conditions = [
            np.isnan(n),
            np.isnan(d),
            (d == 0) & (n == 0),
            infinite_d & infinite_n,
            (d == 0) | infinite_n,
            infinite_d | (n == 0),
            exponents < -150,
        ]
        nan = np.float32(np.nan)
        choices: list[Any] = [n, d, nan, nan, sign * np.float32(np.inf), sign * 0, sign * 0]
        return np.asarray(np.select(conditions, choices, sign * np.abs(q)), np.float32)


_CLASSES: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, bits: np.isnan(a) & (bits & 0x400000 == 0),
    lambda a, bits: np.isnan(a) & (bits & 0x400000 != 0),
    lambda a, bits: a == -np.inf,
    lambda a, bits: np.isfinite(a) & np.signbit(a) & (bits & 0x7F800000 != 0),
    lambda a, bits: np.signbit(a) & _is_denormal(a),
    lambda a, bits: bits == 0x80000000,
    lambda a, bits: bits == 0,
    lambda a, bits: ~np.signbit(a) & _is_denormal(a),
    lambda a, bits: np.isfinite(a) & ~np.signbit(a) & (bits & 0x7F800000 != 0),
    lambda a, bits: a == np.inf,
)


def is_of_class(a: Any, wanted: Any) -> Any:
    """V_CMP_CLASS_F32: whether a number is of one of the ten classes that bits choose."""
    a = np.ascontiguousarray(a)
    bits = a.view(np.uint32)
    holds = np.zeros(np.broadcast_shapes(a.shape, np.shape(wanted)), bool)
    for number, is_one in enumerate(_CLASSES):
        holds |= is_one(a, bits) & ((wanted >> np.uint32(number) & 1) != 0)
    return holds


def leading_zeros(a: Any) -> Any:
    """Zeros before the first one of 32 bits; -1 where there is no one."""
    _, exponent = np.frexp(np.asarray(a, F64))
    return np.where(a == 0, -1, 32 - exponent).astype(np.int32)


def trailing_zeros(a: Any) -> Any:
    """Zeros after the last one of 32 bits; -1 where there is no one."""
    lowest = a & (~a + np.uint32(1))
    _, exponent = np.frexp(np.asarray(lowest, F64))
    return np.where(a == 0, -1, exponent - 1).astype(np.int32)


def reverse_bits(a: Any) -> Any:
    """32 bits in the other order."""
    a = np.asarray(a, np.uint32)
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        a = (a >> shift & np.uint32(mask)) | ((a & np.uint32(mask)) << shift)
    return a >> 16 | a << 16


def widened(a: Any) -> Any:
    return np.asarray(a, np.uint64)


def low_word(a: Any) -> Any:
    return (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def ones(width: Any) -> Any:
    return (np.uint32(1) << (width & 31)) - np.uint32(1)


def signed_field(a: Any, offset: Any, width: Any) -> Any:
    width = np.asarray(width & 31, np.int32)
    value = (a >> (offset & 31).astype(np.int32)).view(np.uint32) & ones(width.astype(np.uint32))
    shift = (32 - width).astype(np.uint32) & 31
    signed = (value << shift).view(np.int32) >> shift.astype(np.int32)
    return np.where(width == 0, 0, signed)


def permuted_bytes(high: Any, low: Any, choice: Any) -> Any:
    """V_PERM_B32: each byte of the result is one of eight, a sign, 0 or 255."""
    data = widened(high) << np.uint64(32) | widened(low)
    result = np.zeros(np.broadcast_shapes(data.shape, np.shape(choice)), np.uint32)
    for byte in range(4):
        chosen = choice >> np.uint32(8 * byte) & np.uint32(0xFF)
        place = np.where(chosen < 8, chosen, 2 * chosen - 15) & 7
        value = data >> (widened(place) * 8) & np.uint64(0xFF)
        sign = np.where(value & np.uint64(0x80), 0xFF, 0)
        value = np.select([chosen >= 13, chosen == 12, chosen >= 8], [0xFF, 0, sign], value)
        result |= value.astype(np.uint32) << np.uint32(8 * byte)
    return result


def median(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def lesser(a: Any, b: Any) -> Any:
    """The other one where one is NaN; -0 is less than 0, which NumPy leaves open."""
    least = np.fmin(a, b)
    if np.any(least == 0):
        return np.where(a == b, np.where(np.signbit(a), a, b), least)
    return least


def greater(a: Any, b: Any) -> Any:
    """The other one where one is NaN; 0 is more than -0, which NumPy leaves open."""
    most = np.fmax(a, b)
    if np.any(most == 0):
        return np.where(a == b, np.where(np.signbit(a), b, a), most)
    return most


def median_of_floats(a: Any, b: Any, c: Any) -> Any:
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    most = greater(greater(a, b), c)
    # As the guide writes it, which matters for zeros of different signs.
    others = np.where(most == b, greater(a, c), greater(a, b))
    others = np.where(most == a, greater(b, c), others)
    return np.where(nan, lesser(lesser(a, b), c), others)


def minimum(a: Any, b: Any) -> Any:
    """NaN where one is NaN; -0 is less than 0."""
    return np.where(a == b, np.where(np.signbit(a), a, b), np.minimum(a, b))


def maximum(a: Any, b: Any) -> Any:
    """NaN where one is NaN; 0 is more than -0."""
    return np.where(a == b, np.where(np.signbit(a), b, a), np.maximum(a, b))


def signed_24(a: Any) -> Any:
    return (a << np.int32(8)) >> np.int32(8)


def unsigned_24(a: Any) -> Any:
    return a & np.uint32(0xFFFFFF)


def f16_pair(low: Any, high: Any) -> Any:
    low, high = (np.asarray(x, np.float16).view(np.uint16).astype(np.uint32) for x in (low, high))
    return low | high << np.uint32(16)


def bf16_pair(low: Any, high: Any) -> Any:
    """Two f32 rounded to bf16, in one word."""
    low, high = (narrowed(np.asarray(x), BF16).astype(np.uint32) for x in (low, high))
    return low | high << np.uint32(16)


def truncated_f16(a: Any) -> Any:
    """f32 to f16 towards zero."""
    near = np.asarray(a).astype(np.float16)
    grew = np.abs(near.astype(F64)) > np.abs(np.asarray(a, F64))
    return np.where(grew, (near.view(np.uint16) - np.uint16(1)).view(np.float16), near)


def high_product(a: Any, b: Any) -> Any:
    return (widened(a) * widened(b) >> np.uint64(32)).astype(np.uint32)


def signed_high_product(a: Any, b: Any) -> Any:
    return (np.asarray(a, np.int64) * np.asarray(b, np.int64) >> 32).astype(np.int32)


def population(a: Any) -> Any:
    return np.bitwise_count(a).astype(np.uint32)


def byte_as_float(shift: int) -> Callable[[Any], Any]:
    return lambda a: (a >> np.uint32(shift) & np.uint32(0xFF)).astype(np.float32)
