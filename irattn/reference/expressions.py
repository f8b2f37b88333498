"""Score and mask functions, in float64 and in integers of 32 bits."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irattn.specs.expressions import CONSTANTS, NAMES, Expression, ExpressionStep

_KINDS: dict[str, Any] = {"float": np.float64, "int": np.int32, "bool": np.bool_}


def _left_shift(number: Any, bits: Any) -> Any:
    return np.where((bits < 0) | (bits > 31), np.int32(0), number << (bits & 31))


def _right_shift(number: Any, bits: Any) -> Any:
    return number >> np.where((bits < 0) | (bits > 31), np.int32(31), bits)


def _multiply_high(number: Any, other: Any) -> Any:
    words = (np.asarray(one).astype(np.uint32).astype(np.uint64) for one in (number, other))
    return (np.multiply(*words) >> np.uint64(32)).astype(np.uint32).astype(np.int32)


def _whole(number: Any) -> Any:
    """Ints of bools, and of floats, which go towards 0; as near as int32 and f32 have them."""
    number = np.asarray(number)
    if number.dtype == np.bool_:
        return number.astype(np.int32)
    return np.clip(np.nan_to_num(np.trunc(number)), -(2.0**31), 2.0**31 - 128).astype(np.int32)


def _circular(function: Any) -> Callable[..., Any]:
    """A function of an angle, which is NaN beyond 2**20 radians."""
    return lambda angle: np.where(np.abs(angle) <= 2.0**20, function(angle), np.nan)


def _erf(number: Any) -> Any:
    return np.vectorize(math.erf, otypes=[np.float64])(number)


_MEANINGS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "multiply_high": _multiply_high,
    "div": np.divide,
    "floor_div": np.floor_divide,
    "mod": np.mod,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "left_shift": _left_shift,
    "right_shift": _right_shift,
    "neg": np.negative,
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "where": np.where,
    "to_float": np.float64,
    "to_int": _whole,
    "erf": _erf,
    "log1p": np.log1p,
    "expm1": np.expm1,
    "sin": _circular(np.sin),
    "cos": _circular(np.cos),
    "power": np.power,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
}


def evaluate(
    expression: Expression, arrays: Mapping[str, np.ndarray], names: Mapping[str, Any]
) -> np.ndarray:
    """The values of an expression for scores, batches, heads, queries and keys, broadcast.

    `arrays` are the inputs of a call, by their names.
    """
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for step in expression.steps:
            operands = [values[one] for one in step.operands]
            values.append(value_of_step(expression, step, operands, arrays, names))
    return np.asarray(values[-1])


def value_of_step(
    expression: Expression,
    step: ExpressionStep,
    operands: list[Any],
    arrays: Mapping[str, np.ndarray],
    names: Mapping[str, Any],
) -> Any:
    """The value of one step, of its operands."""
    if step.op in CONSTANTS:
        return _KINDS[step.op](step.value)
    if step.op in NAMES:
        return np.asarray(names[step.op]).astype(_KINDS[NAMES[step.op]])
    if step.op == "read":
        array = expression.array(step.text or "")
        places = zip(operands, array.shape, strict=True)
        index = tuple(np.clip(np.where(at < 0, at + size, at), 0, size - 1) for at, size in places)
        return arrays[array.input_name][index].astype(_KINDS[array.kind])
    return _MEANINGS[step.op](*operands)
