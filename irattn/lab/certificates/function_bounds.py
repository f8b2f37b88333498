"""First-order bounds for functions of scores, step by step.

Comparisons, choices and whole numbers are taken as exact arithmetic makes them: first order knows
no jumps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.certificates.rounding import FEW_UNITS, UNIT, Rounded
from irattn.reference.attention import FunctionOfHead
from irattn.reference.expressions import value_of_step
from irattn.specs.expressions import CONSTANTS, ExpressionStep


def function_of(one: FunctionOfHead, score: Rounded, query: np.ndarray, key: np.ndarray) -> Rounded:
    """A function of scores that are rounded, of queries and keys at these places."""
    names = one.names(query=query, key=key, score=score.value)
    values: list[Any] = []
    errors: list[Any] = []
    with np.errstate(all="ignore"):
        for step, kind in zip(one.function.steps, one.function.kinds, strict=True):
            operands = [values[n] for n in step.operands]
            value = value_of_step(one.function, step, operands, one.tensors, names)
            given = [errors[n] for n in step.operands]
            error = _error_of(step, score, value, operands, given) if kind == "float" else 0.0
            values.append(value)
            errors.append(np.where(np.isfinite(value) & np.isfinite(error), error, 0.0))
    shape = np.broadcast_shapes(score.value.shape, np.shape(values[-1]))
    return Rounded(np.broadcast_to(values[-1], shape), np.broadcast_to(errors[-1], shape))


def _error_of(
    step: ExpressionStep, score: Rounded, value: Any, operands: list[Any], errors: list[Any]
) -> Any:
    """The error of a step that gives a float."""
    if step.op == "score":
        return score.error
    if step.op == "read":
        return 0.0
    if step.op in CONSTANTS or step.op == "to_float":
        return UNIT * np.abs(value)
    return _RULES[step.op](value, operands, errors)


def _product(value: Any, operands: list[Any], errors: list[Any]) -> Any:
    (one, other), (of_one, of_other) = operands, errors
    return np.abs(one) * of_other + of_one * np.abs(other) + UNIT * np.abs(value)


def _quotient(value: Any, operands: list[Any], errors: list[Any]) -> Any:
    size = np.abs(value)
    return (errors[0] + size * errors[1]) / np.abs(operands[1]) + FEW_UNITS * size


def _sum(value: Any, operands: list[Any], errors: list[Any]) -> Any:
    return errors[0] + errors[1] + UNIT * np.abs(value)


def _same(value: Any, operands: list[Any], errors: list[Any]) -> Any:
    return errors[0]


def _either(value: Any, operands: list[Any], errors: list[Any]) -> Any:
    return np.maximum(*errors)


def _power(value: Any, operands: list[Any], errors: list[Any]) -> Any:
    """The error of an exponential of a product with a logarithm, which is some units off, too."""
    base, exponent = operands
    logarithm = np.abs(np.log(np.abs(base)))
    of_base = np.abs(exponent / base) * errors[0]
    by_units = FEW_UNITS * (1 + np.abs(exponent) * (1 + logarithm))
    return np.abs(value) * (of_base + logarithm * errors[1] + by_units)


_RULES: dict[str, Callable[[Any, list[Any], list[Any]], Any]] = {
    "add": _sum,
    "sub": _sum,
    "mul": _product,
    "div": _quotient,
    "minimum": _either,
    "maximum": _either,
    "neg": _same,
    "abs": _same,
    "exp": lambda value, _, errors: value * (errors[0] + FEW_UNITS),
    "log": lambda value, given, errors: errors[0] / given[0] + FEW_UNITS * (1 + np.abs(value)),
    "sqrt": lambda value, _, errors: errors[0] / (2 * value) + FEW_UNITS * value,
    # Made of exponentials it has an error relative to 1.
    "tanh": lambda value, _, errors: (1 - value**2) * errors[0] + FEW_UNITS,
    "erf": lambda value, given, errors: (
        2 / np.sqrt(np.pi) * np.exp(-(given[0] ** 2)) * errors[0] + FEW_UNITS * np.abs(value)
    ),
    "log1p": lambda value, given, errors: errors[0] / (1 + given[0]) + FEW_UNITS * np.abs(value),
    "expm1": lambda value, _, errors: (value + 1) * errors[0] + FEW_UNITS * np.abs(value),
    "sin": lambda _, given, errors: np.abs(np.cos(given[0])) * errors[0] + FEW_UNITS,
    "cos": lambda _, given, errors: np.abs(np.sin(given[0])) * errors[0] + FEW_UNITS,
    "power": _power,
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), lambda *_: 0.0),
    "where": lambda _, given, errors: np.where(given[0], errors[1], errors[2]),
}
