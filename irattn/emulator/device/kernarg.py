"""Packs what a launch passes to a kernel into the bytes that the kernel reads."""

import struct
from collections.abc import Sequence

from irattn.codeobject import Kernel
from irattn.errors import DeviceError

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
            value = struct.pack(_FORMATS[size], _hidden(kind.removeprefix("hidden_"), grid, block))
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


def _hidden(what: str, grid: Sequence[int], block: Sequence[int]) -> int:
    """A hidden argument, as LLVM's AMDGPU usage guide defines it: "Code Object V5 Metadata"."""
    name, _, axis = what.rpartition("_")
    if what == "grid_dims":
        return max(i + 1 for i in range(3) if i == 0 or grid[i] > 1 or block[i] > 1)
    if name == "block_count":
        return grid["xyz".index(axis)]
    if name == "group_size":
        return block["xyz".index(axis)]
    if name in ("remainder", "global_offset"):
        # Grids are given in whole workgroups, from the origin.
        return 0
    raise DeviceError(f"the kernel wants the argument hidden_{what}, which the emulator lacks")
