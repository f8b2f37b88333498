"""The tile of a workgroup that takes the gradient of attention, and what a lane has of it."""

from dataclasses import dataclass
from typing import TypeAlias

from irattn.core.dtypes import dtype
from irattn.rendering.attention.lane_layouts import LAYOUTS, LaneLayout
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import MatrixInstruction, Target

# Tokens of a tile, and of what matrix instructions multiply along its depth.
SIDE = 16

# Bytes that a lane moves at once.
_ACCESS_BYTES = 16


@dataclass(frozen=True)
class _Cut:
    """Waves of a workgroup, tokens of a step, and a wave's tiles of rows."""

    waves: int
    tokens: int
    row_tiles: int


# By family and columns of a head. AMD's steps are what lanes fetch two pieces of rows each of; two
# tiles of rows are where lanes have registers for both: what is read of a step from LDS is then
# multiplied twice. NVIDIA's are the fastest on an H200, in microseconds, causal, 32/8 heads, 2048
# and 4096 tokens: with heads of 64 351 and 988, where (4, 64, 1) took 364 and 1018, (2, 64, 1) 379
# and 1061; with 128 586 and 1587, where (4, 32, 1) took 616 and 1684, (2, 32, 1) 700 and 1991. With
# 64, (4, 64, 2) took 1.2 to 1.4 times as long as (4, 64, 1) and (8, 64, 1) 0.98 to 1.15; with 128,
# (8, 32, 1) took 1.03 to 1.15 times as long as (4, 32, 1), (8, 64, 1) 1.06 to 1.19.
_CUTS = {
    "WMMAR3": {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)},
    "WMMAR4": {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)},
    "MFMA": {64: _Cut(4, 64, 2), 128: _Cut(4, 32, 2)},
    "NV": {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)},
}

# In f32, by columns of a head. Matrix instructions take eight times as long as in 16 bits: what is
# read of a step is multiplied once, which leaves twice the workgroups. By the model 256 causal
# tokens with 4/1 heads of 128 take 61.7 us on gfx942, with two tiles of rows 101.0.
_CUTS_OF_F32 = {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)}

# Registers of sums and of a lane's own rows, at most, for each tile of rows; of more, the rows are
# read from LDS. On NVIDIA nothing that is fetched waits in registers.
_MOST_KEPT = {"NV": 192}
_MOST_KEPT_OF_OTHERS = 160

# Columns of a row that kernels are made for.
WIDTHS = (64, 128)

BackwardSpec: TypeAlias = AttentionBackwardSpec | PackedAttentionBackwardSpec


def row_width(spec: BackwardSpec) -> int:
    """Columns of a row of queries, keys or values: zeros lie behind those of narrower heads."""
    columns = max(spec.head_dim, spec.v_dim)
    return next(width for width in WIDTHS if columns <= width)


