"""How the product of a weight with few tokens is cut up on GPUs.

The weight is read once and each element used for few tokens, so that what counts is reading: 16
bytes a lane, lanes side by side, few enough rows at a time for the registers. The compiler's own
tiles spill (of one token, up to 64 rows at a time and 16 subgroups for their sums), keep it busy
for minutes, or, of 8 tokens on CDNA, do not compile.
"""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.targets import Target

MOST_TOKENS = 8
_BYTES = 16
# Fewer lanes side by side read less than a cache line in one go.
_LEAST_LANES = 4
# Of the weight, for each lane: their sums hide how long one takes.
_ROWS = (4, 2, 1)


@dataclass(frozen=True)
class VectorTile:
    """How the product is cut up, one number for each of its dimensions (0: not cut).

    A workgroup is one subgroup. `lanes` share rows of the weight and what is summed, each with
    `elements` of all dimensions; in one step they sum `step`.
    """

    workgroup: list[int]
    step: list[int]
    elements: list[int]
    lanes: list[int]
    subgroup_size: int

    @property
    def subgroups(self) -> list[int]:
        """One, along all dimensions."""
        return [1 for _ in self.lanes]

    @property
    def dims(self) -> list[int]:
        """The numbers of all dimensions."""
        return list(range(len(self.lanes)))


def vector_tile(
    sizes: dict[str, int], sums: dict[str, int], io_dtype: str, target: Target
) -> VectorTile | None:
    """The tile of a product over `sizes`, tokens b and m among them, and then `sums`.

    None leaves it to the compiler: sizes that do not divide.
    """
    lanes, elements = target.wave_size or 1, _BYTES // dtype(io_dtype).numpy.itemsize
    along, depth = lanes, list(sums.values())[-1]
    while depth % (along * elements):
        along //= 2
        if along < _LEAST_LANES:
            return None
    across = lanes // along
    rows = next((rows for rows in _ROWS if sizes["n"] % (across * rows) == 0), None)
    if rows is None:
        return None
    own = {dim: {"h": 1, "n": rows}.get(dim, size) for dim, size in sizes.items()}
    outer = [1 for _ in sums][1:]
    return VectorTile(
        workgroup=[*{**own, "n": across * rows}.values(), *(0 for _ in sums)],
        step=[*(0 for _ in sizes), *outer, along * elements],
        elements=[*own.values(), *outer, elements],
        lanes=[*(across if dim == "n" else 1 for dim in sizes), *outer, along],
        subgroup_size=lanes,
    )
