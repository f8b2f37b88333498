"""The steps of a call in numbers: what is launched, filled and copied, and where."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

Shape: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Address:
    """A place in a call's memory: which block, and how many bytes into it."""

    block: int
    offset: int = 0

    def plus(self, offset: int) -> "Address":
        """The place so many bytes further on."""
        return replace(self, offset=self.offset + offset)


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel; `grid` counts workgroups, `constants` are 32-bit words."""

    kernel: str
    grid: tuple[int, int, int]
    bindings: tuple[Address, ...]
    constants: tuple[int, ...]


@dataclass(frozen=True)
class Filling:
    """So many elements of `width` bytes (1, 2 or 4), all of one pattern."""

    target: Address
    pattern: int
    width: int
    count: int


@dataclass(frozen=True)
class Copying:
    """Rows of `width` bytes, `rows` of them, which lie apart by a pitch on each side."""

    target: Address
    source: Address
    width: int
    rows: int = 1
    target_pitch: int = 0
    source_pitch: int = 0


Step: TypeAlias = Launch | Filling | Copying


def copyings(
    target: Address, new: Shape, source: Address, old: Shape, itemsize: int
) -> Iterator[Copying]:
    """Copies of what two dense arrays of different shapes, `old` and `new`, have in common."""
    differing = [axis for axis, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    if not differing:
        yield Copying(target, source, math.prod(old) * itemsize)
        return
    # Rows end at the last axis that differs; those between it and the one before lie evenly.
    last, before = differing[-1], (differing[-2] if len(differing) > 1 else -1)
    inner, rows = math.prod(old[last + 1 :]) * itemsize, math.prod(old[before + 1 : last])
    source_pitch, target_pitch = old[last] * inner, new[last] * inner
    width = min(source_pitch, target_pitch)
    outer = before + 1
    for index in product(*map(range, map(min, old[:outer], new[:outer]))):
        at_target = target.plus(_number(index, new) * rows * target_pitch)
        at_source = source.plus(_number(index, old) * rows * source_pitch)
        yield Copying(at_target, at_source, width, rows, target_pitch, source_pitch)


def _number(index: Shape, shape: Shape) -> int:
    """The place of an index among all of its axes, the first of a shape."""
    number = 0
    for place, size in zip(index, shape, strict=False):
        number = number * size + place
    return number
