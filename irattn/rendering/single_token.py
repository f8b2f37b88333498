"""The product of one token in whole numbers: rows of a weight in blocks, as they lie in memory.

Lanes are added up to a number for each part of a block, a lane for each part. Registers of eight
rows are then turned, so that lanes have the rows, as those of panels have columns: parts are added
up in the same order, and bits are those of a token among others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from irattn.rendering.integer_products import RoundedTokens
from irattn.rendering.packed_blocks import LANES, LINE_BYTES

# The lanes of two registers, of which the second has 8 to 15, that come before others of so many:
# halves of registers, pairs of lanes in each half, and single ones.
_EARLIER: dict[int, tuple[int, ...]] = {
    4: (0, 1, 2, 3, 8, 9, 10, 11),
    2: (0, 1, 8, 9, 4, 5, 12, 13),
}
_EARLIER[1] = (0, 2, 8, 10, 4, 6, 12, 14)
# Lanes of two registers that take turns, the first two of each half and the last two.
_TURNS: dict[int, tuple[int, ...]] = {
    0: (0, 8, 1, 9, 4, 12, 5, 13),
    2: (2, 10, 3, 11, 6, 14, 7, 15),
}
# Bytes from what is read to what is fetched. One Zen 4 core, GB/s of cold weights by its own time,
# eight rows ahead and 16: of 1,152 bytes in Q4_0 15.6 and 18.2, in Q4_K 12.6 and 14.2; of 2,176
# bytes in Q8_0 20.7 and 19.2; of 3,168 bytes in Q4_0 16.0 and 15.5.
_FETCHED_AHEAD = 16384


@dataclass(frozen=True)
class Halving:
    """`made`: lanes of two registers, so many at a time, with those that come after them."""

    made: str
    first: str
    second: str
    lanes: int

    @property
    def earlier(self) -> tuple[int, ...]:
        """The lanes that come before others."""
        return _EARLIER[self.lanes]

    @property
    def later(self) -> tuple[int, ...]:
        """The lanes that these are added to."""
        return tuple(lane + self.lanes for lane in self.earlier)


@dataclass(frozen=True)
class SingleToken:
    """How one of the `rounded` tokens is multiplied with a weight of so many `columns`."""

    rounded: RoundedTokens
    columns: int

    @property
    def lanes(self) -> range:
        """The rows of the weight that are multiplied together."""
        return range(LANES)

    @property
    def ahead(self) -> int:
        """Rows of the weight from these to those that are fetched."""
        steps = self.rounded.parts // len(self.rounded.packed.parts)
        return LANES * max(1, round(_FETCHED_AHEAD / (steps * self.step_bytes)))

    @property
    def step_bytes(self) -> int:
        """Bytes of a step of these rows."""
        return LANES * self.rounded.packed.block_bytes

    def lines(self, row: int) -> list[int]:
        """Where cache lines of these bytes begin, of which each row has a share."""
        lines = range(0, self.step_bytes, LINE_BYTES)
        return [line for number, line in enumerate(lines) if number * LANES // len(lines) == row]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Parts that are multiplied two at once, half of a register of each."""
        parts = self.rounded.packed.parts
        return list(zip(parts[::2], parts[1::2], strict=True)) if self.rounded.in_pairs else []

    @property
    def cuts_columns(self) -> bool:
        """Whether the last rows are fewer."""
        return self.columns % LANES != 0

    @property
    def order(self) -> list[int]:
        """The sums that lanes have when they are added up."""
        return [*range(0, LANES, 2), *range(1, LANES, 2)]

    @property
    def sums(self) -> list[tuple[int, int, int]]:
        """The sums of a step: the first one of their register, the number in it, and the lane."""
        return [
            (start, number, self.order.index(number))
            for start in self.rounded.sums_of_step
            for number in range(self.rounded.register_sums)
        ]

    def filled(self, numbers: Iterable[int]) -> list[int]:
        """The numbers of sums; where a step has fewer than eight, the first one for others."""
        return [number if number < self.rounded.register_sums else 0 for number in numbers]

    def parts_of(self, start: int) -> list[int]:
        """The part of each sum of the register that begins with the sum `start`."""
        share = len(self.rounded.sums_of_part)
        return [(start + number) // share for number in range(self.rounded.register_sums)]

    @property
    def halvings(self) -> Iterator[Halving]:
        """The additions of lanes, until each sum has one."""
        if self._has_whole_registers:
            parts = self.filled(self.lanes)
            for place in range(0, LANES, 2):
                first, second = parts[place : place + 2]
                yield Halving(f"both{place}", f"dot{first}", f"dot{second}", 4)
        for start in self.rounded.sums_of_step:
            yield from self._of_eight(start)

    def _of_eight(self, start: int) -> Iterator[Halving]:
        """The additions of lanes of four registers, each of which has two sums."""
        first, second, third, fourth = self._pairs(start)
        yield Halving(f"low{start}", first, second, 2)
        yield Halving(f"high{start}", third, fourth, 2)
        yield Halving(f"counted{start}", f"low{start}", f"high{start}", 1)

    def _pairs(self, start: int) -> list[str]:
        """The registers that have two sums each, of eight from `start` on."""
        if not self.rounded.has_scales_of_parts:
            return [f"dot{part}" for part in self.parts_of(start)[::2]]
        if self._has_whole_registers:
            return [f"both{place}" for place in range(0, LANES, 2)]
        return [f"dot{part}" for part in self.filled(self.lanes[::2])]

    @property
    def _has_whole_registers(self) -> bool:
        """Whether all lanes of a register are of one sum."""
        return self.rounded.has_scales_of_parts and not self.pairs

    def halves(self, lanes: int) -> dict[int, tuple[int, ...]]:
        """The lanes of two registers that come before others of so many, and those others."""
        halving = Halving("", "", "", lanes)
        return {0: halving.earlier, lanes: halving.later}

    @property
    def turns(self) -> dict[int, tuple[int, ...]]:
        """The lanes of two registers that take turns, in both halves: the first and the last."""
        return _TURNS
