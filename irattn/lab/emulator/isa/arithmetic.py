"""Arithmetic that NumPy has no function for.

The meanings are those of AMD's "RDNA3" and "CDNA3 Instruction Set Architecture" guides.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.extremes import is_signalling
from irattn.lab.emulator.isa.floats import narrowed
from irattn.lab.emulator.isa.kinds import BF16

F64 = np.float64


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


def is_of_class(a: Any, wanted: Any) -> Any:
    """V_CMP_CLASS: whether a float is of one of the ten classes that bits choose."""
    a = np.ascontiguousarray(a)
    size, negative = np.abs(a), np.signbit(a)
    normal = (size >= np.finfo(a.dtype).smallest_normal) & np.isfinite(a)
    bits = size.view(f"u{a.itemsize}")
    denormal = ~normal & np.isfinite(a) & (bits != 0)
    signalling = is_signalling(a)
    signed = np.isinf(a), normal, denormal, bits == 0
    classes = [
        *(signalling, np.isnan(a) & ~signalling),
        *(one & negative for one in signed),
        *(one & ~negative for one in reversed(signed)),
    ]
    holds = np.zeros(np.broadcast_shapes(a.shape, np.shape(wanted)), bool)
    for number, is_one in enumerate(classes):
        holds |= is_one & ((wanted >> np.uint32(number) & 1) != 0)
    return holds


def zero_times(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A product, or one with a sum, where zero times anything is zero (DirectX 9)."""

    def product(a: Any, b: Any, *more: Any) -> Any:
        addend = more[0] if more else np.float32(0)
        return np.where((a == 0) | (b == 0), addend, compute(a, b, *more))

    return product


def lit_product(a: Any, b: Any, c: Any) -> Any:
    """V_MULLIT: a product, as lighting has it: the least number where a factor is not to count."""
    least = np.finfo(np.float32).min
    is_out = (b == least) | (b == -np.inf) | np.isnan(b) | ~(c > 0)
    return np.where(is_out, least, np.multiply(a, b))


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
        chosen = np.minimum(choice >> np.uint32(8 * byte) & np.uint32(0xFF), 13)
        # All lanes choose the same, nearly always.
        for one in np.unique(chosen):
            value = _chosen_byte(data, int(one)) << np.uint32(8 * byte)
            result |= np.where(chosen == one, value, np.uint32(0))
    return result


def _chosen_byte(data: Any, number: int) -> Any:
    """Bytes 0 to 7; 8 to 11 are signs of every other one, 12 is 0, 13 is 255."""
    if number >= 12:
        return np.uint32(0xFF * (number - 12))
    if number >= 8:
        return (data >> np.uint64(16 * number - 113) & np.uint64(1)).astype(np.uint32) * np.uint32(
            0xFF
        )
    return (data >> np.uint64(8 * number) & np.uint64(0xFF)).astype(np.uint32)


def median(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def signed_24(a: Any) -> Any:
    """The lowest 24 bits, with their sign."""
    return (a & 0xFFFFFF ^ 0x800000) - 0x800000


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
