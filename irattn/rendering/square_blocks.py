"""Products of many tokens with a weight, of squares of pairs of bf16 (AMX), by blocks of squares.

The eight registers for squares hold the sums of two squares of columns with two of tokens, so that
four products take two squares of either side. The weight's rows are the left side as they lie;
tokens are the right one, whose pairs are turned, once for all columns, and sums have a row for each
column.
"""

from dataclasses import dataclass
from typing import NamedTuple

from irattn.rendering.cpu.kernels import CpuKernel
from irattn.rendering.values import Value

# Rows of a square and the numbers of bf16 that each has, and how many squares a block has of either
# side. One Sapphire Rapids core, its own time in ms, beside what turned a part of the weight for 64
# columns, copied tokens for these, and multiplied squares of four columns with one of tokens; and
# PyTorch 2.13. 2048 columns, depth 2048, on a machine where other work ran:
#   tokens   before    now   PyTorch
#       64      2.2    1.1       1.1
#      256      7.6    3.3       2.9
#     1024     31     17.5       9.1
# Before, half of the time were loads of squares, 15 % those of the weight's rows, which lie 4 KiB
# apart, and a quarter tokens, which do too and were copied for each 64 columns.
_SQUARE, _DEPTH, _AT_ONCE = 16, 32, 2
# Squares of the depth that a workgroup copies at once: 64 KiB of the stack, beside 32 KiB of sums.
# With 16, tokens take 3 to 15 % longer, as sums are read and written twice as often; the copy does
# not get faster where lines of the next part are fetched before.
_PART = 32
# Bytes of tokens that stay in the second cache, beside what else is read: in C, 128 tokens a
# workgroup take as long as 256, and 512 take longer.
_TILE_BYTES = 2**20
_MOST_ROWS, _LEAST_ROWS = 256, 128


class SquareOfSums(NamedTuple):
    """The sums of one square of columns with one of tokens, of a block."""

    number: int
    columns: int
    tokens: int


@dataclass(frozen=True)
class SquareBlocks:
    """The blocks of the product `product`: of `tokens` with a weight of so many `columns`."""

    product: str
    tokens: Value
    columns: int

    @property
    def rows(self) -> int | str:
        """How many tokens there are, or the value that says so."""
        return self.tokens.shape[0]

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return int(self.tokens.shape[1])

    @property
    def tokens_at_once(self) -> int:
        """Squares of tokens of a block."""
        return 1 if self.rows == _SQUARE else _AT_ONCE

    @property
    def columns_at_once(self) -> int:
        """Squares of columns of a block."""
        return 1 if self.columns % (_AT_ONCE * _SQUARE) else _AT_ONCE

    @property
    def block_rows(self) -> int:
        """Tokens of a block."""
        return self.tokens_at_once * _SQUARE

    @property
    def block_columns(self) -> int:
        """Columns of a block."""
        return self.columns_at_once * _SQUARE

    @property
    def column_tiles(self) -> int:
        """Blocks of columns, each of which some workgroups take."""
        return self.columns // self.block_columns

    @property
    def tile_blocks(self) -> int:
        """Blocks of tokens of a workgroup."""
        fitting = _TILE_BYTES // (2 * self.depth)
        return min(max(fitting, _LEAST_ROWS), _MOST_ROWS) // self.block_rows

    @property
    def part(self) -> int:
        """Squares of the depth that a workgroup copies at once."""
        return _part(self.depth)

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
    def kept(self) -> str:
        """The type of the sums of a workgroup."""
        return f"tensor<{self.tile_blocks}x{self.columns_at_once}x{self.tokens_at_once}x256xi32>"

    @property
    def weight_rows(self) -> str:
        """The type of what is copied of the weight, by rows of squares."""
        return f"tensor<{self.part}x{self.columns_at_once}x16x16xi32>"

    @property
    def weight_squares(self) -> str:
        """The type of what is copied of the weight, by squares."""
        return f"tensor<{self.part}x{self.columns_at_once}x256xi32>"

    @property
    def blocks(self) -> int | str:
        """How many blocks of tokens there are, or the value that says so."""
        if isinstance(self.rows, str):
            return f"{self.product}_blocks"
        return -(-self.rows // self.block_rows)

    @property
    def made(self) -> Value:
        """The tokens as squares: by block, depth, and squares of the block."""
        shape = (self.blocks, self.depth // _DEPTH, self.tokens_at_once, 256)
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
        return {"none": 0, "one": 1, "depth_squares": self.depth // _DEPTH, **numbers}

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch that turns tokens."""
        return CpuKernel(
            arguments=[self.tokens],
            sources=[self.tokens.name],
            results=[self.made],
            gives=[self.made.name],
            sizes=self.sizes,
            constants={**self.numbers, "parts": -(-self.depth // (_DEPTH * self.part))},
        )

    def product_kernel(self, weight: Value, sums: Value) -> CpuKernel:
        """The dispatch that multiplies."""
        return CpuKernel(
            arguments=[self.made, weight],
            sources=[self.made.name, weight.name],
            results=[sums],
            gives=[sums.name],
            sizes=self.sizes,
            constants={**self.numbers, "column_tiles": self.column_tiles},
        )


def square_blocks(product: str, tokens: Value, columns: int) -> SquareBlocks | None:
    """The blocks; None where some square would not be full."""
    depth = int(tokens.shape[1])
    if depth % _DEPTH or columns % _SQUARE or not _part(depth):
        return None
    return SquareBlocks(product, tokens, columns)


def _part(depth: int) -> int:
    """The most squares of a part that leave no single one for the last; 0 where there are none.

    The first and the last square of a part are multiplied apart.
    """
    squares = depth // _DEPTH
    return next((part for part in range(min(_PART, squares), 1, -1) if squares % part != 1), 0)
