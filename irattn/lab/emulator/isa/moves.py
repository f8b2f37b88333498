"""The bytes that loads and stores move: how many, with a sign or not, into which half."""

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Move:
    """A move of each lane: a load or a store, and how many bytes.

    One or two bytes fill a register, where they are `signed` with their sign, or one `half` of it:
    the other one stays.
    """

    is_load: bool
    bytes: int
    signed: bool = False
    half: int | None = None

    @property
    def words(self) -> int:
        """How many registers it takes."""
        return -(-self.bytes // 4)


_WIDE = {
    f"{way}_b{8 * size}": Move(way == "load", size)
    for way, size in product(("load", "store"), (4, 8, 12, 16))
}
_NARROW = {
    "load_u8": Move(True, 1),
    "load_i8": Move(True, 1, signed=True),
    "load_u16": Move(True, 2),
    "load_i16": Move(True, 2, signed=True),
    "store_b8": Move(False, 1),
    "store_b16": Move(False, 2),
}
# Global memory, buffers and scratch, by what follows their name.
MOVES = {
    **_WIDE,
    **_NARROW,
    **{
        f"load_d16_{high}{what}": Move(True, size, signed=what == "i8", half=half)
        for (half, high), (what, size) in product(
            enumerate(("", "hi_")), (("u8", 1), ("i8", 1), ("b16", 2))
        )
    },
    "store_d16_hi_b8": Move(False, 1, half=1),
    "store_d16_hi_b16": Move(False, 2, half=1),
}
# LDS, the same.
LDS_MOVES = {
    **_WIDE,
    **_NARROW,
    **{
        f"load_{what}_d16{high}": Move(True, size, signed=what == "i8", half=half)
        for (half, high), (what, size) in product(
            enumerate(("", "_hi")), (("u8", 1), ("i8", 1), ("u16", 2))
        )
    },
    "store_b8_d16_hi": Move(False, 1, half=1),
    "store_b16_d16_hi": Move(False, 2, half=1),
}
# LDS at two addresses: what each of them moves, and the unit of their offsets in bytes.
LDS_PAIRS = {
    f"{way}_2addr_{far}b{8 * size}": (Move(way == "load", size), size * (64 if far else 1))
    for way, size, far in product(("load", "store"), (4, 8), ("", "stride64_"))
}
LDS_STORES = {
    f"ds_{name}": move
    for name, move in (*LDS_MOVES.items(), *((n, m) for n, (m, _) in LDS_PAIRS.items()))
    if not move.is_load
}
