"""Arguments that a launch gives a kernel beside those of its caller."""

from collections.abc import Sequence

from irattn.errors import EmulatorError


def hidden_argument(kind: str, grid: Sequence[int], block: Sequence[int]) -> int:
    """A hidden argument, as LLVM's AMDGPU usage guide defines it: "Code Object V5 Metadata"."""
    what = kind.removeprefix("hidden_")
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
    raise EmulatorError(f"the kernel wants the argument {kind}, which the emulator lacks")
