"""How a register for each of some rows becomes one number for each row."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Across:
    """Powers of two of rows and lanes; `name` is what types are named after."""

    name: str
    rows: int
    lanes: int

    @property
    def halved_rows(self) -> list[int]:
        """Registers that are left when two become one; and again, until all rows are in one."""
        most = min(self.rows, self.lanes).bit_length() - 1
        return [self.rows >> halvings for halvings in range(1, most + 1)]

    @property
    def halved_turns(self) -> list[int]:
        """Lanes that are left of a register in which rows take several turns, down to one."""
        turns = self.lanes // self.rows
        return [self.lanes >> halvings for halvings in range(1, turns.bit_length())]

    @property
    def rows_left(self) -> int:
        """Registers that are left when no two rows can share one."""
        return self.halved_rows[-1] if self.halved_rows else self.rows

    @property
    def interleaved_lanes(self) -> int:
        """Lanes of two registers, one interleaved with the other."""
        return 2 * self.lanes
