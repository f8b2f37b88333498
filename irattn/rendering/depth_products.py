"""Products of a weight with tokens on CPUs: registers of sums along the depth.

Tokens and rows of the weight are both read as they lie in memory, and nothing is turned, packed or
moved between lanes before the end. A sum is added up in the same order whatever the number of
tokens, so that its bits do not depend on them. Where a processor has squares, products that have
16 tokens at least turn the weight, and add up in another order.
"""

from dataclasses import dataclass, replace
from itertools import product
from math import isqrt
from typing import Self

from irattn.rendering.cpu.across import Across, across
from irattn.rendering.cpu.kernels import CpuKernel, PrefetchedMemory
from irattn.rendering.cpu.registers import (
    Registers,
)
from irattn.rendering.integer_products import RoundedTokens
from irattn.rendering.many_rows import ManyRows
from irattn.rendering.packed_blocks import (
    LANES,
    LINE_BYTES,
    PART_ELEMENTS,
    PackedBlocks,
)
from irattn.rendering.packed_lanes import GpuLanes, LaneTile
from irattn.rendering.packed_rows import PackedRows
from irattn.rendering.packed_tiles import PackedTile
from irattn.rendering.panels import Panels
from irattn.rendering.scaled_weights import ScaledWeight
from irattn.rendering.square_blocks import SquareBlocks
from irattn.rendering.values import Value
from irattn.rendering.widened_squares import WidenedSquares

# One Zen 4 core, GFLOP/s by its own time, beside what the compiler made (in f32 with its best tile)
# and PyTorch 2.13; 1024 columns, depth 4096:
#   tokens   f32             f16             bf16
#        1    19  14   9     39  31  23      52   49   15
#        4    31  30  14     93  52  18     169   70   47
#       16    69  68  47     83  39  22     154   48   95
#       64    83  79  72     87  37  17     193   49  166
#      256    98  84  91     95  48  24     205   48  209
# With AVX2 on the same core, 256 tokens and one; what the compiler made, this, and PyTorch, which
# has AVX-512's bf16 (256 x 512 by 512, 256 x 1408 by 512, 1 x 1024 by 1024):
#   f32   62 85 88   65 78 85   12 20 24
#   bf16  42 64      42 68      34 31 18
#   f16   49 45 18   52 47 22   32 33 20
# NEON was not measured.
#
# Of several blocks of rows each fetches one column of those that come next: 512 tokens with 8 of 64
# experts take 0.92 of the time that they take where the first block fetches all (f32, AVX-512).
#
# A core that reads several rows of the weight at once does not see where reading goes: they are
# fetched a block before. One core, us before this kernel (f32 the compiler's, others in lanes, one
# row after the other), of it without fetching, and with; 4096 columns, depth 4096, and 8192, 512:
#   tokens   f32               f16               bf16              f32               f16
#        1   3552 3096 2711    1407 1689 1296    1318 1247  942    1208  497  335     309  259  194
#        4   4436 4747 4271    2874 2455 1570    3100 2428 1817    1788 1756  423    1199  623  437
#       16      - 8124 6120       - 7022 6035       - 4777 3462       - 3216 1445       - 2786 1650
# Fetched two blocks before, into the first cache, or with two registers of f16 a step it takes as
# long; unfetched blocks of 1, 2 and 4 columns 1253, 2294 and 1786 us (f16, one token, lanes 1230).
# Of a block: so many columns beside so many rows, by the lanes of a register. AVX2's 16 registers
# are 12 sums, three of tokens and one of the weight: with one more LLVM keeps a sum in memory, and
# the product takes twice as long.
_BLOCKS = {16: {1: 8, 2: 8, 4: 4}, 8: {1: 8, 2: 4, 3: 4}, 4: {1: 8, 2: 8, 4: 4}}
# Tokens of a workgroup stay in a core's second cache while all its columns pass: 64 instead of 32
# are up to 8 % slower in f32.
TILE_ROWS = 32
TILE_COLUMNS = (64, 16)
_LEAST_TILES = 16
_F32_BYTES = 4
# Of packed weights, more rows share what is widened, and columns what is read of tokens.
_PACKED_ROWS = (1, 2, 4)
_MOST_PACKED_COLUMNS = 4


