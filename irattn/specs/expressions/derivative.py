"""The derivative of a score function by its score, as steps of an expression of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from irattn.core.errors import SpecError
from irattn.specs.expressions.expression import MOST_STEPS, Expression, ExpressionStep
from irattn.specs.expressions.number import Number, Steps, call
from irattn.specs.expressions.ops import UntraceableError

# The number of a step, and its derivative; None is 0.
_Rule = Callable[[list[Number], list[Number | None], Number], Number | None]


@lru_cache(maxsize=256)
def derivative_of(function: Expression) -> Expression:
    """The derivative of a function by its score, everywhere.

    It is what PyTorch's autograd has: a comparison is flat, `abs` at 0 too, `where` has the
    derivative of what it takes, and of two equal numbers `minimum` and `maximum` take half each.
    What `where` does not take has no part in it, be it NaN.
    """
    steps = Steps()
    steps.captured = list(function.captured)
    try:
        result = _last_derivative(steps, function)
        result = steps.constant(0.0) if result is None else result
    except UntraceableError as error:
        raise SpecError(
            f"score_mod: its derivative takes more than the {MOST_STEPS} steps that an expression "
            "may have; write it shorter"
        ) from error
    return Expression(tuple(steps.steps), tuple(steps.captured)).up_to(result.at)


def _last_derivative(steps: Steps, function: Expression) -> Number | None:
    """The derivative of the last step: of each by those that it takes (forward mode)."""
    numbers: list[Number] = []
    derivatives: list[Number | None] = []
    for step in function.steps:
        taken = [numbers[one] for one in step.operands]
        number = steps.note(step.op, *taken, text=step.text)
        numbers.append(number)
        derivatives.append(
            _derivative(step, taken, [derivatives[one] for one in step.operands], number)
        )
    return derivatives[-1]


def _derivative(
    step: ExpressionStep, taken: list[Number], of: list[Number | None], number: Number
) -> Number | None:
    if step.op == "score":
        return number.of.constant(1.0)
    # Whole numbers and bools rise in steps: between these they are flat.
    if number.kind != "float" or all(one is None for one in of):
        return None
    return _RULES[step.op](taken, of, number)


def _sum(one: Number | None, other: Number | None) -> Number | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other


def _difference(one: Number | None, other: Number | None) -> Number | None:
    if one is None or other is None:
        return one if other is None else -other
    return one - other


def _times(derivative: Number | None, factor: Number) -> Number | None:
    if derivative is None:
        return None
    step = derivative.of.steps[derivative.at]
    return factor if step.op == "float" and step.value == 1.0 else derivative * factor


def _over(derivative: Number | None, divisor: Number) -> Number | None:
    return None if derivative is None else derivative / divisor


def _some(derivative: Number | None, number: Number) -> Number:
    return number.of.constant(0.0) if derivative is None else derivative


def _of_quotient(taken: list[Number], of: list[Number | None], number: Number) -> Number | None:
    return _over(_difference(of[0], _times(of[1], number)), taken[1])


def _of_size(taken: list[Number], of: list[Number | None], number: Number) -> Number | None:
    (one,), derivative = taken, of[0]
    assert derivative is not None
    below = call("where", one < 0.0, -derivative, 0.0)
    return call("where", one > 0.0, derivative, below)


def _of_choice(is_first: Callable[[Number, Number], Number]) -> _Rule:
    """The rule of `minimum` or `maximum`, which takes the first number where `is_first`."""

    def rule(taken: list[Number], of: list[Number | None], number: Number) -> Number | None:
        first, second = (_some(one, number) for one in of)
        half = call("mul", call("add", first, second), 0.5)
        other = call("where", is_first(taken[1], taken[0]), second, half)
        return call("where", is_first(*taken), first, other)

    return rule


def _of_where(taken: list[Number], of: list[Number | None], number: Number) -> Number | None:
    return call("where", taken[0], _some(of[1], number), _some(of[2], number))


def _bell(number: Number) -> Number:
    """The derivative of erf: 2 / sqrt(pi) * exp(-x²)."""
    return (2 / math.sqrt(math.pi)) * call("exp", -(number * number))


def _of_power(taken: list[Number], of: list[Number | None], number: Number) -> Number | None:
    """The derivative of a power by its base, 0 where the exponent is, and by its exponent.

    Of a base of 0 and an exponent from 0 on, the latter is 0.
    """
    base, exponent = taken
    slope = call("where", exponent == 0.0, 0.0, exponent * call("pow", base, exponent - 1.0))
    is_flat = (base == 0.0) & (exponent >= 0.0)
    growth = call("where", is_flat, 0.0, number * call("log", base))
    return _sum(_times(of[0], slope), _times(of[1], growth))


_RULES: dict[str, _Rule] = {
    "add": lambda taken, of, number: _sum(*of),
    "sub": lambda taken, of, number: _difference(*of),
    "mul": lambda taken, of, number: _sum(_times(of[0], taken[1]), _times(of[1], taken[0])),
    "div": _of_quotient,
    "neg": lambda taken, of, number: _difference(None, of[0]),
    "abs": _of_size,
    "exp": lambda taken, of, number: _times(of[0], number),
    "log": lambda taken, of, number: _over(of[0], taken[0]),
    "sqrt": lambda taken, of, number: _over(of[0], number * 2.0),
    "tanh": lambda taken, of, number: _times(of[0], 1.0 - number * number),
    "erf": lambda taken, of, number: _times(of[0], _bell(taken[0])),
    "log1p": lambda taken, of, number: _over(of[0], 1.0 + taken[0]),
    "expm1": lambda taken, of, number: _times(of[0], call("exp", taken[0])),
    "sin": lambda taken, of, number: _times(of[0], call("cos", taken[0])),
    "cos": lambda taken, of, number: _times(of[0], -call("sin", taken[0])),
    "power": _of_power,
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), lambda taken, of, number: None),
    "minimum": _of_choice(lambda one, other: one < other),
    "maximum": _of_choice(lambda one, other: one > other),
    "where": _of_where,
}
