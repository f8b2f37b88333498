"""The tile of a core's part of attention, as numbers: registers, and rows and keys of a step."""

from dataclasses import dataclass
from itertools import product

from irattn.rendering.cpu.registers import Registers


@dataclass(frozen=True)
class BlockedTile:
    """Rows and keys of a step: the rows of `queries` queries of each of `heads` query heads.

    The heads are some or all of one KV head, or all of `kv_heads` of them.
    A block of registers has `block_rows` rows. `places_values` says that values are copied, as
    f32 in whole registers, before they are multiplied. `pairs` says that products take two bf16
    neighbours at once, where other products take one f32. `whole_values` says that blocks of
    weighted values have as few rows as leave registers for all columns of a value.
    """

    heads: int
    queries: int
    keys: int
    block_rows: int
    registers: Registers
    head_dim: int
    value_dim: int
    places_values: bool
    pairs: bool
    kv_heads: int = 1
    whole_values: bool = False

    @property
    def row_count(self) -> int:
        """Rows of all heads."""
        return self.heads * self.queries

    @property
    def rows(self) -> int:
        """Those rows in whole blocks."""
        return up(self.row_count, self.block_rows)

    @property
    def last_head(self) -> int:
        """The last of the heads, counted from 0."""
        return self.heads - 1

    @property
    def mixes_heads(self) -> bool:
        """Whether a block may have rows of several heads."""
        return self.queries % self.block_rows != 0

    @property
    def at_once(self) -> int:
        """Neighbours that a product takes at once."""
        return 2 if self.pairs else 1

    @property
    def factor(self) -> str:
        """MLIR element type of what a product takes."""
        return "i32" if self.pairs else "f32"

    @property
    def given_lanes(self) -> int:
        """Elements as they are given that fill a register of factors."""
        return self.registers.lanes * self.at_once

    @property
    def interleaved_lanes(self) -> int:
        """Lanes of two registers, one interleaved with the other."""
        return 2 * self.registers.lanes

    @property
    def key_steps(self) -> int:
        """Steps of a product over the keys."""
        return self.keys // self.at_once

    @property
    def head_steps(self) -> int:
        """Steps of a product over the head columns."""
        return -(-self.head_dim // self.at_once)

    @property
    def key_columns(self) -> int:
        """Those steps in whole registers."""
        return up(self.head_steps, self.registers.lanes)

    @property
    def query_columns(self) -> int:
        """Columns that are kept of a query: where lanes are columns, whole registers."""
        return self.key_columns if self.pairs or self.reads_rows else self.head_dim

    @property
    def given_query_columns(self) -> int:
        """Elements as they are given in those columns."""
        return self.query_columns * self.at_once

    @property
    def cuts_query(self) -> bool:
        """Whether they are more than the query has."""
        return self.cuts_head and (self.pairs or self.reads_rows)

    @property
    def cuts_head(self) -> bool:
        """Whether the last register of head columns is not full."""
        return self.key_columns * self.at_once != self.head_dim

    @property
    def cuts_values(self) -> bool:
        """Whether the last register of value columns is not full."""
        return self.value_columns != self.value_dim

    @property
    def value_columns(self) -> int:
        """Value columns in whole registers."""
        return up(self.value_dim, self.registers.lanes)

    @property
    def score_block(self) -> int:
        """Keys of a block of scores."""
        return self._block_of(self.keys, self.block_rows)

    @property
    def value_block(self) -> int:
        """Columns of a block of weighted values."""
        return self._block_of(self.value_columns, self.value_rows)

    @property
    def value_rows(self) -> int:
        """Rows of such a block."""
        if not self.whole_values:
            return self.block_rows
        most = max(1, self.registers.sums * self.registers.lanes // self.value_columns)
        return min(self.block_rows, 1 << (most.bit_length() - 1))

    @property
    def read_columns(self) -> int:
        """Columns of a value that are read at once."""
        return self.value_columns if self.places_values else self.value_block

    @property
    def neighbour_columns(self) -> int:
        """Columns of two values that are read side by side."""
        return 2 * self.read_columns

    @property
    def reads_rows(self) -> bool:
        """Whether rows are so few that keys and values are multiplied as they lie in memory."""
        return self.rows // self.kv_heads <= self.registers.lanes

    @property
    def scored_keys(self) -> int:
        """Keys whose scores with all rows of a block fill a register."""
        return self.registers.lanes // self.block_rows

    @property
    def block_lanes(self) -> int:
        """Lanes of a register for each row of a block."""
        return self.block_rows * self.registers.lanes

    @property
    def score_registers(self) -> int:
        """Registers of a row of a block of scores."""
        return self.score_block // self.registers.lanes

    @property
    def value_registers(self) -> int:
        """Registers of a row of a block of weighted values."""
        return self.value_block // self.registers.lanes

    @property
    def block_starts(self) -> range:
        """Where registers begin that lie one after the other: one for each row of a block."""
        return range(0, self.block_lanes, self.registers.lanes)

    @property
    def score_starts(self) -> range:
        """Where those of a row of a block of scores begin."""
        return range(0, self.score_block, self.registers.lanes)

    @property
    def value_starts(self) -> range:
        """Where those of a row of a block of weighted values begin."""
        return range(0, self.value_block, self.registers.lanes)

    @property
    def score_sums(self) -> list[tuple[int, int]]:
        """The registers of a block of scores, by row and column: of few rows, keys and rows."""
        if self.reads_rows:
            return list(product(range(self.scored_keys), range(self.block_rows)))
        return list(product(range(self.block_rows), range(self.score_registers)))

    @property
    def value_sums(self) -> list[tuple[int, int]]:
        """The registers of a block of weighted values, by row and column."""
        return list(product(range(self.value_rows), range(self.value_registers)))

    @property
    def step_registers(self) -> list[int]:
        """Where registers of a row of scores begin."""
        return list(range(0, self.keys, self.registers.lanes))

    @property
    def pair_registers(self) -> list[tuple[int, int, int]]:
        """Where registers of a row of pairs of weights begin, and which two they are made of."""
        starts = range(0, self.keys // 2, self.registers.lanes)
        return [(start, 2 * n, 2 * n + 1) for n, start in enumerate(starts)]

    def _block_of(self, columns: int, rows: int) -> int:
        lanes = self.registers.lanes
        most = min(columns, self.registers.sums // rows * lanes)
        return next(size for size in range(most, 0, -lanes) if columns % size == 0)


def up(number: int, step: int) -> int:
    """The least whole number of steps that is not less."""
    return -(-number // step) * step
