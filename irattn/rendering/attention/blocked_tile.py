"""The tile of a core's part of attention, as numbers: registers, and rows and keys of a step."""

from dataclasses import dataclass

from irattn.rendering.cpu.registers import SQUARE_SUMS, Registers


@dataclass(frozen=True)
class BlockedTile:
    """Rows and keys of a step: the rows of `queries` queries of each of `heads` query heads.

    The heads are some or all of one KV head, or all of `kv_heads` of them.
    A block of registers has `block_rows` rows. `places_values` says that values are copied, as
    f32 in whole registers, before they are multiplied. `pairs` is the element type of neighbours
    of which products take two at once, `bf16` or the whole numbers `i16`, where other products
    take one f32. `whole_values` says that blocks of weighted values have as few rows as leave
    registers for all columns of a value. `splits_rows` says that queries and weights are sums of
    two bf16 each, which have all bits of an f16. Of `value_piece` columns, which divide those of a
    value, a block of weighted values has some or all; None: of any. `squares` says that products
    take squares of pairs, as many rows as lanes, whose rows lie one after the other.
    """

    heads: int
    queries: int
    keys: int
    block_rows: int
    registers: Registers
    head_dim: int
    value_dim: int
    places_values: bool
    pairs: str | None
    kv_heads: int = 1
    whole_values: bool = False
    splits_rows: bool = False
    value_piece: int | None = None
    squares: bool = False

    @property
    def row_count(self) -> int:
        """Rows of all heads."""
        return self.heads * self.queries

    @property
    def rows(self) -> int:
        """The rows of all heads, in whole blocks."""
        return up(self.row_count, self.block_rows)

    @property
    def mixes_heads(self) -> bool:
        """Whether a block may have rows of several heads."""
        return self.queries % self.block_rows != 0

    @property
    def at_once(self) -> int:
        """Neighbours that a product takes at once."""
        return 2 if self.pairs else 1

    @property
    def factor_rows(self) -> int:
        """The rows of a block as products take them: those of second bf16 follow the others."""
        return self.block_rows * (2 if self.splits_rows else 1)

    @property
    def head_steps(self) -> int:
        """Steps of a product over the head columns."""
        return -(-self.head_dim // self.at_once)

    @property
    def key_columns(self) -> int:
        """Columns of a key, in whole registers of steps."""
        return up(self.head_steps, self.registers.lanes)

    @property
    def value_columns(self) -> int:
        """Value columns in whole registers."""
        return up(self.value_dim, self.registers.lanes)

    @property
    def head_squares(self) -> int:
        """Squares of a row of queries, or of a key."""
        return self.key_columns // self.registers.lanes

    @property
    def key_squares(self) -> int:
        """Squares of a row of scores."""
        return self.keys // self.registers.lanes

    @property
    def weight_squares(self) -> int:
        """Squares of a row of weights, which are pairs."""
        return self.key_squares // self.at_once

    @property
    def value_squares(self) -> int:
        """Squares of a row of weighted values."""
        return self.value_columns // self.registers.lanes

    @property
    def score_block(self) -> int:
        """Keys of a block of scores."""
        return self._block_of(self.keys, self.block_rows)

    @property
    def value_block(self) -> int:
        """Columns of a block of weighted values."""
        return self._block_of(self.value_piece or self.value_columns, self.value_rows)

    @property
    def value_rows(self) -> int:
        """Rows of such a block."""
        if not self.whole_values:
            return self.block_rows
        most = max(1, self.registers.sums * self.registers.lanes // self.value_columns)
        return min(self.block_rows, 1 << (most.bit_length() - 1))

    @property
    def reads_rows(self) -> bool:
        """Whether rows are so few that keys and values are multiplied as they lie in memory."""
        return not self.squares and self.rows // self.kv_heads <= self.registers.lanes

    def _block_of(self, columns: int, rows: int) -> int:
        lanes = self.registers.lanes
        registers = SQUARE_SUMS if self.squares else self.registers.sums // rows
        most = min(columns, registers * lanes)
        return next(size for size in range(most, 0, -lanes) if columns % size == 0)


def up(number: int, step: int) -> int:
    """The least whole number of steps that is not less."""
    return -(-number // step) * step
