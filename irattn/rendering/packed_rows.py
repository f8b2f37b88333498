"""How lanes of a GPU multiply a token with quantised weights: each has cells of 32 numbers.

A wave has some rows of the weight, and its lanes cells of them that lie side by side: a lane reads
16 bytes at once, makes f16 of two bytes by an instruction, and multiplies in f32. What it reads of
the token is for all of its rows.
"""

from dataclasses import dataclass
from math import gcd

from irattn.core.weight_formats import weight_format
from irattn.rendering.byte_pairs import BytePairs, byte_pairs
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.packed_cells import CELL, RUN, CellRun, cell_run
from irattn.rendering.packed_units import LaneFormat, Unit, lane_format
from irattn.rendering.values import Value, vector_type
from irattn.targets import Target

# Rows of the weight of a wave, and waves of a workgroup: the first that divide the weight's rows.
_ROWS, _WAVES = (4, 2, 1), 4


@dataclass(frozen=True, kw_only=True)
class PackedRows:
    """The kernel of token · weightᵀ, with `first` and `columns` as DepthProduct has them.

    There is one token, or `of` each the product with the rows of its expert.
    """

    token: Value
    weight: Value
    sums: Value
    scale: Value | None
    scaled_by: tuple[int, int]
    first: int
    format: LaneFormat
    wave_size: int
    # How two bytes become two f16.
    pairs: BytePairs
    of: ExpertRows | None = None

    @property
    def name(self) -> str:
        """The kernel's name."""
        return f"{self.sums.name}_of_token"

    @property
    def columns(self) -> int:
        """Rows of the weight."""
        return int(self.sums.shape[1])

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return int(self.token.shape[1])

    @property
    def rows(self) -> range:
        """Rows of the weight of a wave."""
        return range(next(n for n in _ROWS if self.columns % n == 0))

    @property
    def wave_rows(self) -> int:
        """How many these are."""
        return len(self.rows)

    @property
    def waves(self) -> int:
        """Waves of a workgroup."""
        return _WAVES

    @property
    def lanes(self) -> int:
        """Lanes of a workgroup."""
        return _WAVES * self.wave_size

    @property
    def tile_rows(self) -> int:
        """Rows of the weight of a workgroup."""
        return _WAVES * self.wave_rows

    @property
    def blocks(self) -> int:
        """Workgroups."""
        return -(-self.columns // self.tile_rows)

    @property
    def padded(self) -> Value:
        """The sums of whole workgroups."""
        columns = self.blocks * self.tile_rows
        shape = (self.tokens, columns) if self.of else (columns,)
        return Value(f"{self.sums.name}_padded", shape, "f32")

    @property
    def tokens(self) -> int | str:
        """How many tokens there are, or the value that says so."""
        return self.token.shape[0]

    @property
    def last_column(self) -> int:
        """The last row of the weight."""
        return self.first + self.columns - 1

    @property
    def cuts_rows(self) -> bool:
        """Whether a workgroup may have fewer rows."""
        return self.columns % self.tile_rows != 0

    # ---- Cells.

    @property
    def cells(self) -> int:
        """Cells of a row."""
        return self.depth // CELL

    @property
    def passes(self) -> int:
        """Cells of a lane in a row."""
        return -(-self.cells // self.wave_size)

    @property
    def cuts_cells(self) -> bool:
        """Whether a lane may have fewer."""
        return self.cells % self.wave_size != 0

    @property
    def groups(self) -> int:
        """Cells of a step."""
        return 2 if self.format.steps else 1

    @property
    def block_cells(self) -> int:
        """Cells of a block."""
        return self.groups * (self.format.steps or 1)

    @property
    def block_columns(self) -> int:
        """Columns of a block."""
        return self.block_cells * CELL

    @property
    def block_places(self) -> int:
        """Bytes of a block, in accesses."""
        return self.format.accesses(self.block_columns)

    @property
    def run_columns(self) -> int:
        """Columns of a run."""
        return RUN

    @property
    def step_runs(self) -> int:
        """Runs of the cells of a step."""
        return self.groups * CELL // RUN

    @property
    def block_accesses(self) -> int:
        """Such of a block as places of runs are multiples of."""
        return self.block_places // self.accesses_at_once

    @property
    def accesses_at_once(self) -> int:
        """The number of which places of runs in all blocks are multiples, in accesses."""
        runs = [place for run in self.runs for place in (run.bytes, run.high) if place]
        parts = [place.over(self.format.access).parts for place in runs]
        return gcd(self.block_places, *(part for one in parts for part in one))

    @property
    def places(self) -> Value:
        """The weight as it is read: bytes, or as many at once as lie so everywhere."""
        return self.format.places_of(self.weight, self.sums.name)

    @property
    def run_type(self) -> str:
        """The bytes of a run, as they are read."""
        return vector_type([RUN // self.format.access], self.places.element)

    @property
    def runs(self) -> list[CellRun]:
        """The runs of a cell."""
        by_step = [self._units(step) for step in range(self.format.steps or 1)]
        return [
            cell_run(n, units, self.groups) for n, units in enumerate(zip(*by_step, strict=True))
        ]

    def _units(self, step: int) -> list[Unit]:
        units = self.format.units(step, self.groups * CELL)
        return [part for unit in units for part in unit.parts(RUN * self.groups)]

    @property
    def head(self) -> int | None:
        """Accesses of what a block begins or ends with, its scale; None where that is apart."""
        if self.scale:
            return None
        known = {"q4_k": 4, "q5_k": 4}
        return known.get(self.format.name, max(self.format.head // self.format.access, 1))

    @property
    def head_place(self) -> int:
        """Where that is, in accesses."""
        return 208 // self.format.access if self.format.name == "q6_k" else 0

    @property
    def head_type(self) -> str:
        """The type of a head as it is read."""
        return vector_type([self.head or 1], self.places.element)

    @property
    def has_least(self) -> bool:
        """Whether runs have a number that is taken from all of theirs."""
        return self.format.has_least

    @property
    def distances(self) -> list[int]:
        """The distances between lanes that add up what they have."""
        return [1 << n for n in range(self.wave_size.bit_length() - 1)]

    @property
    def arguments(self) -> list[Value]:
        """The tensors that the kernel reads."""
        scales = [self.scale] if self.scale else []
        return [self.token, self.places, *scales, *(self.of.arguments if self.of else [])]

    @property
    def sizes(self) -> list[str]:
        """The sizes that a call chooses: of tokens, first."""
        return list(dict.fromkeys(size for value in self.arguments for size in value.chosen))


def packed_rows(
    target: Target,
    token: Value,
    weight: Value,
    sums: Value,
    first: int,
    packed: str,
    scale: Value | None,
    of: ExpertRows | None = None,
) -> PackedRows:
    """The kernel of one token, or of each token with its expert."""
    return PackedRows(
        token=token,
        weight=weight,
        sums=sums,
        scale=scale,
        scaled_by=weight_format(packed).scaled or (1, 0),
        first=first,
        format=lane_format(packed),
        wave_size=target.wave_size or 1,
        pairs=byte_pairs(target, lane_format(packed).floats),
        of=of,
    )
