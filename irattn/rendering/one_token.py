"""How the product of a weight with one token is cut up on GPUs.

The weight is read once and each element used once, so that what counts is reading: 16 bytes a lane,
lanes side by side, few enough rows at a time for the registers. The compiler's own tile takes up to
64 rows at a time and 16 subgroups for their sums, which spills on every AMD GPU that was tried.
"""

from dataclasses import dataclass

from irattn.dtypes import dtype
from irattn.targets import Target

_BYTES = 16
# Fewer lanes side by side read less than a cache line in one go.
_LEAST_LANES = 4
# Of the weight, for each lane: their sums hide how long one takes.
_ROWS = (4, 2, 1)


@dataclass(frozen=True)
class VectorTile:
    """How the product is cut up: along rows of the weight, and along what is summed.

    A workgroup is one subgroup, of `lanes` both ways, each with `elements` both ways.
    """

    lanes: tuple[int, int]
    elements: tuple[int, int]

    @property
    def rows(self) -> int:
        """Rows of the weight that a workgroup multiplies."""
        return self.lanes[0] * self.elements[0]

    @property
    def depth(self) -> int:
        """What it sums in one step."""
        return self.lanes[1] * self.elements[1]

    @property
    def subgroup_size(self) -> int:
        """Lanes of a subgroup."""
        return self.lanes[0] * self.lanes[1]


def vector_tile(rows: int, depth: int, io_dtype: str, target: Target) -> VectorTile | None:
    """The tile of a weight of `rows` by `depth`, or None to leave it to the compiler: odd sizes."""
    lanes, elements = target.wave_size or 1, _BYTES // dtype(io_dtype).numpy.itemsize
    along = lanes
    while depth % (along * elements):
        along //= 2
        if along < _LEAST_LANES:
            return None
    across = lanes // along
    own = next((count for count in _ROWS if rows % (across * count) == 0), None)
    return VectorTile((across, along), (own, elements)) if own else None
