"""Products of many tokens with a quantised weight, of squares of pairs of bf16 (AMX).

A workgroup widens a part of the depth of some rows of the weight, once for all of its tokens: each
number, times its scale, is rounded to bf16, as matrix instructions of GPUs have it, where it is not
such a number already; scales of whole rows are what sums are multiplied with. Squares of the weight
are on the left and those of tokens on the right, as in products of plain weights, and sums of all
tokens are kept beside them.
"""

from dataclasses import dataclass

from irattn.rendering.cpu.kernels import CpuKernel
from irattn.rendering.packed_blocks import LINE_BYTES, PART_ELEMENTS, PackedBlocks
from irattn.rendering.scaled_weights import ScaledWeight
from irattn.rendering.square_blocks import SQUARE, SquareBlocks
from irattn.rendering.values import Value, tensor_type

# Of a workgroup: tokens, blocks of columns where these leave enough workgroups, and squares of the
# depth that are widened at once. Sums take 64 KiB of the 128 KiB that a worker has, and what is
# widened 32. Two Sapphire Rapids cores where much else ran, processor time in ms, 256 tokens, 4096
# columns, depth 4096, bf16 13: so, by 128 tokens and 16 squares, and by 256, one block and 16:
#   Q8_0   11.5  15.0  14.7
#   Q4_0   11.1  14.8  15.0
#   Q5_K   14.3  18.4  16.2
#   Q6_K   13.1  16.8  16.1
# What comes next is fetched beside products; without, Q8_0 takes 13.2. Of the time about a third is
# spent on widening, a third on products in the loop, and a quarter on the first and the last ones.
_TILE_ROWS, _TILE_BLOCKS, _LEAST_TILES, _MOST_SQUARES = 256, 2, 16, 8


@dataclass(frozen=True)
class WidenedSquares:
    """How the weight of `squares` is widened: its format is `packed`, its scales may be apart."""

    squares: SquareBlocks
    packed: PackedBlocks
    scaled: ScaledWeight | None

    @property
    def name(self) -> str:
        """The format's name."""
        return self.packed.name

    @property
    def block_squares(self) -> int:
        """Squares of the depth that a block of the format is in."""
        return self.packed.elements // PART_ELEMENTS

    @property
    def depth_blocks(self) -> int:
        """Blocks of a row."""
        return self.squares.depth_squares // self.block_squares

    @property
    def parts(self) -> int:
        """Parts of the depth."""
        return -(-self.squares.depth_squares // _MOST_SQUARES)

    @property
    def begin_of_part(self) -> str:
        """The map from a part to its first square: parts have as many blocks, or one more."""
        blocks = f"d * {self.depth_blocks} floordiv {self.parts}"
        return f"affine_map<(d) -> ({blocks} * {self.block_squares})>"

    @property
    def end_of_part(self) -> str:
        """The map from a part to the square after its last one."""
        return self.begin_of_part.replace("(d *", "((d + 1) *")

    @property
    def byte_of(self) -> str:
        """The map from a square that a block begins with to the byte of a row."""
        return f"affine_map<(s) -> (s floordiv {self.block_squares} * {self.packed.block_bytes})>"

    @property
    def lines(self) -> range:
        """Where the cache lines of a row's part begin."""
        blocks = -(-self.depth_blocks // self.parts)
        return range(0, blocks * self.packed.block_bytes, LINE_BYTES)

    @property
    def is_scaled_apart(self) -> bool:
        """Whether sums are multiplied with the scale of their row of the weight."""
        return self.scaled is not None and not self.scaled.has_columns

    @property
    def column_blocks(self) -> int:
        """Blocks of columns of a workgroup."""
        return _TILE_BLOCKS if self.squares.column_tiles >= _TILE_BLOCKS * _LEAST_TILES else 1

    @property
    def tile_blocks(self) -> int:
        """Blocks of tokens of a workgroup."""
        return _TILE_ROWS // self.squares.block_rows

    @property
    def most_blocks(self) -> int:
        """The most blocks of tokens that a workgroup has."""
        blocks = self.squares.blocks
        return min(blocks, self.tile_blocks) if isinstance(blocks, int) else self.tile_blocks

    @property
    def made(self) -> str:
        """The type of what is widened, by squares of columns and of the depth."""
        rows = self.column_blocks * self.squares.columns_at_once
        return tensor_type((rows, _MOST_SQUARES, SQUARE * SQUARE), "i32")

    @property
    def kept(self) -> str:
        """The type of the sums of a workgroup, by blocks and squares of each."""
        squares = self.squares
        blocks = (self.column_blocks, self.most_blocks)
        of_block = (squares.columns_at_once, squares.tokens_at_once)
        return tensor_type((*blocks, *of_block, SQUARE * SQUARE), "i32")

    @property
    def numbers(self) -> list[list[float]]:
        """The numbers of a part before they are scaled, 16 a register, where a table has them."""
        return _NUMBERS.get(self.name, [])

    def kernel(self, given: list[Value], sums: Value) -> CpuKernel:
        """The dispatch that widens and multiplies what it is given."""
        kernel = self.squares.product_kernel(given, sums)
        kernel.constants.update(
            parts=self.parts,
            block_rows=self.squares.block_columns,
            tile_columns=self.column_blocks * self.squares.block_columns,
            tile_blocks=self.tile_blocks,
            step=self.block_squares,
        )
        return kernel


# Of MXFP4 twice the numbers.
_NUMBERS = {
    "q4_0": [[float(number - 8) for number in range(16)]],
    "q4_1": [[float(number) for number in range(16)]],
    "q5_0": [[float(first + number) for number in range(16)] for first in (-16, 0)],
    "q5_1": [[float(first + number) for number in range(16)] for first in (0, 16)],
    "q4_k": [[float(number) for number in range(16)]],
    "q5_k": [[float(first + number) for number in range(16)] for first in (0, 16)],
    "mxfp4": [[sign * size for sign in (1.0, -1.0) for size in (0.0, 1, 2, 3, 4, 6, 8, 12)]],
}
