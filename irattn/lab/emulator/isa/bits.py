"""Bits of 32-bit and 64-bit words: counted, found, doubled, gathered."""

from typing import Any

import numpy as np

_LOW = np.uint64(0xFFFFFFFF)


def leading_zeros(a: Any) -> Any:
    """Zeros before the first one of 32 bits; -1 where there is no one."""
    _, exponent = np.frexp(np.asarray(a, np.float64))
    return np.where(a == 0, -1, 32 - exponent).astype(np.int32)


def trailing_zeros(a: Any) -> Any:
    """Zeros after the last one of 32 bits; -1 where there is no one."""
    lowest = a & (~a + np.uint32(1))
    _, exponent = np.frexp(np.asarray(lowest, np.float64))
    return np.where(a == 0, -1, exponent - 1).astype(np.int32)


def _words(a: Any) -> tuple[Any, Any]:
    """The low and the high word of 64 bits."""
    a = np.asarray(a, np.uint64)
    return (a & _LOW).astype(np.uint32), (a >> np.uint64(32)).astype(np.uint32)


def leading_zeros_of_64(a: Any) -> Any:
    """Zeros before the first one of 64 bits; -1 where there is no one."""
    low, high = _words(a)
    in_low = np.where(low == 0, -1, 32 + leading_zeros(low))
    return np.where(high == 0, in_low, leading_zeros(high)).astype(np.int32)


def trailing_zeros_of_64(a: Any) -> Any:
    """Zeros after the last one of 64 bits; -1 where there is no one."""
    low, high = _words(a)
    in_high = np.where(high == 0, -1, 32 + trailing_zeros(high))
    return np.where(low == 0, in_high, trailing_zeros(low)).astype(np.int32)


def leading_signs(a: Any) -> Any:
    """Bits like the sign, from it on, of int32; -1 where all are."""
    return leading_zeros((a ^ (a >> 31)).view(np.uint32))


def leading_signs_of_64(a: Any) -> Any:
    """Bits like the sign, from it on, of int64; -1 where all are."""
    return leading_zeros_of_64((a ^ (a >> 63)).view(np.uint64))


def reverse_bits(a: Any) -> Any:
    """32 bits in the other order."""
    a = np.asarray(a, np.uint32)
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        a = (a >> shift & np.uint32(mask)) | ((a & np.uint32(mask)) << shift)
    return a >> 16 | a << 16


def reverse_64_bits(a: Any) -> Any:
    """64 bits in the other order."""
    low, high = _words(a)
    return reverse_bits(low).astype(np.uint64) << np.uint64(32) | reverse_bits(high)


def doubled_bits(a: Any) -> Any:
    """Each of 32 bits twice."""
    result = np.asarray(a, np.uint64)
    for shift in (16, 8, 4, 2, 1):
        mask = np.uint64(sum((1 << shift) - 1 << i for i in range(0, 64, 2 * shift)))
        result = (result | result << np.uint64(shift)) & mask
    return result | result << np.uint64(1)


def whole_quads(a: Any) -> Any:
    """All four bits of each quad that has one."""
    kind = a.dtype.type
    every = kind(int("1" * (2 * a.itemsize), 16))
    some = (a | a >> kind(1) | a >> kind(2) | a >> kind(3)) & every
    return some * kind(15)


def quads(a: Any) -> Any:
    """One bit for each quad, whether it has one."""
    kind = a.dtype.type
    result = np.zeros_like(a)
    for i in range(2 * a.itemsize):
        some = (a >> kind(4 * i) & kind(15)) != 0
        result |= some.astype(a.dtype) << kind(i)
    return result
