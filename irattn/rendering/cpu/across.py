"""How a register for each of some rows becomes one number for each row."""

from dataclasses import dataclass

# Lanes that instructions of all CPUs move about without what keeps products waiting: on Zen 4,
# eight that take any lane of two registers add three cycles to 16 products, those of quarters none.
_QUARTER = 4


@dataclass(frozen=True, kw_only=True)
class RegisterHalving:
    """Two registers, or one that is folded, as one: lanes `evens` and `odds` are added up.

    `first` and `second` are numbers of registers, counted from those of the rows on.
    """

    number: int
    first: int
    second: int
    lanes: int
    evens: list[int]
    odds: list[int]


@dataclass(frozen=True, kw_only=True)
class Across:
    """Powers of two of rows and lanes.

    Two neighbours become one until all rows are in one, or in the registers `left`: what belongs
    to a row lies side by side in each, lane by lane within quarters of 128 bits first, then quarter
    by quarter. A register that has all rows is folded until each has one lane.
    """

    rows: int
    lanes: int
    halvings: list[RegisterHalving]
    left: list[int]

    @property
    def register_lanes(self) -> list[int]:
        """The numbers of lanes that registers have on the way."""
        return sorted({self.lanes, *(halving.lanes for halving in self.halvings)})


def across(rows: int, lanes: int) -> Across:
    """The way from so many registers of so many lanes to a number for each."""
    quarter = min(lanes, _QUARTER)
    units = [1] * (quarter.bit_length() - 1) + [quarter] * ((lanes // quarter).bit_length() - 1)
    shared = min(rows, lanes).bit_length() - 1
    halvings: list[RegisterHalving] = []
    left, made = list(range(rows)), rows
    for unit in units[:shared]:
        pairs = list(zip(left[::2], left[1::2], strict=True))
        left = list(range(made, made + len(pairs)))
        halvings += [
            _halving(number, pair, lanes, unit, lanes)
            for number, pair in zip(left, pairs, strict=True)
        ]
        made += len(pairs)
    for unit in reversed(units[shared:]):
        lanes_left = halvings[-1].lanes if halvings else lanes
        halvings.append(_halving(made, (left[0], left[0]), lanes_left, unit, lanes_left // 2))
        left, made = [made], made + 1
    return Across(rows=rows, lanes=lanes, halvings=halvings, left=left)


def _halving(
    number: int, pair: tuple[int, int], given: int, unit: int, lanes: int
) -> RegisterHalving:
    """Units side by side in the pair, of groups of four in one and then in the other, as two."""
    group = min(given, _QUARTER * unit)
    starts = [
        source + start + at
        for start in range(0, given, group)
        for source in (0, given)
        for at in range(0, group, 2 * unit)
    ]
    evens = [start + lane for start in starts for lane in range(unit)][:lanes]
    return RegisterHalving(
        number=number,
        first=pair[0],
        second=pair[1],
        lanes=lanes,
        evens=evens,
        odds=[lane + unit for lane in evens],
    )
