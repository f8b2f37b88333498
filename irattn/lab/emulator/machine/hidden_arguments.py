"""Fills in the arguments that a launch gives a kernel beside those of its caller."""

from collections.abc import Sequence

from irattn.binary.codeobject import KernelArgument, KernelCode
from irattn.core.errors import EmulatorError

# What the runtime gives only to kernels that print, allocate, launch or wait for other cards: these
# find the address 0, at which nothing can be accessed.
_NOWHERE = (
    "hostcall_buffer",
    "multigrid_sync_arg",
    "heap_v1",
    "default_queue",
    "completion_action",
    "queue_ptr",
)


def with_hidden(
    kernel: KernelCode,
    kernarg: bytes,
    grid: Sequence[int],
    block: Sequence[int],
    dynamic_lds: int = 0,
) -> bytes:
    """The kernarg segment with the hidden arguments of a launch of `grid` workgroups.

    `dynamic_lds` are the bytes of LDS that the launch adds to those of the kernel.
    """
    segment = bytearray(kernarg)
    for argument in kernel.arguments:
        if argument.is_hidden:
            value = _hidden_argument(argument.kind, grid, block, dynamic_lds)
            place = slice(argument.offset, argument.offset + argument.size)
            segment[place] = _in_bytes(value, argument)
    return bytes(segment)


def check_hidden(kernel: KernelCode) -> None:
    """EmulatorError where a kernel wants a hidden argument that is not known."""
    for argument in kernel.arguments:
        if argument.is_hidden:
            _hidden_argument(argument.kind, (1, 1, 1), (1, 1, 1), 0)


def _in_bytes(value: int, argument: KernelArgument) -> bytes:
    if value >> 8 * argument.size:
        raise EmulatorError(f"{argument.kind}: {value} does not fit in {argument.size} bytes")
    return value.to_bytes(argument.size, "little")


def _hidden_argument(kind: str, grid: Sequence[int], block: Sequence[int], dynamic_lds: int) -> int:
    """A hidden argument, as LLVM's AMDGPU usage guide defines it: "Code Object V5 Metadata"."""
    what = kind.removeprefix("hidden_")
    name, _, axis = what.rpartition("_")
    if what == "grid_dims":
        return max(i + 1 for i in range(3) if i == 0 or grid[i] > 1 or block[i] > 1)
    if name == "block_count":
        return grid["xyz".index(axis)]
    if name == "group_size":
        return block["xyz".index(axis)]
    if what in _NOWHERE:
        return 0
    if what == "dynamic_lds_size":
        return dynamic_lds
    if name in ("remainder", "global_offset"):
        # Grids are given in whole workgroups, from the origin.
        return 0
    raise EmulatorError(f"the kernel wants the argument {kind}, which the emulator lacks")
