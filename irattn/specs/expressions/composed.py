"""Functions of NumPy and torch that are several steps of an expression, and casts.

Each is written in functions that are one step, of symbolic numbers and Python's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import shown
from irattn.specs.expressions.ops import Kind, UntraceableError

# The kinds of numbers that element types are: floats are f32, and integers int32.
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("f32", "float64", "float"), "float"),
    **dict.fromkeys(("i32", "i64", "int"), "int"),
    "bool": "bool",
}
_CONSTANTS: dict[Kind, Callable[[int], Any]] = {"float": float, "int": int, "bool": bool}


def _clip(
    number: Any,
    a_min: Any = None,
    a_max: Any = None,
    *,
    min: Any = None,
    max: Any = None,
) -> Any:
    least, most = (a_min if min is None else min), (a_max if max is None else max)
    if least is not None:
        number = np.maximum(number, least)
    return number if most is None else np.minimum(number, most)


def _sign(number: Any) -> Any:
    return np.where(number > 0, 1, np.where(number < 0, -1, 0 * number))


def _leaky_relu(number: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    return np.where(number > 0, number, negative_slope * number)


def _sigmoid(number: Any) -> Any:
    # Beyond this exp would be infinite in f32, and the derivative NaN.
    return 1.0 / (1.0 + np.exp(np.minimum(-number, 80.0)))


def _filled(value: int) -> Callable[..., Any]:
    """A function of a constant of a number's kind, or of an element type."""

    def filled(number: Any, dtype: Any = None) -> Any:
        kind = number.kind if dtype is None else _kind_of(number, dtype)
        return number.of.constant(_CONSTANTS[kind](value))

    return filled


def _kind_of(number: Any, dtype: Any) -> Kind:
    """The kind of an element type that a number may be."""
    name = any_name(dtype) or getattr(dtype, "__name__", str(dtype).removeprefix("torch."))
    if str(name) not in _KINDS:
        raise UntraceableError(f"a number ({number.kind}) as {shown(name)}")
    return _KINDS[str(name)]


def _cast(number: Any, dtype: Any) -> Any:
    """A number as one of an element type, no narrower, or as a bool."""
    kind = _kind_of(number, dtype)
    if kind == number.kind:
        return number
    if kind == "bool":
        return number != 0
    if number.kind == "float":
        raise UntraceableError(f"a number (float) as {kind}")
    whole = number.of.note("to_int", number) if number.kind == "bool" else number
    return whole.of.note("to_float", whole) if kind == "float" else whole


def power(number: Any, exponent: Any) -> Any:
    """A power as products, a root, or by exp and log, as far as that is what NumPy gives."""
    known, base = _constant(exponent), _constant(number)
    if known is None:
        is_whole = isinstance(base, int) and exponent.kind == "int"
        if base is None or is_whole or not 0 < base < math.inf:
            raise UntraceableError("a ** b with a b that is not known yet, and no float a above 0")
        return np.exp(exponent * math.log(base))
    if abs(known) == 0.5:
        found = np.sqrt(number)
    elif 1 <= abs(known) <= 8 and known == int(known):
        factor = _cast(number, float) if isinstance(known, float) else number
        found = math.prod([factor] * (abs(int(known)) - 1), start=factor)
    elif math.isfinite(known) and known != int(known):
        return np.exp(np.log(number) * known)
    else:
        raise UntraceableError(f"a ** {known}; whole numbers go from -8 to 8, without 0")
    if known > 0:
        return found
    if found.kind == "int":
        raise UntraceableError(f"a ** {known} of an int; make it a float")
    return 1.0 / found


def _constant(number: Any) -> float | int | None:
    """The number that stands in the function; None for one that is not known yet."""
    step = number.of.steps[number.at]
    if step.op == "int":
        return int(step.value)
    return float(step.value) if step.op == "float" else None


COMPOSED: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("clip", "clamp"), _clip),
    "clamp_min": lambda number, min: np.maximum(number, min),
    "clamp_max": lambda number, max: np.minimum(number, max),
    "relu": lambda number, inplace=False: np.maximum(number, 0),
    "leaky_relu": _leaky_relu,
    "masked_fill": lambda number, mask, value: np.where(mask, value, number),
    "item": lambda number: number,
    "zeros_like": _filled(0),
    "ones_like": _filled(1),
    "full_like": lambda number, value: number.of.taken(value),
    "square": lambda number: number * number,
    "reciprocal": lambda number: 1.0 / number,
    "rsqrt": lambda number: 1.0 / np.sqrt(number),
    "exp2": lambda number: np.exp(number * math.log(2)),
    "log2": lambda number: np.log(number) * (1 / math.log(2)),
    "log10": lambda number: np.log(number) * (1 / math.log(10)),
    "log1p": lambda number: np.log(1.0 + number),
    "expm1": lambda number: np.exp(number) - 1.0,
    "sign": _sign,
    "sigmoid": _sigmoid,
    "silu": lambda number, inplace=False: number * _sigmoid(number),
    **dict.fromkeys(("astype", "to", "type"), _cast),
    "float": lambda number: _cast(number, float),
    **dict.fromkeys(("int", "long"), lambda number: _cast(number, int)),
    "bool": lambda number: _cast(number, bool),
}
