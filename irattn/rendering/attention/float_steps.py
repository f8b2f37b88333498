"""Steps of expressions on floats that are several steps of a kernel, the same on all targets.

What IREE makes of `math.sin` and `math.powf` on CPUs is no sine beyond some hundreds, and NaN of
every base below 0.
"""

import math
from collections.abc import Callable
from typing import Protocol

from irattn.rendering.attention.score_steps import NumberPlace
from irattn.specs.expressions import Kind

# Angles up to it are brought to a quarter turn, in three parts of pi / 2 by fused products.
_MOST_RADIANS = 2.0**20
_HALF_PI = (1.5707963705062866, -4.371138828673793e-08, -1.7763568394002505e-15)
_QUARTERS_IN_RADIAN = 0.6366197466850281

# Between -pi / 4 and pi / 4: x + x³ p(x²), and 1 - x² / 2 + x⁴ p(x²) (Cephes, Moshier 1992), whose
# errors are 1.2e-7 of the result with f32's own.
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)

# The ends of what is converted to int32: its least, and the largest f32 below 2**31.
_LEAST, _MOST = -(2.0**31), 2.0**31 - 128


class _Operation(Protocol):
    def __call__(
        self, op: str, kind: Kind, operands: list[NumberPlace], of_kind: Kind
    ) -> NumberPlace: ...


class FloatSteps:
    """Writes steps on floats, and on what becomes of them."""

    def __init__(self, operation: _Operation, constant: Callable[..., NumberPlace]) -> None:
        self._operation, self._constant = operation, constant

    def made(self, op: str, *operands: NumberPlace | float) -> NumberPlace:
        """A float of floats."""
        return self._operation(op, "float", self._places(operands), "float")

    def whole(self, op: str, *operands: NumberPlace | int) -> NumberPlace:
        """An int of ints."""
        return self._operation(op, "int", self._places(operands), "int")

    def compared(self, op: str, *operands: NumberPlace | float) -> NumberPlace:
        """The bool that a comparison of floats gives."""
        return self._operation(op, "bool", self._places(operands), "float")

    def is_odd(self, number: NumberPlace) -> NumberPlace:
        """Whether an int is odd."""
        bit = self.whole("and", number, 1)
        return self._operation("ne", "bool", self._places((bit, 0)), "int")

    def to_int(self, number: NumberPlace) -> NumberPlace:
        """An int of a float between the least one and the largest."""
        return self._operation("convert", "int", [number], "float")

    def _places(self, operands: tuple[NumberPlace | float, ...]) -> list[NumberPlace]:
        return [one if isinstance(one, NumberPlace) else self._constant(one) for one in operands]


def _to_int(steps: FloatSteps, number: NumberPlace) -> NumberPlace:
    """Towards 0, within what int32 has; NaN becomes 0."""
    within = steps.made("minimum", steps.made("maximum", number, _LEAST), _MOST)
    return steps.to_int(steps.made("where", steps.compared("eq", number, number), within, 0.0))


def _circular(quarters: int) -> Callable[[FloatSteps, NumberPlace], NumberPlace]:
    """The sine of an angle, so many quarter turns ahead."""

    def written(steps: FloatSteps, angle: NumberPlace) -> NumberPlace:
        is_near = steps.compared("le", steps.made("abs", angle), _MOST_RADIANS)
        angle = steps.made("where", is_near, angle, 0.0)
        turns = steps.made("round", steps.made("mul", angle, _QUARTERS_IN_RADIAN))
        back = steps.made("neg", turns)
        for part in _HALF_PI:
            angle = steps.made("fma", back, part, angle)
        number = steps.to_int(turns)
        quarter = steps.whole("add", number, quarters) if quarters else number
        found = steps.made(
            "where", steps.is_odd(quarter), _cosine(steps, angle), _sine(steps, angle)
        )
        is_turned = steps.is_odd(steps.whole("shift", quarter, 1))
        signed = steps.made("where", is_turned, steps.made("neg", found), found)
        return steps.made("where", is_near, signed, math.nan)

    return written


def _sine(steps: FloatSteps, angle: NumberPlace) -> NumberPlace:
    square = steps.made("mul", angle, angle)
    bent = steps.made("mul", _polynomial(steps, _SINE, square), square)
    return steps.made("fma", bent, angle, angle)


def _cosine(steps: FloatSteps, angle: NumberPlace) -> NumberPlace:
    square = steps.made("mul", angle, angle)
    bent = steps.made("fma", _polynomial(steps, _COSINE, square), square, -0.5)
    return steps.made("fma", bent, square, 1.0)


def _polynomial(steps: FloatSteps, factors: tuple[float, ...], number: NumberPlace) -> NumberPlace:
    """Horner's scheme, the factor of the highest power first."""
    found: NumberPlace | float = factors[0]
    for factor in factors[1:]:
        found = steps.made("fma", found, number, factor)
    assert isinstance(found, NumberPlace)
    return found


def _power(steps: FloatSteps, base: NumberPlace, exponent: NumberPlace) -> NumberPlace:
    """By the logarithm of the base's size; whole powers alone have a base below 0.

    All powers of 1 are 1, those that are infinite or NaN as well, and so are infinite ones of -1.
    Odd powers of -0 have its sign, which its reciprocal tells: a comparison with 0 does not.
    """
    base_size = steps.made("abs", base)
    product = steps.made("mul", exponent, steps.made("log", base_size))
    is_unit = steps.compared("eq", base_size, 1.0)
    size = steps.made("exp", steps.made("where", is_unit, 0.0, product))
    halved = steps.made("mul", exponent, 0.5)
    is_even = steps.compared("eq", halved, steps.made("trunc", halved))
    is_whole = steps.compared("eq", exponent, steps.made("trunc", exponent))
    signed = steps.made("where", is_even, size, steps.made("neg", size))
    of_zero = steps.made("where", is_whole, signed, size)
    is_negative_zero = steps.compared("eq", steps.made("div", 1.0, base), -math.inf)
    found = steps.made("where", is_negative_zero, of_zero, size)
    of_negative = steps.made("where", is_whole, signed, math.nan)
    found = steps.made("where", steps.compared("lt", base, 0.0), of_negative, found)
    return steps.made("where", steps.compared("eq", exponent, 0.0), 1.0, found)


COMPOSED_STEPS: dict[str, Callable[..., NumberPlace]] = {
    "to_int": _to_int,
    "sin": _circular(0),
    "cos": _circular(1),
    "power": _power,
}
