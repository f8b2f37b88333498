"""Products of many tokens with a weight, of squares of pairs of bf16 (AMX), by blocks of squares.

The eight registers for squares hold the sums of two squares of columns with two of tokens, so that
four products take two squares of either side. The weight's rows are the left side as they lie;
tokens are the right one, whose pairs are turned, once for all columns, and sums have a row for each
column.
"""

from dataclasses import dataclass
from typing import NamedTuple

from irattn.rendering.cpu.kernels import CpuKernel
from irattn.rendering.values import Value, vector_type

# Rows of a square and the numbers of bf16 that each has, and how many squares a block has of either
# side. One Sapphire Rapids core, its own time in ms, 2048 columns, depth 2048, on a machine where
# other work ran: what turned the weight by parts, copied tokens for 64 columns, and multiplied four
# squares of columns with one of tokens; blocks as here, of parts that were copied; this, which
# reads the weight where it lies; and PyTorch 2.13:
#   tokens   turned   copied   here   PyTorch
#       64      2.2      1.0    0.7       1.0
#      256      7.6      3.0    2.3       2.8
#     1024       31     13.8   10.5       8.8
# Of what was turned, loads of squares took half of the time, and tokens a quarter. To copy a square
# of the weight, whose rows often lie a multiple of 4 KiB apart, takes as long as four products.
SQUARE, _DEPTH, _AT_ONCE = 16, 32, 2
# Bytes of tokens that stay in the second cache, beside what else is read, and bounds of rows: with
# a depth of 5632, 1,024 tokens take 30 ms by 64 of them, 32 by 96, 35 by 128 and 38 by 256.
_TILE_BYTES = 2**20
_MOST_ROWS, _LEAST_ROWS = 256, 64
# Parts of the depth, of so many squares, are turned by a workgroup each.
_PART = 32


class SquareOfSums(NamedTuple):
    """The sums of one square of columns with one of tokens, of a block."""

    number: int
    columns: int
    tokens: int


class ExpertBlocks(NamedTuple):
    """Tables of the blocks of tokens: the expert of each, its first row, and that after its last.

    Of each expert, `first_blocks` has its first block and `counts` how many tokens it has. An
    expert has so many rows of the weight.
    """

    experts: Value
    firsts: Value
    ends: Value
    first_blocks: Value
    counts: Value
    expert_rows: int

    @property
    def number(self) -> int:
        """How many experts there are."""
        return int(self.counts.shape[0])


