"""How products of many tokens with quantised weights are cut into workgroups and turns."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize, largest
from irattn.rendering.attention.lane_layouts import LaneLayout
from irattn.rendering.byte_pairs import BytePairs
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.packed_units import LaneFormat
from irattn.rendering.values import Value
from irattn.targets import MatrixInstruction

# Columns of tokens that lanes have in LDS at once, and how many each moves there at once.
_STEP = 64
ACCESS = 8
# Rows of tokens of a workgroup, at most: 128 spilled up to 584 registers on gfx1201.
_MOST_ROWS = {"MFMA": 128, "WMMAR3": 64, "WMMAR4": 64, "NV": 64}
# Rows of the weight of a wave, where operands are held twice and numbers have bits in two places
# (gfx1100 spilled 116 registers of q6_k), and else.
_WAVE_COLUMNS = (16, 32)
# Waves of a workgroup: the first that the weight's rows divide by and that leave enough workgroups.
_WAVES = (4, 2, 1)
_LEAST_WORKGROUPS = 64
# Of few tokens on NVIDIA, workgroups share the depth, too: so many, of so many turns at least.
_MOST_SHARING, _LEAST_TURNS = 512, 2


@dataclass(frozen=True, kw_only=True)
class PackedTileSizes:
    """The sizes of tokens · weightᵀ: of workgroups, and of the turns of their loop."""

    tokens: Value
    weight: Value
    sums: Value
    scale: Value | None
    scaled_by: tuple[int, int]
    rows: AnySize
    first: int
    format: LaneFormat
    instruction: MatrixInstruction
    layout: LaneLayout
    wave_size: int
    # How two bytes become two f16.
    pairs: BytePairs
    # Where each tile of tokens has an expert's rows of the weight, with `rows` tokens.
    of: ExpertRows | None = None

    # ---- What a workgroup has.

    @property
    def row_tiles(self) -> int:
        """Matrix instructions along tokens."""
        return self._row_tiles(self.waves)

    def _row_tiles(self, waves: int) -> int:
        """The tile with so many waves: lanes move four pieces of tokens at most."""
        most = min(_MOST_ROWS[self.instruction.family], waves * self.wave_size // 2)
        needed = -(-largest(self.rows) // self.side)
        return min(most // self.side, 1 << (needed - 1).bit_length())

    @property
    def side(self) -> int:
        """Tokens of a matrix instruction."""
        return self.layout.side * self.layout.queries

    @property
    def tile_rows(self) -> int:
        """Tokens of a workgroup."""
        return self.row_tiles * self.side

    @property
    def column_tiles(self) -> int:
        """Matrix instructions along rows of the weight, of a wave."""
        return self.wave_columns // self.layout.side

    @property
    def waves(self) -> int:
        """Waves of a workgroup."""
        fitting = [n for n in _WAVES if self.sums.shape[1] % (n * self.wave_columns) == 0] or [1]
        if self.of:
            return fitting[0]
        many = [n for n in fitting if self._workgroups(n) >= _LEAST_WORKGROUPS]
        return (many or fitting[-1:])[0]

    def _workgroups(self, waves: int) -> int:
        tiles = -(-largest(self.rows) // (self._row_tiles(waves) * self.side))
        return tiles * self.blocks_of(waves)

    def blocks_of(self, waves: int) -> int:
        """Workgroups along rows of the weight, of so many waves each."""
        return -(-int(self.sums.shape[1]) // (waves * self.wave_columns))

    @property
    def lanes(self) -> int:
        """Lanes of a workgroup."""
        return self.waves * self.wave_size

    @property
    def wave_columns(self) -> int:
        """Rows of the weight of a wave."""
        has_few = self.instruction.repeats_operands and self.format.has_bits_apart
        return _WAVE_COLUMNS[0 if has_few else 1]

    @property
    def tile_columns(self) -> int:
        """Rows of the weight of a workgroup."""
        return self.waves * self.wave_columns

    @property
    def blocks(self) -> int:
        """Workgroups along rows of the weight."""
        return self.blocks_of(self.waves)

    @property
    def parts(self) -> int:
        """The parts of the depth that workgroups have, whose sums are added up."""
        parts = 1
        many = self.of or not isinstance(self.rows, int) or self.tile_count > 1
        if many or self.instruction.family != "NV":
            return parts
        while self.turns % (2 * parts) == 0 and self.turns >= 2 * parts * _LEAST_TURNS:
            if self.blocks * 2 * parts > _MOST_SHARING:
                break
            parts *= 2
        return parts

    @property
    def part_turns(self) -> int:
        """Turns of a part."""
        return self.turns // self.parts

    @property
    def padded(self) -> Value:
        """The sums of whole workgroups, one part after the other."""
        rows, columns = self.sums.shape[0], self.blocks * self.tile_columns
        if self.of:
            return Value(f"{self.sums.name}_padded", (rows, columns), "f32")
        if isinstance(rows, int):
            rows = -(-rows // self.tile_rows) * self.tile_rows * self.parts
            return Value(f"{self.sums.name}_padded", (rows, columns), "f32")
        return Value(f"{self.sums.name}_padded", (f"{self.sums.name}_rows", columns), "f32")

    @property
    def is_padded(self) -> bool:
        """Whether there are more sums than are asked for."""
        return self.padded.shape != self.sums.shape

    @property
    def cuts_rows(self) -> bool:
        """Whether a workgroup may have fewer tokens."""
        rows = self.sums.shape[0]
        return not self.of and (isinstance(rows, str) or rows % self.tile_rows != 0)

    @property
    def whole(self) -> Value:
        """The sums of whole workgroups, where parts are added up."""
        columns = self.padded.shape[1]
        return Value(f"{self.sums.name}_whole", (self.tile_rows, columns), "f32")

    @property
    def by_part(self) -> Value:
        """The sums of whole workgroups by their part."""
        shape = (self.parts, *self.whole.shape)
        return Value(f"{self.sums.name}_by_part", shape, "f32")

    @property
    def cuts_columns(self) -> bool:
        """Whether it may have fewer rows of the weight."""
        return self.padded.shape[1] != self.sums.shape[1]

    @property
    def last_column(self) -> int:
        """The last row of the weight."""
        return self.first + int(self.sums.shape[1]) - 1

    # ---- What a turn of the loop has: the steps of a block, or one of several blocks.

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return int(self.tokens.shape[1])

    @property
    def step(self) -> int:
        """Columns of a step."""
        return _STEP if self.depth % _STEP == 0 else _STEP // 2

    @property
    def steps(self) -> range:
        """The steps of a turn."""
        return range(self.format.steps or 1)

    @property
    def turns(self) -> int:
        """Turns of the loop."""
        return self.depth // self.turn_columns

    @property
    def turn_columns(self) -> int:
        """Columns of a turn."""
        return len(self.steps) * self.step

    @property
    def turn_accesses(self) -> int:
        """Accesses of a turn, of a row of tokens."""
        return self.turn_columns // ACCESS

    @property
    def turn_places(self) -> int:
        """Accesses of a turn, of a row of the weight."""
        return self.format.accesses(self.turn_columns)

    @property
    def places(self) -> Value:
        """The weight as it is read: bytes, or as many at once as lie so everywhere."""
        return self.format.places_of(self.weight, self.sums.name)

    @property
    def tile_count(self) -> int:
        """Workgroups along tokens, where no call chooses."""
        rows = self.tokens.shape[0] if self.of else largest(self.rows)
        return -(-int(rows) // self.tile_rows)
