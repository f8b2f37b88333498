"""How GPUs multiply many tokens with quantised weights, by matrix instructions.

A workgroup has some tokens and rows of the weight, and each of its waves rows of its own. A lane
takes the numbers of its operands out of bytes in registers, where each number is made once in a
workgroup; tokens come through LDS. The loads of a step begin while lanes multiply the one before.
"""

from dataclasses import dataclass
from itertools import groupby
from math import gcd

from irattn.core.tensors import AnySize, largest
from irattn.core.weight_formats import weight_format
from irattn.rendering.attention.lane_layouts import LAYOUTS, LaneLayout
from irattn.rendering.byte_pairs import BytePairs, byte_pairs
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.packed_units import LaneFormat, Unit, lane_format
from irattn.rendering.values import Value, vector_type
from irattn.targets import MatrixInstruction, Target

# Columns of tokens that lanes have in LDS at once, and how many each moves there at once.
_STEP = 64
_ACCESS = 8
# From a row of tokens in LDS to the next, beyond its columns: lanes of one column read all banks.
_PADDING = 8
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


@dataclass(frozen=True)
class LaneRun:
    """Numbers of a lane that lie together: a unit's share of one group of lanes.

    `bytes` and `high` are the names of what they are taken out of, `head` that of their factors.
    """

    name: str
    unit: Unit
    count: int
    place: int
    bytes: str
    high: str | None
    head: str
    # Whether groups have different factors.
    is_shared: bool

    @property
    def factor_up(self) -> int:
        """How far the factor of 16 numbers moves to be the upper byte of a word."""
        return 24 - self.unit.start // 16 * 8

    @property
    def alignment(self) -> int:
        """The alignment of its tokens in LDS, in bytes."""
        return min(2 * self.count, 16)


@dataclass(frozen=True)
class Read:
    """The accesses by which a lane reads each of its rows: from its group's `place` on, so many.

    From a group's first to the next group's, `apart` of them, and `turn` from a turn's to the next.
    """

    name: str
    place: int
    count: int
    apart: int
    turn: int
    given_type: str
    type: str

    @property
    def multiple(self) -> int:
        """What the place of each access is a multiple of."""
        return gcd(self.turn, self.place, self.apart)

    @property
    def parts(self) -> tuple[int, int, int]:
        """From a turn's place to the next, the first, and from a group's, in such multiples."""
        multiple = self.multiple
        return self.turn // multiple, self.place // multiple, self.apart // multiple

    @property
    def is_turned(self) -> bool:
        """Whether it becomes words."""
        return self.type != self.given_type


@dataclass(frozen=True)
class Carried:
    """The values that a turn leaves to the next."""

    name: str
    type: str


