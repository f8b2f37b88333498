"""How a register for each of some rows becomes one number for each row."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Across:
    """Powers of two of rows and lanes.

    Two registers become one until all rows are in one: `halved_rows` registers are left each time,
    and in the end `rows_left`, more than one where no two rows can share one. Then lanes become
    fewer while rows take several turns: `halved_turns` are left each time. Two registers, one
    interleaved with the other, have `interleaved_lanes`.
    """

    rows: int
    lanes: int
    halved_rows: list[int]
    halved_turns: list[int]
    rows_left: int
    interleaved_lanes: int


def across(rows: int, lanes: int) -> Across:
    """The way from so many registers of so many lanes to a number for each."""
    halvings = min(rows, lanes).bit_length() - 1
    turns = lanes // rows
    return Across(
        rows=rows,
        lanes=lanes,
        halved_rows=[rows >> count for count in range(1, halvings + 1)],
        halved_turns=[lanes >> count for count in range(1, turns.bit_length())],
        rows_left=rows >> halvings,
        interleaved_lanes=2 * lanes,
    )
