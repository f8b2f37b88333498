"""Carries a launch's memory into the emulator and back."""

from collections.abc import Sequence

import numpy as np

from irattn.binary.codeobject import CodeObject, KernelCode
from irattn.core.errors import DeviceError
from irattn.lab.emulator import launch
from irattn.lab.emulator.machine.memory import Memory

Range = tuple[int, np.ndarray]


def run(
    code_object: CodeObject,
    kernel: KernelCode,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    kernarg: bytes,
    memory: Sequence[Range],
) -> None:
    """Emulate a launch on the allocations that its arguments point into, and on no others.

    The emulator has addresses of its own, with gaps, so that an access beside an allocation is
    found. Where it fails, nothing is written back.
    """
    inside = Memory()
    moved: dict[int, tuple[int, np.ndarray]] = {}
    segment = bytearray(kernarg)
    for i, argument in enumerate(kernel.arguments):
        if argument.kind != "global_buffer":
            continue
        place = slice(argument.offset, argument.offset + 8)
        pointer = int.from_bytes(segment[place], "little")
        start, data = _range_at(pointer, memory, i)
        if start not in moved:
            moved[start] = inside.allocate(f"argument {i}", data.size, data), data
        segment[place] = (moved[start][0] + pointer - start).to_bytes(8, "little")
    launch(code_object, kernel.name, grid, block, bytes(segment), inside)
    for address, data in moved.values():
        data[:] = inside.get(address, data.size)


def _range_at(pointer: int, memory: Sequence[Range], argument: int) -> Range:
    for start, data in memory:
        if start <= pointer < start + data.size:
            return start, data
    raise DeviceError(f"argument {argument} is {pointer:#x}, which is outside of all allocations")
