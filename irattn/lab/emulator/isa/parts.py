"""Bytes and halves of 32-bit words, which SDWA instructions of GFX9 choose, and pairs of words."""

from typing import Any

import numpy as np


def place(number: int) -> tuple[int, int]:
    """The lowest bit and the number of bits of a part: byte 0 to 3, half 4 or 5, or all."""
    if number < 4:
        return 8 * number, 8
    return (16 * (number - 4), 16) if number < 6 else (0, 32)


def picked(words: Any, part: int, *, signed: bool) -> Any:
    """A part of uint32 numbers, with zeros or its sign before it."""
    shift, bits = place(part)
    chosen = words >> np.uint32(shift) & np.uint32((1 << bits) - 1)
    if not signed:
        return chosen
    rest = np.uint32(32 - bits)
    return ((chosen << rest).view(np.int32) >> rest.view(np.int32)).view(np.uint32)


def placed(words: Any, part: int, before: Any) -> Any:
    """Numbers put into a part of uint32 `before`, which is an array or 0."""
    shift, bits = place(part)
    mask = np.uint32(((1 << bits) - 1) << shift)
    return words << np.uint32(shift) & mask | before & ~mask


def as_words(value: Any) -> Any:
    """Numbers of 16 or 32 bits as uint32, the high half being 0."""
    value = np.asarray(value)
    return value.view(f"u{value.itemsize}").astype(np.uint32)


def joined(low: Any, high: Any) -> Any:
    """Two words as uint64."""
    return low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))