@dataclass(frozen=True)
class SquareBlocks:
    """The blocks of the product `product`: of `tokens` with a weight of so many `columns`.

    Tokens are the right side, turned. A square has 32 numbers of a row, the last one fewer and
    zeros. The last block of columns begins where it ends with them, and has the sums that another
    has, too. Blocks may be of `experts`: each has some rows of one of them.
    """

    product: str
    tokens: Value
    columns: int
    experts: ExpertBlocks | None = None

    @property
    def rows(self) -> int | str:
        """How many tokens there are, or the value that says so."""
        return self.tokens.shape[0]

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return int(self.tokens.shape[1])

    @property
    def square(self) -> str:
        """The type of a square of tokens as they are given."""
        return vector_type((SQUARE, _DEPTH), "bf16")

    @property
    def tokens_at_once(self) -> int:
        """Squares of tokens of a block."""
        return 1 if self.rows == SQUARE else _AT_ONCE

    @property
    def columns_at_once(self) -> int:
        """Squares of columns of a block."""
        return 1 if self.columns < _AT_ONCE * SQUARE else _AT_ONCE

    @property
    def block_rows(self) -> int:
        """Tokens of a block."""
        return self.tokens_at_once * SQUARE

    @property
    def block_columns(self) -> int:
        """Columns of a block."""
        return self.columns_at_once * SQUARE

    @property
    def column_tiles(self) -> int:
        """Blocks of columns, each of which some workgroups take."""
        return -(-self.columns // self.block_columns)

    @property
    def last_column(self) -> int | None:
        """Where the last block of columns begins, if that is not behind the one before."""
        rest = self.columns % self.block_columns
        return self.columns - self.block_columns if rest else None

    @property
    def depth_squares(self) -> int:
        """Squares of the depth."""
        return -(-self.depth // _DEPTH)

    @property
    def cuts_depth(self) -> bool:
        """Whether the last square of the depth is not full."""
        return self.depth % _DEPTH != 0

    @property
    def tile_blocks(self) -> int:
        """Blocks of tokens of a workgroup."""
        fitting = _TILE_BYTES // (2 * self.depth)
        return min(max(fitting, _LEAST_ROWS), _MOST_ROWS) // self.block_rows

    @property
    def part(self) -> int:
        """Squares of the depth that a workgroup turns."""
        return _PART

    @property
    def places(self) -> range:
        """The squares of either side of a block."""
        return range(_AT_ONCE)

    @property
    def left(self) -> range:
        """The squares of columns of a block."""
        return range(self.columns_at_once)

    @property
    def right(self) -> range:
        """The squares of tokens of a block."""
        return range(self.tokens_at_once)

    @property
    def sums(self) -> list[SquareOfSums]:
        """The squares of sums of a block."""
        count = self.tokens_at_once
        return [SquareOfSums(count * c + h, c, h) for c in self.left for h in self.right]

    @property
    def cut(self) -> str:
        """The type of the last squares of a block's rows of the weight, where they are not full."""
        return f"tensor<{self.columns_at_once}x256xi32>"

    @property
    def kept(self) -> str:
        """The type of the sums of a block, by squares."""
        return f"tensor<{self.columns_at_once}x{self.tokens_at_once}x256xi32>"

    @property
    def blocks(self) -> int | str:
        """How many blocks of tokens there are, or the value that says so."""
        if self.experts:
            return self.experts.firsts.shape[0]
        if isinstance(self.rows, str):
            return f"{self.product}_blocks"
        return -(-self.rows // self.block_rows)

    @property
    def made(self) -> Value:
        """The tokens as squares: by block, depth, and squares of the block."""
        shape = (self.blocks, self.depth_squares, self.tokens_at_once, SQUARE * SQUARE)
        return Value(f"{self.tokens.name}_of_{self.product}", shape, "i32")

    @property
    def sizes(self) -> list[str]:
        """The sizes that a call chooses."""
        return [size for size in (self.rows, self.blocks) if isinstance(size, str)]

    @property
    def rows_value(self) -> str:
        """The name of the number of tokens in kernels."""
        return self.rows if isinstance(self.rows, str) else "rows"

    @property
    def blocks_value(self) -> str:
        """The name of the number of blocks in kernels."""
        return self.blocks if isinstance(self.blocks, str) else "blocks"

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers that kernels know by name."""
        known = {"rows": self.rows, "blocks": self.blocks}
        numbers = {name: size for name, size in known.items() if isinstance(size, int)}
        return {"none": 0, "one": 1, "depth_squares": self.depth_squares, **numbers}

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch that turns tokens."""
        tables = [self.experts.firsts, self.experts.ends] if self.experts else []
        return CpuKernel(
            arguments=[self.tokens, *tables],
            sources=[self.tokens.name, *(table.name for table in tables)],
            results=[self.made],
            gives=[self.made.name],
            sizes=self.sizes,
            constants={**self.numbers, "parts": -(-self.depth_squares // self.part)},
        )

    def product_kernel(self, given: list[Value], sums: Value) -> CpuKernel:
        """The dispatch that multiplies; it is given a weight, and what that has beside it."""
        arguments = [self.made, *given, *(self.experts[:5] if self.experts else ())]
        return CpuKernel(
            arguments=arguments,
            sources=[value.name for value in arguments],
            results=[sums],
            gives=[sums.name],
            sizes=self.sizes,
            constants={
                **self.numbers,
                **({"experts": self.experts.number} if self.experts else {}),
                "column_tiles": self.column_tiles,
            },
        )


def square_blocks(product: str, tokens: Value, columns: int) -> SquareBlocks | None:
    """The blocks; None where no square would be full."""
    if int(tokens.shape[1]) < _DEPTH or columns < SQUARE:
        return None
    return SquareBlocks(product, tokens, columns)
