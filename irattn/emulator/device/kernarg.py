"""Packs what a launch passes to a kernel into the bytes that the kernel reads."""

import struct
from collections.abc import Sequence

from irattn.codeobject import Kernel
from irattn.emulator.hidden import hidden_argument

_FORMATS = {2: "<H", 4: "<I", 8: "<Q"}


def pack(
    kernel: Kernel, given: Sequence[bytes], grid: Sequence[int], block: Sequence[int]
) -> bytes:
    """The kernarg segment: what is given in order, and the hidden arguments of a launch.

    `given` holds the bytes of each argument that is not hidden; `grid` counts workgroups.
    """
    segment = bytearray(kernel.number(".kernarg_segment_size"))
    values = iter(given)
    for argument in kernel.arguments:
        kind, start, size = argument[".value_kind"], argument[".offset"], argument[".size"]
        if kind.startswith("hidden_"):
            value = struct.pack(_FORMATS[size], hidden_argument(kind, grid, block))
        else:
            value = next(values)
        segment[start : start + size] = value
    return bytes(segment)


def given_sizes(kernel: Kernel) -> list[int]:
    """Bytes of each argument that a launch gives."""
    return [
        argument[".size"]
        for argument in kernel.arguments
        if not argument[".value_kind"].startswith("hidden_")
    ]
