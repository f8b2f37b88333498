"""Which numbers of blocks the lanes of one token have: cells of 32, in runs with one scale."""

from dataclasses import dataclass

from irattn.rendering.packed_units import Unit

CELL, RUN = 32, 16


@dataclass(frozen=True)
class CellPlace:
    """A number that depends on a cell: which half of a block and step of that, and which group."""

    first: int
    half: int = 0
    step: int = 0
    group: int = 0

    @property
    def is_fixed(self) -> bool:
        """Whether it is the same for all cells."""
        return not (self.half or self.step or self.group)

    @property
    def parts(self) -> tuple[int, int, int, int]:
        """The numbers that a place is made of."""
        return (self.first, self.half, self.step, self.group)

    def over(self, count: int) -> "CellPlace":
        """The place of a part of these numbers, in so many bytes each."""
        return CellPlace(*(part // count for part in self.parts))


@dataclass(frozen=True)
class CellRun:
    """The numbers of a cell that have one scale, by number.

    `first_run` is where they are among the runs of a step's cells, of the first one.
    """

    number: int
    first_run: int
    bytes: CellPlace
    shift: CellPlace
    scale: CellPlace
    high: CellPlace | None
    high_shift: CellPlace

    @property
    def first_bit(self) -> int:
        """Where the fifth bit of its first number is in its block's word."""
        return RUN * self.number

    def scale_place(self, access: int) -> CellPlace:
        """Where q6_k has the factors of both groups, in accesses."""
        scale = self.scale
        return CellPlace(192 + scale.first, scale.half, scale.step).over(access)


def cell_run(number: int, units: tuple[Unit, ...], groups: int) -> CellRun:
    """The run of that number of all cells, of the units that it is of in each step of a block."""
    group = RUN if groups > 1 else 0

    def place(values: list[int], group: int = 0) -> CellPlace:
        first = values[0]
        half, step = (values[2] - first, values[1] - first) if len(values) > 2 else (0, 0)
        return CellPlace(first, half, step, group)

    high = [unit.high for unit in units if unit.high]
    return CellRun(
        number,
        units[0].column // RUN,
        place([unit.place for unit in units], group),
        place([unit.shift for unit in units]),
        place([unit.scale for unit in units]),
        place([one[0] for one in high], group) if high else None,
        place([one[1] for one in high]) if high else CellPlace(0),
    )
