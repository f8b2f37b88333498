"""Numbers of AMD's pseudocode, and the functions that it uses without a definition.

Numbers are bits with a type, `U`, `I`, `B`, `F` or `BF` (bfloat16) and a width. Floats are computed
in float64 and rounded to their type after every step.
"""

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np


class Number(NamedTuple):
    """Bits of a type."""

    kind: str
    width: int
    bits: int

    @property
    def value(self) -> Any:
        """What the bits stand for."""
        if self.kind == "F":
            return float(np.array(self.bits, f"u{self.width // 8}").view(f"f{self.width // 8}"))
        if self.kind == "BF":
            return float(np.array(self.bits << 16, np.uint32).view(np.float32))
        if self.kind == "I" and self.bits >> (self.width - 1):
            return self.bits - (1 << self.width)
        return self.bits


def number(kind: str, width: int, value: Any, *, to_zero: bool = False) -> Number:
    """A number of a type that is nearest to a value, or not further from zero."""
    if kind not in ("F", "BF"):
        return Number(kind, width, int(value) & ((1 << width) - 1))
    value = float(value)
    if kind == "BF":
        bits = int(np.float32(value).view(np.uint32))
        rest = 0x7FFF + (bits >> 16 & 1) if math.isfinite(value) else 0
        return Number("BF", 16, 0x7FC0 if math.isnan(value) else (bits + rest) >> 16)
    with np.errstate(all="ignore"):
        found = np.array(value).astype(f"f{width // 8}")
        if to_zero and abs(float(found)) > abs(value):
            found = np.nextafter(found, found.dtype.type(0))
    return Number(kind, width, int(found.view(f"u{width // 8}")))


TRUE, FALSE = Number("U", 1, 1), Number("U", 1, 0)


def type_of(name: str) -> tuple[str, int]:
    """`f32` as kind and width."""
    letters = name.rstrip("0123456789")
    return letters.upper(), int(name[len(letters) :])


COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    # Less or greater, so not for NaN.
    "<>": lambda a, b: a < b or a > b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
FLOAT = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
INTEGER = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def computed(function: Any, *given: float) -> float:
    with np.errstate(all="ignore"):
        return float(function(*(np.float64(x) for x in given)))


def _fma(a: float, b: float, c: float, width: int) -> Number:
    """Rounded once."""
    if not all(map(math.isfinite, (a, b, c))) or 0 in (a, b):
        return number("F", width, computed(np.add, computed(np.multiply, a, b), c))
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return number("F", width, computed(np.add, computed(np.multiply, a, b), c))
    return _rounded(exact, width)


def _rounded(exact: Fraction, width: int) -> Number:
    """The nearest of the two neighbours that a first rounding has."""
    try:
        first = number("F", width, float(exact))
    except OverflowError:
        return number("F", width, math.inf if exact > 0 else -math.inf)
    if not math.isfinite(first.value):
        return first
    near = [first]
    for step in (-1, 1):
        bits = first.bits + step
        if 0 <= bits < 1 << width and math.isfinite(Number("F", width, bits).value):
            near.append(Number("F", width, bits))
    return min(near, key=lambda n: (abs(Fraction(n.value) - exact), n.bits & 1))


MANTISSA = {("F", 16): 10, ("BF", 16): 7, ("F", 32): 23, ("F", 64): 52}
_ONE_ARGUMENT = {
    "floor": np.floor,
    "trunc": np.trunc,
    "sqrt": np.sqrt,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "fract": lambda x: x - np.floor(x),
}


def function(name: str, given: list[Number], to_zero: bool) -> Any:
    """Functions that the guides use without a definition."""
    a = given[0]
    if name in _ONE_ARGUMENT:
        return number("F", a.width, computed(_ONE_ARGUMENT[name], a.value))
    if name == "fma":
        return _fma(*(n.value for n in given), a.width)
    if name == "pow":
        return number("F", a.width, computed(np.power, a.value, given[1].value))
    if name == "ldexp":
        return number("F", a.width, computed(np.multiply, a.value, 2.0 ** given[1].value))
    if name == "signext":
        return number("I", 64, Number("I", a.width, a.bits).value)
    if name == "signext_from_bit":
        width = given[1].value
        value = Number("I", width, a.bits & ((1 << width) - 1)).value if width else 0
        return number("I", a.width, value)
    if name == "sign":
        return Number("U", 1, a.bits >> (a.width - 1))
    if name == "abs":
        return Number(a.kind, a.width, a.bits & ((1 << (a.width - 1)) - 1))
    if name == "exponent":
        places = MANTISSA[a.kind, a.width]
        return number("I", 32, a.bits >> places & ((1 << (a.width - 1 - places)) - 1))
    if name == "mantissa":
        return number("F", a.width, math.frexp(a.value)[0])
    if name == "isEven":
        return TRUE if a.value % 2 == 0 else FALSE
    if name in ("isNAN", "isQuietNAN", "isSignalNAN"):
        # A conversion to f64 makes every NaN a quiet one.
        return TRUE if name != "isSignalNAN" and math.isnan(a.value) else FALSE
    if name == "cvtToQuietNAN":
        return number("F", a.width, math.nan)
    if name.startswith("s_ff1_i32_"):
        # The lowest bit that is set; exec is never empty here.
        return number("I", 32, (a.bits & -a.bits).bit_length() - 1)
    # By the name of an instruction, or as `f32_to_i32`.
    target = name.split("_")[2]
    if target in ("snorm", "unorm"):
        least, most = (-32767, 32767) if target == "snorm" else (0, 65535)
        value = (
            0.0 if math.isnan(a.value) else min(max(a.value, math.copysign(least != 0, least)), 1.0)
        )
        return number("I", 16, round(value * most))
    return _converted(a, *type_of(target), to_zero)


def _converted(a: Number, kind: str, width: int, to_zero: bool) -> Number:
    """Conversions between types of numbers: integers are cut off and kept in range."""
    if kind in ("F", "BF"):
        return number(kind, width, a.value, to_zero=to_zero)
    if math.isnan(a.value):
        return number(kind, width, 0)
    least, most = (
        (-(1 << width - 1), (1 << width - 1) - 1) if kind == "I" else (0, (1 << width) - 1)
    )
    value = a.value if math.isinf(a.value) else math.trunc(a.value)
    return number(kind, width, max(least, min(most, value)))