@dataclass(frozen=True)
class BackwardTile:
    """Rows of a workgroup, keys or queries, tokens of its steps, and what a lane has of both."""

    spec: BackwardSpec
    target: Target

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def element_bytes(self) -> int:
        """Bytes of an element."""
        return dtype(self.spec.io_dtype).numpy.itemsize

    @property
    def access(self) -> int:
        """Elements that a lane moves at once."""
        return _ACCESS_BYTES // self.element_bytes

    @property
    def instruction(self) -> MatrixInstruction:
        """The matrix instruction."""
        return self.target.matrix[self.spec.io_dtype]

    @property
    def layout(self) -> LaneLayout:
        """Which lane holds what of a product."""
        return LAYOUTS[self.instruction.family]

    @property
    def is_nvidia(self) -> bool:
        """Whether powers of two are NVIDIA's."""
        return self.target.driver == "cuda"

    @property
    def _cut(self) -> _Cut:
        if self.element_bytes == 4:
            return _CUTS_OF_F32[self.width]
        return _CUTS[self.instruction.family][self.width]

    @property
    def waves(self) -> int:
        """Waves of a workgroup, each with a tile of rows, or two."""
        return self._cut.waves

    @property
    def wave_size(self) -> int:
        """The lanes of a wave."""
        return self.layout.side * self.layout.groups

    @property
    def lanes(self) -> int:
        """The lanes of a workgroup."""
        return self.waves * self.wave_size

    @property
    def width(self) -> int:
        """Columns of a row."""
        return row_width(self.spec)

    @property
    def row_tiles(self) -> int:
        """Tiles of 16 rows of a wave."""
        return self._cut.row_tiles

    @property
    def wave_rows(self) -> int:
        """Rows of a wave."""
        return self.row_tiles * SIDE

    @property
    def rows(self) -> int:
        """Rows of a workgroup."""
        return self.waves * self.wave_rows

    @property
    def tokens(self) -> int:
        """Tokens of a step."""
        return self._cut.tokens

    # ---- What a lane has.

    @property
    def queries(self) -> range:
        """A lane's own rows, neighbours."""
        return range(self.row_tiles * self.layout.queries)

    @property
    def row_places(self) -> list[tuple[int, int]]:
        """The tile of each own row, and the number of the row there."""
        return [divmod(row, self.layout.queries) for row in self.queries]

    @property
    def sum_sizes(self) -> list[int]:
        """Both sides' tiles of a product, and a lane's rows in a tile."""
        tiles = [1, self.row_tiles] if self.layout.turned else [self.row_tiles, 1]
        return [*tiles, self.layout.queries]

    @property
    def own(self) -> int:
        """Tokens, or columns, of a tile's sums that a lane has."""
        return self.layout.side // self.layout.groups

    @property
    def group_step(self) -> int:
        """From a group's first row of sums to the next group's."""
        return self.own if self.layout.sum_step == 1 else 1

    @property
    def repeats(self) -> bool:
        """Whether each group needs the weights of the other."""
        return self.layout.operand_groups < self.layout.groups

    @property
    def tiles(self) -> range:
        """The tiles of scores of 16 tokens."""
        return range(SIDE // self.layout.side)

    @property
    def score_count(self) -> int:
        """A lane's scores of 16 tokens."""
        return len(self.tiles) * len(self.queries) * self.own

    @property
    def depth(self) -> int:
        """Neighbours of an operand that a lane has in one piece of an instruction."""
        return self.instruction.k // self.layout.operand_groups // self.layout.halves

    @property
    def piece(self) -> int:
        """Neighbours of an operand of 16 tokens that a lane has in one piece."""
        return self.depth * self.piece_steps

    @property
    def piece_steps(self) -> int:
        """Matrix instructions along 16 tokens."""
        return SIDE // self.instruction.k

    @property
    def piece_group(self) -> int:
        """From a group's first piece of an operand to the next group's."""
        return 0 if self.repeats else self.piece

    @property
    def chunk(self) -> int:
        """Neighbouring columns of a row that a lane reads at once."""
        return max(self.access, SIDE // self.layout.operand_groups)

    @property
    def chunk_steps(self) -> int:
        """Matrix instructions along such a chunk of all groups."""
        return self.chunk * self.layout.operand_groups // self.instruction.k

    @property
    def chunk_group(self) -> int:
        """From a group's first column of a chunk to the next group's."""
        return 0 if self.repeats else self.chunk

    @property
    def chunks(self) -> range:
        """The first columns of chunks."""
        return range(0, self.width, self.chunk * self.layout.operand_groups)

    @property
    def column_tiles(self) -> range:
        """The tiles of columns that are summed up."""
        return range(self.width // self.layout.side)

    @property
    def own_columns(self) -> int:
        """Columns of a row of sums that a lane has."""
        return self.width // self.layout.groups

    @property
    def key_numbers(self) -> list[list[list[int]]]:
        """A lane's tokens of 16 after its group's first, by tile and row."""
        side = self.layout.side
        return [[[t * side + i for i in range(self.own)] for _ in self.queries] for t in self.tiles]

    @property
    def pairs_of_groups(self) -> list[int]:
        """Pairs of weights in the order of tokens, the one group's and then the other's."""
        half, of_row = self.score_count // 2, self.own // 2
        return [
            group * half + row * of_row + n
            for row in self.queries
            for group in range(2)
            for n in range(of_row)
        ]

    def keeps_own(self, results: int) -> bool:
        """Whether lanes keep their own rows in registers, beside sums of so many results."""
        sums = results * len(self.queries) * self.width // self.layout.groups
        # Rows of both tensors, in registers of four bytes.
        own = len(self.queries) * self.width // self.layout.operand_groups
        own = own * 2 * self.element_bytes // 4
        most = _MOST_KEPT.get(self.instruction.family, _MOST_KEPT_OF_OTHERS * self.row_tiles)
        return sums + own <= most
