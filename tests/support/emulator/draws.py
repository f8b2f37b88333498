"""Numbers to try opcodes with: at random, and those where floats are special."""

import re
from functools import cache

import numpy as np

from support.emulator.pseudocode_numbers import MANTISSA, Number

# First sources of one instruction, in both orders; a name may have a sign. The last ones are about
# a product that lies between two numbers, which only a sum rounded once gets right.
TUPLES: tuple[tuple[str, ...], ...] = (
    ("zero", "-zero"),
    ("-zero", "zero"),
    ("-zero", "-zero"),
    ("infinity", "-infinity"),
    ("-infinity", "infinity"),
    ("nan", "-one"),
    ("one", "-nan"),
    ("other nan", "nan"),
    ("least", "-most"),
    ("-most", "least"),
    ("most", "most"),
    ("-most", "most"),
    ("-least", "least"),
    ("-greatest subnormal", "least normal"),
    ("least normal", "-greatest subnormal"),
    ("zero", "infinity"),
    ("-infinity", "-zero"),
    ("one", "-one"),
    ("after one", "three halves", "least"),
    ("three halves", "after one", "-least"),
    ("after one", "three halves", "-three halves"),
)
_USUAL = (1.0, -1.0, 0.5, -2.5, 3.0, 255.5)


@cache
def special(name: str, kind: str, width: int) -> int:
    """The bits of a number that is special for a type."""
    places = MANTISSA[kind, width]
    infinity = (1 << width - 1) - (1 << places)
    one = infinity // 2 >> places << places
    sign = (1 << width - 1) * name.startswith("-")
    return (
        sign
        | {
            "zero": 0,
            "least": 1,
            "greatest subnormal": (1 << places) - 1,
            "least normal": 1 << places,
            "one": one,
            "after one": one + 1,
            "three halves": one | 1 << places - 1,
            "most": infinity - 1,
            "infinity": infinity,
            "nan": infinity | 1 << places - 1,
            "other nan": infinity | 1 << places - 1 | 5,
        }[name.removeprefix("-")]
    )


@cache
def may_be(bits: int, kind: str, width: int, name: str) -> bool:
    """Whether a float is one that the guide's text of an opcode is good for."""
    places = MANTISSA[kind, width]
    size = bits & (1 << width - 1) - 1
    if "frexp" in name:
        return size >> places != 0
    if re.search("_ma[cd]", name):
        # Denormal numbers would count as zero.
        return size == 0 or size >> places > 1
    if re.search("sin|cos", name):
        # The texts' own rounding loses the revolutions of large numbers.
        return not 1e4 < Number(kind, width, size).value < np.inf
    return True


def integers(
    rng: np.random.Generator, width: int, shape: tuple[int, ...], name: str, number: int
) -> np.ndarray:
    """Bits of integer sources as uint64."""
    bits = rng.integers(1 << 64, size=shape, dtype=np.uint64)
    small = rng.integers(-40, 41, size=shape).astype(np.uint64)
    if "ldexp" in name and number == 1:
        most = 14 if "f16" in name else 30
        return rng.integers(-most, most + 1, size=shape).astype(np.uint64)
    edges = rng.choice(np.array([0, 1, (1 << width) - 1, 1 << width - 1], np.uint64), shape)
    return np.choose(rng.integers(4, size=shape), [bits, bits, small, edges])


def floats(
    rng: np.random.Generator, kind: str, width: int, shape: tuple[int, ...], name: str
) -> np.ndarray:
    """Floats side by side in uint64, most of them ordinary."""
    drawn = [_floats(rng, kind, width, shape, name) for _ in range(parts(width))]
    return sum(part << np.uint64(width * i) for i, part in enumerate(drawn))


def parts(width: int) -> int:
    """How many floats an instruction may take from one source."""
    return 1 if width == 64 else 2


def _floats(
    rng: np.random.Generator, kind: str, width: int, shape: tuple[int, ...], name: str
) -> np.ndarray:
    low, high = (-8, 8) if width == 16 else (-30, 30)
    values = rng.standard_normal(shape) * 2.0 ** rng.integers(low, high, size=shape)
    values = np.where(rng.random(shape) < 0.15, rng.choice(_USUAL, shape), values)
    if re.search("rndne|nearest|sin|cos", name):
        # Where the texts' own roundings make no difference.
        most = 16 if re.search("rndne|nearest", name) else 2
        values = rng.integers(-most, most + 1, size=shape) / 4.0
    bits = _bits(values, kind, width)
    allowed = _specials(kind, width, name)
    return np.where(rng.random(shape) < 0.15, rng.choice(allowed, shape), bits)


@cache
def _specials(kind: str, width: int, name: str) -> np.ndarray:
    every = [special(n, kind, width) for names in TUPLES for n in names]
    return np.array([bits for bits in every if may_be(bits, kind, width, name)], np.uint64)


def _bits(values: np.ndarray, kind: str, width: int) -> np.ndarray:
    if kind == "BF":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint64)
    return values.astype(f"f{width // 8}").view(f"u{width // 8}").astype(np.uint64)