@dataclass(frozen=True)
class DepthProduct:
    """tokens · weightᵀ, of `columns` rows of the weight from `first` on, as `sums`, in f32.

    With `heads`, a token has a row for each, whose rows of the weight are as many. The rows of a
    weight may be `packed` bytes: tokens are then in f32 and the order of these, made of the
    `given_tokens`, or `rounded`; on a GPU, which has a `wave_size`, they are as given, and lanes
    make numbers one by one, or matrix instructions multiply in the kernel of a `tile`, or lanes in
    the kernel `of_token`. A weight of 8 bits is `scaled`, and tokens are as given. Blocks have as
    many rows as fit registers and tokens, or `at_once`; those of `many` and in `panels` are others.
    Many rows are multiplied by `squares`, whose sums may be in the type of tokens; those of packed
    and scaled weights are `widened`. Those of experts add a `bias`, of each expert a row.
    """

    tokens: Value
    weight: Value
    sums: Value
    first: int
    registers: Registers
    pairs: bool
    heads: int | None = None
    packed: PackedBlocks | None = None
    given_tokens: Value | None = None
    rounded: RoundedTokens | None = None
    wave_size: int | None = None
    scaled: ScaledWeight | None = None
    at_once: int | None = None
    tile: PackedTile | None = None
    of_token: PackedRows | None = None
    panels: Panels | None = None
    many: ManyRows | None = None
    squares: SquareBlocks | None = None
    widened: WidenedSquares | None = None
    bias: Value | None = None

    @property
    def rows(self) -> int | str:
        """How many tokens there are, or the value that says so."""
        return self.sums.shape[0]

    @property
    def stores(self) -> bool:
        """Whether sums are rounded to the type of tokens as soon as they are whole."""
        return self.sums.element != "f32"

    @property
    def columns(self) -> int:
        """How many sums each token has."""
        return int(self.sums.shape[1])

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return int(self.tokens.shape[-1])

    @property
    def head_columns(self) -> int:
        """How many sums a head has."""
        return self.columns // (self.heads or 1)

    @property
    def element(self) -> str:
        """The element type that is multiplied."""
        return self.tokens.element

    @property
    def is_widened(self) -> bool:
        """Whether it is f32 only in registers."""
        return not self.pairs and self.element != "f32"

    @property
    def step(self) -> int:
        """Elements of a row that a turn along the depth takes."""
        return self.given_lanes * self._registers_of_turn

    @property
    def given_lanes(self) -> int:
        """Elements of a row that are multiplied at once, or a packed block."""
        if self.packed:
            return self.packed.elements
        return self.registers.lanes * (2 if self.pairs or self.scaled else 1)

    @property
    def _registers_of_turn(self) -> int:
        """Registers of a row that a turn takes: of f32 a line of the cache, which is fetched once.

        512 tokens with 8 of 64 experts take 0.93 of the processor time (AVX2).
        """
        count = LINE_BYTES // (_F32_BYTES * self.registers.lanes)
        is_plain = self.element == "f32" and not (self.scaled or self.packed)
        return count if is_plain and self.depth % (count * self.registers.lanes) == 0 else 1

    @property
    def depth_part(self) -> int | None:
        """Elements of a row that all blocks of rows take before the next; None: all at once."""
        part = self.many.depth_part if self.many and self.block[0] > 1 else None
        return part if part and self.depth >= 2 * part else None

    @property
    def read_tokens(self) -> Value:
        """The tokens as the kernel reads them: with rows apart, or as they are."""
        *rows, depth = self.tokens.shape
        space = self.many.apart if self.many else 0
        return replace(self.tokens, shape=(*rows, int(depth) + space))

    @property
    def apart(self) -> Value | None:
        """The tokens with rows apart, as the function names them."""
        if self.read_tokens == self.tokens:
            return None
        return replace(self.read_tokens, name=f"{self.tokens.name}_of_{self.sums.name}")

    @property
    def turn(self) -> range:
        """Where the registers of a turn begin."""
        return range(0, self.step, self.given_lanes)

    @property
    def scaled_parts(self) -> range:
        """Where the registers of a step begin, of a weight that is scaled."""
        return range(0, self.step, self.registers.lanes)

    @property
    def ways(self) -> dict[str, Self]:
        """How rows are multiplied, by what ends the names of a way; one row alone has its own.

        All have the same bits.
        """
        if not isinstance(self.rows, str):
            return {"": self}
        return {"_single": replace(self, at_once=1), "_several": self}

    @property
    def block(self) -> tuple[int, int]:
        """Rows and columns of a block, whose sums leave registers for what is multiplied."""
        wanted = self.at_once or self.rows
        most = self.most_rows if isinstance(wanted, str) else wanted
        rows = next((rows for rows in self._blocks if rows >= most), self.most_rows)
        return rows, self._blocks[rows]

    @property
    def most_rows(self) -> int:
        """The most rows of a block."""
        return max(self._blocks)

    @property
    def _blocks(self) -> dict[int, int]:
        """The columns of blocks by their rows."""
        if not (self.packed or self.scaled):
            known = _BLOCKS[self.registers.lanes]
            return {**known, **self.many.blocks} if self.many else known
        most = max(_PACKED_ROWS) if self.packed else isqrt(self.registers.sums)
        sizes = (rows for rows in _PACKED_ROWS if rows <= most)
        return {rows: min(self.registers.sums // rows, _MOST_PACKED_COLUMNS) for rows in sizes}

    @property
    def few_rows(self) -> int:
        """The most rows that have fewer blocks than a block has columns."""
        rows, columns = self.block
        return rows * (columns - 1)

    @property
    def block_rows(self) -> range:
        """The rows of a block."""
        return range(self.block[0])

    @property
    def block_columns(self) -> range:
        """The columns of a block."""
        return range(self.block[1])

    @property
    def block_sums(self) -> list[tuple[int, int]]:
        """The registers of sums of a block, by row and column."""
        return list(product(self.block_rows, self.block_columns))

    @property
    def sums_by_column(self) -> list[tuple[int, int]]:
        """The registers of sums by column and row: AVX2 has a register for one column."""
        return [(row, column) for column in self.block_columns for row in self.block_rows]

    @property
    def cuts_rows(self) -> bool:
        """Whether the last block may have fewer rows."""
        return isinstance(self.rows, str) or self.rows % self.block[0] != 0

    @property
    def cuts_columns(self) -> bool:
        """Whether the last block has fewer columns."""
        return self.columns % self.block[1] != 0

    @property
    def cuts_depth(self) -> bool:
        """Whether the last register of a row is not full."""
        return self.depth % self.step != 0

    @property
    def column_places(self) -> list[int]:
        """Where the columns of a block lie among the rows of the weight, from that block on."""
        return [self.first + number for number in self.block_columns]

    @property
    def last_column(self) -> int:
        """Where the last column lies among the rows of the weight."""
        return self.first + self.columns - 1

    @property
    def memory(self) -> PrefetchedMemory:
        """The weight, whose rows are fetched a block before they are read."""
        return self.kernel.memory(self.weight.name)

    @property
    def last_row(self) -> int:
        """The last row of the weight."""
        return int(self.weight.shape[0]) - 1

    @property
    def tile_rows(self) -> int:
        """Rows of a workgroup: whole blocks of them."""
        return TILE_ROWS - TILE_ROWS % self.block[0]

    @property
    def tile_columns(self) -> int:
        """Columns of a workgroup: fewer where few workgroups would be left."""
        most, least = TILE_COLUMNS
        return most if self.columns >= most * _LEAST_TILES else least

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch."""
        if self.squares:
            scales = [self.scaled.scale] if self.scaled else []
            beside = [*scales, *([self.bias] if self.bias else [])]
            maker = self.widened.kernel if self.widened else self.squares.product_kernel
            return maker([self.weight, *beside], self.sums)
        numbers = {"none": 0, "depth": self.depth, "depth_step": self.step}
        numbers |= {"columns": self.columns}
        if not isinstance(self.rows, str):
            numbers["rows"] = self.rows
        numbers |= self.packed_steps | self.scale_steps
        given = [self.read_tokens, self.weight, *self.made_of_tokens]
        given += [self.scaled.scale] if self.scaled else []
        sources = [(self.apart or self.tokens).name, *(value.name for value in given[1:])]
        return CpuKernel(
            arguments=given,
            sources=sources,
            results=[self.sums],
            gives=[self.sums.name],
            sizes=self.tokens.chosen,
            constants=numbers,
        )

    @property
    def packed_steps(self) -> dict[str, int]:
        """The numbers that go through packed blocks."""
        return {"block_step": 1, "depth_blocks": self.depth // self.step} if self.packed else {}

    @property
    def scale_steps(self) -> dict[str, int]:
        """The number of columns that share a scale: without, all of them."""
        return {"scale_step": self.scaled.columns or self.depth} if self.scaled else {}

    @property
    def token_sums(self) -> Value:
        """The sums of tokens that a packed weight has too much, a register for each part.

        Of formats with minima, which are what all numbers of a part have too much, a lane for each.
        """
        by_part = self.packed is not None and self.packed.has_lanes_of_parts
        count = self.depth // (PART_ELEMENTS if by_part else PART_ELEMENTS // LANES)
        return Value(f"{self.tokens.name}_sums", (self.tokens.shape[0], count), "f32")

    @property
    def made_of_tokens(self) -> list[Value]:
        """The values that a product with a packed weight reads besides tokens."""
        if self.rounded:
            return self.rounded.made[1:]
        if self.panels and self.panels.exact:
            return self.panels.exact.made
        return [self.token_sums] if self.packed else []

    @property
    def padding(self) -> str:
        """The zero of tokens."""
        return "0" if self.rounded else "0.0"

    @property
    def split_tokens(self) -> list[int | str]:
        """The sizes of tokens by the parts, words and bytes of packed rows."""
        return [self.tokens.shape[0], self.depth // PART_ELEMENTS, LANES, PART_ELEMENTS // LANES]

    @property
    def lanes(self) -> GpuLanes:
        """The lanes of a GPU that share a sum."""
        return GpuLanes([] if self.rows == 1 else [self.rows], self.columns, self.depth)

    @property
    def lane_tile(self) -> LaneTile:
        """How they are cut up on a GPU."""
        return LaneTile(len(self.lanes.rows))

    @property
    def rows_value(self) -> str:
        """The name of the number of tokens in the kernel."""
        return self.rows if isinstance(self.rows, str) else "rows"

    @property
    def across(self) -> Across:
        """How the registers of a part become numbers."""
        return across(self.rows_of_part * self.block[1], self.registers.lanes)

    @property
    def rows_of_part(self) -> int:
        """Rows of a block whose registers become numbers together: as many as leave no rest."""
        rows = self.block[0]
        return rows & -rows

    @property
    def parts(self) -> range:
        """The first rows of the parts of a block."""
        return range(0, self.block[0], self.rows_of_part)

    def rows_from(self, first: int) -> range:
        """The rows of the part that begins so."""
        return range(first, first + self.rows_of_part)
