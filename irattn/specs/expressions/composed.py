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
from irattn.specs.expressions.activations import ACTIVATIONS
from irattn.specs.expressions.ops import Kind, UntraceableError

# The kinds of numbers that element types are: floats are f32, and integers int32.
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("f32", "float64", "float"), "float"),
    **dict.fromkeys(("i32", "i64", "int"), "int"),
    "bool": "bool",
}
_TYPES: dict[Kind, type] = {"float": float, "int": int, "bool": bool}
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


def _select(conditions: Any, choices: Any, default: Any = 0) -> Any:
    """NumPy's: the choice of the first condition that holds."""
    for condition, choice in reversed(list(zip(conditions, choices, strict=True))):
        default = np.where(condition, choice, default)
    return default


def _nan_to_num(number: Any, copy: bool = True, nan: float = 0.0) -> Any:
    """A number, and another one for NaN; infinities become the largest numbers of f32."""
    most = float(np.finfo(np.float32).max)
    return np.where(number != number, nan, np.maximum(np.minimum(number, most), -most))


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
    """A number as one of an element type; a float becomes whole towards 0."""
    kind = _kind_of(number, dtype)
    if kind == number.kind:
        return number
    if kind == "bool":
        return number != 0
    whole = number if number.kind == "int" else number.of.note("to_int", number)
    return whole.of.note("to_float", whole) if kind == "float" else whole


def power(number: Any, exponent: Any) -> Any:
    """A power: of products or a root where the exponent is known, by exp and log elsewhere."""
    known, base = constant_of(exponent), constant_of(number)
    if known is None:
        if number.kind != "float" and exponent.kind != "float":
            return _power_of_ints(base, exponent)
        if base == 1:
            return number.of.constant(1.0)
        if base is not None and 0 < base < math.inf:
            return np.exp(exponent * math.log(base))
        return number.of.note("power", _cast(number, float), _cast(exponent, float))
    if known == 0:
        return number.of.constant(_CONSTANTS["float" if isinstance(known, float) else "int"](1))
    if abs(known) == 0.5:
        found = np.sqrt(number)
    elif abs(known) <= 8 and known == int(known):
        factor = _cast(number, float) if isinstance(known, float) else number
        found = math.prod([factor] * (abs(int(known)) - 1), start=factor)
    elif isinstance(known, float) or number.kind == "float":
        return number.of.note("power", _cast(number, float), number.of.constant(float(known)))
    else:
        raise UntraceableError(f"a ** {known} of an int; make it a float")
    if known > 0:
        return found
    if found.kind == "int":
        raise UntraceableError(f"a ** {known} of an int; make it a float")
    return 1.0 / found


def _power_of_ints(base: float | int | None, exponent: Any) -> Any:
    """A power of 2, 4, 8 … as a shift: 0 where its exponent is below 0, as torch's of ints."""
    if base is None or base < 2 or int(base).bit_count() != 1:
        raise UntraceableError(
            "a ** b of ints with a b that is not known yet, where a is no power of 2; make a a "
            "float"
        )
    bits = int(base).bit_length() - 1
    return 1 << (exponent if bits == 1 else exponent * bits)


def constant_of(number: Any) -> float | int | None:
    """The number that stands in the function; None for one that is not known yet."""
    step = number.of.steps[number.at]
    if step.op == "int":
        return int(step.value)
    return float(step.value) if step.op == "float" else None


COMPOSED: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("clip", "clamp"), _clip),
    "clamp_min": lambda number, min: np.maximum(number, min),
    "clamp_max": lambda number, max: np.minimum(number, max),
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
    **dict.fromkeys(("sign", "sgn"), _sign),
    "select": _select,
    "copysign": lambda number, other: np.where(other < 0, -abs(number), abs(number)),
    "hypot": lambda one, other: np.sqrt(one * one + other * other),
    "nan_to_num": _nan_to_num,
    "tan": lambda number: np.sin(number) / np.cos(number),
    "sinh": lambda number: 0.5 * (np.expm1(number) - np.expm1(-number)),
    "cosh": lambda number: 0.5 * (np.exp(number) + np.exp(-number)),
    "logaddexp": lambda one, other: np.maximum(one, other) + np.log1p(np.exp(-abs(one - other))),
    "isnan": lambda number: number != number,
    "isinf": lambda number: abs(number) == math.inf,
    "isfinite": lambda number: abs(number) < math.inf,
    "fix": np.trunc,
    **ACTIVATIONS,
    **dict.fromkeys(("astype", "to", "type"), _cast),
    "type_as": lambda number, other: _cast(number, _TYPES[other.kind]),
    "float": lambda number: _cast(number, float),
    **dict.fromkeys(("int", "long"), lambda number: _cast(number, int)),
    "bool": lambda number: _cast(number, bool),
}