@dataclass(frozen=True, kw_only=True)
class PackedTile:
    """The kernel of tokens · weightᵀ, with `first` and `columns` as DepthProduct has them."""

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

    @property
    def name(self) -> str:
        """The kernel's name."""
        return f"{self.sums.name}_of_blocks"

    @property
    def element(self) -> str:
        """The element that is multiplied."""
        return self.tokens.element

    @property
    def is_short(self) -> bool:
        """Whether lanes have registers for little else than sums and operands."""
        return self.instruction.family.startswith("WMMA")

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
        has_few = self.instruction.repeats_operands and self.format.high_mask
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
        return self.turn_columns // _ACCESS

    @property
    def turn_places(self) -> int:
        """Accesses of a turn, of a row of the weight."""
        return self.format.accesses(self.turn_columns)

    @property
    def places(self) -> Value:
        """The weight as it is read: bytes, or as many at once as lie so everywhere."""
        return self.format.places_of(self.weight, self.sums.name)

    # ---- Tokens.

    @property
    def pitch(self) -> int:
        """From a row of tokens in LDS to the next."""
        return self.step + _PADDING

    @property
    def access(self) -> int:
        """Columns of tokens that a lane moves at once."""
        return _ACCESS

    @property
    def pieces_of_row(self) -> int:
        """Lanes that move a row."""
        return self.step // _ACCESS

    @property
    def pieces(self) -> range:
        """The pieces of a step's tokens that a lane moves."""
        return range(-(-self.tile_rows * self.pieces_of_row // self.lanes))

    @property
    def idles(self) -> bool:
        """Whether there are more lanes than pieces."""
        return self.tile_rows * self.pieces_of_row < self.lanes

    @property
    def piece_rows(self) -> int:
        """From the row of a lane's piece to that of its next."""
        return self.lanes // self.pieces_of_row

    @property
    def row_numbers(self) -> range:
        """The tokens of a lane by number."""
        return range(self.row_tiles * self.layout.queries)

    def row_place(self, number: int) -> tuple[int, int]:
        """The tile of a lane's token, and which of its own it is there."""
        return divmod(number, self.layout.queries)

    # ---- Numbers.

    @property
    def groups(self) -> int:
        """Groups of lanes that share a row's columns."""
        return self.layout.operand_groups

    @property
    def own(self) -> int:
        """Rows of the weight whose sums a lane has, of a tile."""
        return self.layout.side // self.layout.groups

    @property
    def own_columns(self) -> int:
        """Rows of the weight whose sums it has of a token: they lie together."""
        return self.own * self.column_tiles

    @property
    def tiles(self) -> range:
        """The tiles of rows of the weight."""
        return range(self.column_tiles)

    def runs(self, step: int) -> list[LaneRun]:
        """The numbers of a lane, of a step."""
        units = [
            part
            for unit in self.format.units(step, self.step)
            for part in unit.parts(self.slice_count * self.groups)
        ]
        counts = [unit.count // self.groups for unit in units]
        return [
            LaneRun(
                f"{step}_{n}",
                unit,
                counts[n],
                sum(counts[:n]),
                f"bytes{step}_{unit.place}",
                f"bytes{step}_{unit.high[0]}" if unit.high else None,
                f"head{step}_{192 + unit.scale}",
                unit.count == 32,
            )
            for n, unit in enumerate(units)
        ]

    def slices(self, step: int) -> list[list[LaneRun]]:
        """The runs of a step by what is multiplied at once."""
        by_slice = groupby(self.runs(step), key=lambda run: run.place // self.slice_count)
        return [list(runs) for _, runs in by_slice]

    def place_in_slice(self, run: LaneRun) -> int:
        """Where a run begins in its slice."""
        return run.place % self.slice_count

    def sums_around(self, step: int, number: int) -> tuple[str, str]:
        """The names of the sums before and after a slice."""
        before = sum(len(self.slices(one)) for one in range(step)) + number
        last = sum(len(self.slices(one)) for one in self.steps)
        return f"sums_{before}", "sums_next" if before + 1 == last else f"sums_{before + 1}"

    @property
    def slice_count(self) -> int:
        """Numbers of a lane that are multiplied at once."""
        return max(_ACCESS, self.instruction.k // self.groups)

    @property
    def slice_steps(self) -> int:
        """Matrix instructions along these."""
        return self.slice_count * self.groups // self.instruction.k

    @property
    def scales_halves(self) -> bool:
        """Whether numbers are multiplied as f16: with a scale that is one, f32 rounds alike."""
        return self.element == "f16" and self.format.has_half_scale

    @property
    def half_depth(self) -> int:
        """Numbers of an operand, of one half of its depth."""
        return self.instruction.k // self.groups // self.layout.halves

    def reads(self, step: int) -> list[Read]:
        """The accesses of a lane for a step, to each of its rows."""
        access, found = self.format.access, {}
        for run in self.runs(step):
            for place in (run.unit.place, *(run.unit.high or ())[:1]):
                count = run.count // access
                found[place] = Read(
                    f"bytes{step}_{place}",
                    place // access,
                    count,
                    count,
                    self.turn_places,
                    vector_type([count], self.places.element),
                    vector_type([run.count // 4], "i32"),
                )
        return [*found.values(), *self.heads(step)]

    def heads(self, step: int) -> list[Read]:
        """The heads that it reads for a step."""
        access, reads = self.format.access, []
        for head in self.format.heads(step, self.step):
            given = vector_type([head.count // access], self.places.element)
            name = f"head{step}_{head.place}"
            place, count = head.place // access, head.count // access
            reads.append(Read(name, place, count, 0, self.turn_places, given, given))
        return reads

    @property
    def carried(self) -> list[Carried]:
        """The values that a turn leaves to the next, besides tokens and sums."""
        return [
            Carried(f"{read.name}_of{tile}", read.type)
            for read in self.reads(0)
            for tile in self.tiles
        ]

    @property
    def half_of_groups(self) -> int:
        """Groups that have the first half of a unit."""
        return max(self.groups // 2, 1)

    # ---- The dispatch.

    @property
    def arguments(self) -> list[Value]:
        """The tensors that the kernel reads."""
        scales = [self.scale] if self.scale else []
        return [self.tokens, self.places, *scales, *(self.of.arguments if self.of else [])]

    @property
    def sizes(self) -> list[str]:
        """The sizes that a call chooses: of tokens, first."""
        return list(dict.fromkeys(size for value in self.arguments for size in value.chosen))

    @property
    def tile_count(self) -> int:
        """Workgroups along tokens, where no call chooses."""
        rows = self.tokens.shape[0] if self.of else largest(self.rows)
        return -(-int(rows) // self.tile_rows)

    @property
    def own_sums(self) -> Value:
        """The sums of a workgroup."""
        return Value("tile", (self.tile_rows, self.tile_columns), "f32")


def packed_tile(
    target: Target,
    tokens: Value,
    weight: Value,
    sums: Value,
    rows: AnySize,
    first: int,
    packed: str,
    scale: Value | None,
    of: ExpertRows | None = None,
) -> PackedTile | None:
    """The kernel, or None where there are no matrix instructions for it, or one token only."""
    kind = {"f16": "f16", "bf16": "bf16"}.get(tokens.element, "")
    instruction = target.lane_matrix.get(kind)
    if instruction is None or instruction.family not in LAYOUTS or rows == 1:
        return None
    return PackedTile(
        tokens=tokens,
        weight=weight,
        sums=sums,
        scale=scale,
        scaled_by=weight_format(packed).scaled or (1, 0),
        rows=rows,
        first=first,
        format=lane_format(packed),
        instruction=instruction,
        layout=LAYOUTS[instruction.family],
        wave_size=target.wave_size or 1,
        pairs=byte_pairs(target, lane_format(packed).floats),
        of=of,
    )
