"""Buffers and steps of a host program, and command buffers that record them."""

from dataclasses import dataclass, field
from typing import Any

from irattn.binary.vmfb.executables import Executable
from irattn.binary.vmfb.formulas import Size, combine
from irattn.binary.vmfb.given import check


@dataclass(frozen=True)
class HostBuffer:
    """Device memory: an `input` by position; an `allocation` or a `constant` by order.

    The size of an input is that of its tensor.
    """

    role: str
    index: int
    bytes: Size | None = None


@dataclass(frozen=True)
class Range:
    """Part of a buffer, in bytes."""

    buffer: HostBuffer
    offset: Size
    length: Size


@dataclass(frozen=True)
class HostStep:
    """One step: a `dispatch` of a kernel, a `fill` with a pattern, or a `copy`.

    `executable` is the place of the kernel's executable; `constants` are 32-bit numbers that the
    kernel takes after its bindings. A fill has its target in `ranges`, a copy source and target.
    """

    what: str
    ranges: tuple[Range, ...] = ()
    kernel: str = ""
    executable: int = 0
    workgroups: tuple[Size, Size, Size] = (1, 1, 1)
    constants: tuple[Size, ...] = ()
    pattern: Size = 0
    pattern_bytes: Size = 0


@dataclass(frozen=True)
class HostProgram:
    """A host program: what it loads, and what it does when its function is called.

    `barriers` are the numbers of steps after which everything before must have ended.
    """

    executables: tuple[Executable, ...]
    steps: tuple[HostStep, ...]
    barriers: tuple[int, ...]
    allocations: tuple[HostBuffer, ...]
    constants: tuple[bytes, ...]
    outputs: tuple[Range, ...]


@dataclass(frozen=True)
class RecordedRange:
    """A range of a buffer, or of one that is given when the command buffer is executed."""

    slot: int
    buffer: HostBuffer | Range | None
    offset: Size
    length: Size

    def resolve(self, table: list[Range]) -> Range:
        within = table[self.slot] if self.buffer is None else self.buffer
        return part_of(within, self.offset, self.length)


@dataclass
class CommandBuffer:
    """A recorded command buffer: steps with their places, None for a barrier."""

    steps: list[tuple[HostStep, list[RecordedRange]] | None] = field(default_factory=list)

    def add(self, step: HostStep, *places: RecordedRange) -> list[Any]:
        self.steps.append((step, list(places)))
        return []


def part_of(within: HostBuffer | Range, offset: Size, length: Size) -> Range:
    """A range of a buffer, or of what is a part of one already."""
    check("a range", within, HostBuffer | Range)
    check("the offset of a range", offset, Size)
    check("the length of a range", length, Size)
    if isinstance(within, Range):
        return Range(within.buffer, combine("add", within.offset, offset), length)
    return Range(within, offset, length)
