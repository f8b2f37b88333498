"""Where the numbers of quantised weights lie, as lanes of a GPU read them: many with one scale."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import gcd

from irattn.core.weight_formats import weight_format
from irattn.rendering.cache_formats import CacheFormat, cache_format
from irattn.rendering.values import Value


@dataclass(frozen=True)
class Unit:
    """Neighbours of a row that have one scale and the same bits of bytes that are neighbours, too.

    They begin at a `column` of their step, and their bytes at a `place` of the block. Their lowest
    bits are `shift` bits above those of the bytes; a format may have `high` bits at another place.
    """

    column: int
    count: int
    place: int
    shift: int = 0
    scale: int = 0
    high: tuple[int, int] | None = None
    # Where they begin in the unit that they are part of.
    start: int = 0

    def parts(self, most: int) -> list["Unit"]:
        """The units cut to at most so many numbers each."""
        return [
            replace(
                self,
                column=self.column + start,
                count=min(most, self.count),
                place=self.place + start,
                start=start,
                high=self.high and (self.high[0] + start, self.high[1]),
            )
            for start in range(0, self.count, most)
        ]


@dataclass(frozen=True)
class BlockHead:
    """The bytes that a block has besides numbers: so many at a place."""

    place: int
    count: int


@dataclass(frozen=True)
class LaneFormat:
    """A format as lanes read it: blocks of `steps`, with the units and heads of each step.

    `access` is the most bytes that lie so everywhere that they can be read as one number. Numbers
    have `bits`, and as whole numbers `offset` too much.
    """

    name: str
    access: int
    bits: int
    units: Callable[[int, int], list[Unit]]
    heads: Callable[[int, int], list[BlockHead]]
    offset: int = 0
    # The mask of the bits above these, of those formats that have such.
    high_mask: int = 0
    is_float: bool = False
    # Steps of a block; 0 where a step has as many blocks as fit.
    steps: int = 0
    # Bytes of a block's head: a scale, what is added to each number, if there is such, and the
    # numbers' fifth bits, if they are here.
    head: int = 0
    has_least: bool = False
    has_fifths: bool = False

    @property
    def head_halves(self) -> int:
        """The numbers of 16 bits of this head."""
        return self.head // 2

    @property
    def has_bits_apart(self) -> bool:
        """Whether numbers have bits in two places."""
        return self.high_mask != 0 or self.has_fifths

    @property
    def numbers(self) -> CacheFormat:
        """How floats are made of bytes; those of 4 bits are the upper bits of e5m2, moved there."""
        return cache_format("fp8_e5m2" if self.bits == 4 else "fp8_e4m3")

    @property
    def has_half_scale(self) -> bool:
        """Whether a block's numbers have one scale, an f16."""
        return self.name in ("q8_0", "q4_0", "q5_0")

    @property
    def floats(self) -> str | None:
        """The name of the format of these floats; None of whole numbers."""
        return self.numbers.name if self.is_float else None

    def accesses(self, columns: int) -> int:
        """The accesses that read the blocks of so many columns of a row."""
        known = weight_format(self.name)
        return columns // known.elements * known.block_bytes // self.access

    def places_of(self, weight: Value, name: str) -> Value:
        """A weight's bytes as they are read: one by one, or as many at once as lie so always."""
        rows, count = weight.shape
        return Value(f"{name}_places", (rows, int(count) // self.access), f"i{8 * self.access}")

    @property
    def low_mask(self) -> int:
        """The mask of the bits of all bytes of a word."""
        return 0x01010101 * ((1 << self.bits) - 1)


@dataclass(frozen=True)
class LaneRun:
    """Numbers of a lane that lie together: a unit's share of one group of lanes.

    `bytes` and `high` are the names of what they are taken out of, `head` that of their factors.
    """

    name: str
    unit: Unit
    count: int
    place: int
    bytes: str
    high: str | None
    head: str
    # Whether groups have different factors.
    is_shared: bool

    @property
    def first_bit(self) -> int:
        """Where the fifth bit of the first number is in its block's word."""
        return self.unit.column % 32

    @property
    def factor_up(self) -> int:
        """How far the factor of 16 numbers moves to be the upper byte of a word."""
        return 24 - self.unit.start // 16 * 8

    @property
    def alignment(self) -> int:
        """The alignment of its tokens in LDS, in bytes."""
        return min(2 * self.count, 16)


@dataclass(frozen=True)
class Read:
    """The accesses by which a lane reads each of its rows: from its group's `place` on, so many.

    From a group's first to the next group's, `apart` of them, and `turn` from a turn's to the next.
    """

    name: str
    place: int
    count: int
    apart: int
    turn: int
    given_type: str
    type: str

    @property
    def multiple(self) -> int:
        """The number of which the place of each access is a multiple."""
        return gcd(self.turn, self.place, self.apart)

    @property
    def parts(self) -> tuple[int, int, int]:
        """From a turn's place to the next, the first, and from a group's, in such multiples."""
        multiple = self.multiple
        return self.turn // multiple, self.place // multiple, self.apart // multiple

    @property
    def is_turned(self) -> bool:
        """Whether it becomes words."""
        return self.type != self.given_type


@dataclass(frozen=True)
class Carried:
    """The values that a turn leaves to the next."""

    name: str
    type: str


def _of_bytes(block: int, first: int) -> Callable[[int, int], list[Unit]]:
    """The units of blocks of 32 bytes with a number each."""
    return lambda step, columns: [
        Unit(32 * n, 32, block * n + first, scale=n) for n in range(columns // 32)
    ]


def _of_halves(block: int, first: int) -> Callable[[int, int], list[Unit]]:
    """The units of blocks of 16 bytes, whose lower halves have the first 16 numbers."""
    return lambda step, columns: [
        Unit(32 * n + 16 * half, 16, block * n + first, 4 * half, n)
        for n in range(columns // 32)
        for half in range(2)
    ]


def _of_five_bits(step: int, columns: int) -> list[Unit]:
    first, part = 48 + 32 * step, 2 * step
    return [Unit(32 * n, 32, first, 4 * n, part + n, (16, part + n)) for n in range(2)]


def _of_six_bits(step: int, columns: int) -> list[Unit]:
    half, units = step // 2, []
    for n in range(2):
        part = 2 * (step % 2) + n
        place, high = 64 * half + 32 * (part % 2), (128 + 32 * half, 2 * part)
        units.append(Unit(32 * n, 32, place, 4 * (part // 2), 8 * half + 2 * part, high))
    return units


def _one_each(block: int, count: int) -> Callable[[int, int], list[BlockHead]]:
    """The heads of blocks that begin with their scale."""
    return lambda step, columns: [BlockHead(block * n, count) for n in range(columns // 32)]


def _first(*heads: BlockHead) -> Callable[[int, int], list[BlockHead]]:
    """Heads that are read in the first step of a block."""
    return lambda step, columns: [] if step else list(heads)


def _of_factors(step: int, columns: int) -> list[BlockHead]:
    """The heads of q6_k: the scale of all, and two factors of each unit."""
    factors = [BlockHead(192 + unit.scale, 2) for unit in _of_six_bits(step, columns)]
    return [*([] if step else [BlockHead(208, 2)]), *factors]


_K_HEAD = _first(BlockHead(0, 16))
_FORMATS = {
    one.name: one
    for one in (
        LaneFormat("q8_0", 2, 8, _of_bytes(34, 2), _one_each(34, 2), offset=128),
        LaneFormat("q4_0", 2, 4, _of_halves(18, 2), _one_each(18, 2), offset=8),
        *(
            LaneFormat(
                f"q{4 + has_fifths}_{1 if least else 0}",
                access,
                4,
                _of_halves(head + 16, head),
                _one_each(head + 16, head),
                offset=0 if least else 16,
                head=head,
                has_least=least,
                has_fifths=has_fifths,
            )
            for head, access, least, has_fifths in (
                (4, 4, True, False),
                (6, 2, False, True),
                (8, 4, True, True),
            )
        ),
        LaneFormat("mxfp4", 1, 4, _of_halves(17, 1), _one_each(17, 1), is_float=True),
        LaneFormat(
            "q4_k",
            4,
            4,
            lambda step, columns: [
                Unit(32 * n, 32, 16 + 32 * step, 4 * n, 2 * step + n) for n in range(2)
            ],
            _K_HEAD,
            steps=4,
            has_least=True,
        ),
        LaneFormat(
            "q5_k", 4, 4, _of_five_bits, _K_HEAD, high_mask=0x01010101, steps=4, has_least=True
        ),
        LaneFormat("q6_k", 2, 4, _of_six_bits, _of_factors, 32, 0x03030303, steps=4),
        *(
            LaneFormat(
                name, 4, 8, _of_bytes(32, 0), _first(), offset=128, is_float=name[:3] == "fp8"
            )
            for name in ("int8_channel", "fp8_channel", "fp8_block")
        ),
    )
}


def lane_format(name: str) -> LaneFormat:
    """How lanes read the format of that name."""
    return _FORMATS[name]
