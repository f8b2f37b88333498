"""How products of a weight with many tokens are cut up on CPUs with AVX-512."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from irattn.rendering.blocked.tiles import registers_of
from irattn.targets import Target
from irattn.tensors import AnySize

# What lies in a row of the weight is made a column first, 16 x 16 at a time. The compiler does so
# for each 8 rows of tokens, which takes half as long as multiplying them; 16 rows leave as many
# registers for what was turned. Two Zen 4 cores, f32, columns and depth 1408 and 512: 128 to 154
# GFLOP/s with 64 tokens, 128 to 153 with 256; 1408 and 1408 with 512: 161 to 188.
_LANES = 16
# Rows so far apart, or by a multiple, lie in one set of a core's nearest cache, which has 8 lines:
# 16 rows of tokens with a depth of 1024 take twice as long as 8.
_SET_BYTES = 4096
# Rows and columns of a workgroup: the first that divide and leave so many workgroups, else the last
# that divide.
_WORKGROUPS = ((64, 128), (64, 64), (32, 64), (32, 32), (16, 32), (16, 16))
_LEAST_WORKGROUPS = 8


@dataclass(frozen=True)
class CoreTile:
    """What the loops of a product are cut into on a CPU, those of its sums first (0: not)."""

    distribution: list[int]
    parallel: list[int]
    reduction: list[int]

    @property
    def sums(self) -> list[int]:
        """What the loops of its sums alone are cut into."""
        return [size for size in self.parallel if size]


def core_tile(
    sizes: Mapping[str, AnySize], depth: int, io_dtype: str, target: Target
) -> CoreTile | None:
    """The tile of a product over the dimensions `sizes` and then a sum over `depth`.

    None leaves it to the compiler, which keeps no tile where a dimension has size 1: sizes that do
    not divide, or that a call chooses, and cores with fewer registers.
    """
    if io_dtype != "f32" or registers_of(target).lanes != _LANES or not depth * 4 % _SET_BYTES:
        return None
    known = {dim: size for dim, size in sizes.items() if isinstance(size, int) and size > 1}
    if len(known) < len(sizes) or any(size % _LANES for size in (known["m"], known["n"], depth)):
        return None
    for rows, columns in _WORKGROUPS:
        if known["m"] % rows == known["n"] % columns == 0:
            cut = {"m": rows, "n": columns}
            if prod(known.values()) >= _LEAST_WORKGROUPS * rows * columns:
                break
    return CoreTile(
        distribution=[*(cut.get(dim, 1) for dim in sizes), 0],
        parallel=[*(_LANES if dim in cut else 1 for dim in sizes), 0],
        reduction=[*(0 for _ in sizes), _LANES],
    )
