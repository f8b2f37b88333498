"""Products with the weights of experts on GPUs where sizes do not divide: a plain loop.

b counts blocks, m rows of a block, n columns of the product and k what is summed. IREE 3.13.0 takes
dimensions of one element away, and with them the tile of the loop: they are left out.
"""

from dataclasses import dataclass

from irattn.core.tensors import AnySize

# The depth of a step of lanes, the largest that divides, and columns of a lane.
_STEPS = (4, 2, 1)
_OWN_COLUMNS = 4


@dataclass(frozen=True)
class GatheredProduct:
    """`blocks` of `rows` tokens, of each block with the `columns` rows of its expert's weight.

    Each lane has a row, and sums up columns of it, of which there are several. Without this tile,
    of depths that are whole waves, IREE 3.13.0 would have lanes sum up what each other gathers,
    which does not compile.
    """

    blocks: AnySize
    rows: int
    columns: int
    depth: int
    wave_size: int

    @property
    def dims(self) -> list[str]:
        """The dimensions of the loop."""
        return [dim for dim, size in self._sizes.items() if size != 1]

    @property
    def iterators(self) -> list[str]:
        """The iterators of the loop, one for each dimension."""
        return ["reduction" if dim == "k" else "parallel" for dim in self.dims]

    @property
    def places(self) -> dict[str, int]:
        """The numbers of the dimensions."""
        return {dim: number for number, dim in enumerate(self.dims)}

    @property
    def _sizes(self) -> dict[str, AnySize]:
        return {"b": self.blocks, "m": self.rows, "n": self.columns, "k": self.depth}

    def dims_of(self, names: str) -> list[str]:
        """The dimensions of `names` that the loop has."""
        return [dim for dim in names if dim in self.dims]

    def is_whole(self, names: str) -> bool:
        """Whether the loop has all of `names`."""
        return len(self.dims_of(names)) == len(names)

    def shape(self, names: str) -> list[AnySize]:
        """The sizes of the dimensions of `names` that the loop has."""
        return [self._sizes[dim] for dim in self.dims_of(names)]

    def groups(self, names: str) -> list[list[int]]:
        """The numbers in `names` that become one dimension where those of one element go."""
        groups: list[list[int]] = []
        before: list[int] = []
        for number, dim in enumerate(names):
            if dim in self.dims:
                groups.append([*before, number])
                before = []
            else:
                (groups[-1] if groups else before).append(number)
        return groups

    @property
    def workgroup(self) -> list[int]:
        """The elements of a workgroup along each dimension."""
        own = self._lane_columns
        lanes = max(self.wave_size // self.rows, 1)
        while self.columns % (lanes * own):
            lanes //= 2
        return self._along({"b": 1, "m": self.rows, "n": lanes * own})

    @property
    def thread(self) -> list[int]:
        """The elements of a lane along each dimension."""
        return self._along({"b": 1, "m": 1, "n": self._lane_columns})

    @property
    def reduction(self) -> list[int]:
        """The elements of a step along each dimension."""
        return self._along({"k": next(step for step in _STEPS if self.depth % step == 0)})

    @property
    def _lane_columns(self) -> int:
        return _OWN_COLUMNS if self.columns % _OWN_COLUMNS == 0 else 1

    def _along(self, numbers: dict[str, int]) -> list[int]:
        return [numbers.get(dim, 0) for dim in self.dims]
