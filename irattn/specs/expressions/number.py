"""Symbolic numbers: what a traced function computes with, and what notes its steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.core.errors import shown
from irattn.specs.expressions.composed import COMPOSED, power
from irattn.specs.expressions.division import floor_division, remainder, rest, whole_quotient
from irattn.specs.expressions.expression import (
    MOST_STEPS,
    Captured,
    ExpressionStep,
    _kind_of,
)
from irattn.specs.expressions.operators import Operators
from irattn.specs.expressions.ops import OPS, Kind, UntraceableError
from irattn.specs.expressions.words import NO_METHODS, WORDS, rounded_division

_MOST_F32 = float(np.finfo(np.float32).max)


_NO_VARIABLE = (
    "an array made of a number that is not known yet, or read by one; arrays that are read are "
    "variables of the function"
)


class UnknownNumberError(UntraceableError, AttributeError):
    """An attribute of tensors that symbolic numbers lack."""


# What to write in the place of what tensors know of themselves.
_F32 = "; scores are f32, and places i32: write np.float32, torch.float32, or type_as(score)"
_HINTS = {
    **dict.fromkeys(("dtype", "double", "half", "bfloat16"), _F32),
    "device": "; numbers that stand in the function are where it is computed",
    **dict.fromkeys(("shape", "size", "ndim", "dim"), "; functions are of single numbers"),
    **dict.fromkeys(("new_tensor", "new_full"), "; write the number itself"),
}


class Steps:
    """The steps noted so far; each is noted once, and no more than an expression may have."""

    def __init__(self) -> None:
        self.steps: list[ExpressionStep] = []
        self.kinds: list[Kind] = []
        self.captured: list[Captured] = []
        self._known: dict[ExpressionStep, int] = {}

    def note(self, op: str, *operands: Number, text: str | None = None) -> Number:
        """The number that a step gives."""
        step = ExpressionStep(op, tuple(one.at for one in operands), text)
        at = self._known.get(step)
        if at is None:
            kind = _kind_of(step, [one.kind for one in operands], tuple(self.captured))
            assert kind is not None, step
            if len(self.steps) >= MOST_STEPS:
                raise UntraceableError(
                    f"more than {MOST_STEPS} steps; each is computed for each score"
                )
            at = self._known[step] = len(self.steps)
            self.steps.append(step)
            self.kinds.append(kind)
        return Number(self, at)

    def constant(self, value: float | int | bool) -> Number:
        """A number of Python's as a step."""
        return self.note(type(value).__name__, text=repr(value))

    def taken(self, given: Any) -> Number:
        """A number of Python's, or a symbolic one, as a symbolic one."""
        if isinstance(given, Number):
            return given
        value = given.item() if isinstance(given, np.generic) or _is_scalar(given) else given
        if not isinstance(value, bool | int | float):
            raise UntraceableError(f"expected a number, got {_told(given)}")
        if isinstance(value, int) and not -(2**31) <= value < 2**31:
            raise UntraceableError(f"expected an int of 32 bits, got {value}; write it as a float")
        if isinstance(value, float) and _MOST_F32 < abs(value) < math.inf:
            raise UntraceableError(f"expected a number of f32, or infinity, got {value}")
        return self.constant(value)


class Number(Operators["Number"]):
    """One number of a traced function: the step `at` of its steps."""

    __slots__ = ("at", "of")

    def __init__(self, of: Steps, at: int) -> None:
        self.of, self.at = of, at

    @property
    def kind(self) -> Kind:
        """Whether it is a float, an int or a bool."""
        return self.of.kinds[self.at]

    def __repr__(self) -> str:
        step = self.of.steps[self.at]
        return f"<{self.kind} of {step.op}>"

    def _step(self, word: str, *given: Any) -> Number:
        return call(word, *given)

    def __bool__(self) -> bool:
        raise UntraceableError(
            "a choice by a number that is not known yet (if, and, or, not, min, max, a < b < c); "
            "use np.where, np.minimum, np.maximum, &, |, ~"
        )

    def __float__(self) -> float:
        raise UntraceableError(
            "a Python number of one that is not known yet; use np.exp and the like"
        )

    __int__ = __complex__ = __iter__ = __float__

    def __round__(self, digits: int | None = None) -> Number:
        return self._whole("round", *([] if digits is None else [digits]))

    def __floor__(self) -> Number:
        return self._whole("floor")

    def __ceil__(self) -> Number:
        return self._whole("ceil")

    def __trunc__(self) -> Number:
        return self._whole("trunc")

    def _whole(self, word: str, *digits: int) -> Number:
        """An int, as Python's own functions give one."""
        rounded = call(word, self, *digits)
        return rounded if rounded.kind == "int" else self.of.note("to_int", rounded)

    def __index__(self) -> int:
        raise UntraceableError(
            "an index that is not known yet of what is no array; arrays that are read are "
            "variables of the function"
        )

    def new_ones(self, size: Any, *, dtype: Any = None) -> Number:
        """A bool that holds, as torch's `and_masks` begins with."""
        return self._new(True, size, dtype)

    def new_zeros(self, size: Any, *, dtype: Any = None) -> Number:
        """A bool that does not hold, as torch's `or_masks` begins with."""
        return self._new(False, size, dtype)

    def _new(self, value: bool, size: Any, dtype: Any) -> Number:
        if tuple(size) or not str(dtype).endswith("bool"):
            raise UntraceableError(f"a tensor {list(size)} of {dtype}")
        return self.of.constant(value)

    def __getattr__(self, name: str) -> Any:
        """A method of tensors of that name: `(query - key).abs()`."""
        if name.startswith("_") or name in NO_METHODS or name not in {**WORDS, **COMPOSED}:
            raise UnknownNumberError(
                f"{name} of a number that is not known yet{_HINTS.get(name, '')}"
            )
        return lambda *given, **options: _library_call(f"torch.{name}", (self, *given), options)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise UntraceableError(_NO_VARIABLE)

    def __array_ufunc__(self, function: Any, method: str, *given: Any, **options: Any) -> Number:
        if method != "__call__":
            raise UntraceableError(f"np.{function.__name__}.{method}")
        return _library_call(f"np.{function.__name__}", given, options)

    def __array_function__(self, function: Any, _: Any, given: Any, options: Any) -> Number:
        return _library_call(f"np.{function.__name__}", given, options)

    @classmethod
    def __torch_function__(
        cls, function: Any, _: Any, given: Any = (), options: Any = None
    ) -> Number:
        return _library_call(f"torch.{function.__name__}", given, options or {})


def _library_call(name: str, given: Any, options: dict[str, Any]) -> Number:
    """The step that a function of NumPy or torch is."""
    library, _, word = name.partition(".")
    if library == "torch":
        # Methods of tensors, as those of an operator whose other side is one, have such names.
        word = word.removeprefix("__").removesuffix("__")
    if word == "getitem":
        raise UntraceableError(_NO_VARIABLE)
    if WORDS.get(word) == "div" and "rounding_mode" in options:
        word, options = rounded_division(**options), {}
    if word in COMPOSED:
        return COMPOSED[word](*given, **options)  # type: ignore[no-any-return]
    if word not in WORDS or options:
        raise UntraceableError(f"{name}{' with options' if word in WORDS else ''}")
    return call(WORDS[word], *given)


def call(word: str, *given: Any) -> Number:
    """A step, or several, on what a function gives, made one kind as NumPy makes it."""
    of = next((one.of for one in given if isinstance(one, Number)), None)
    if of is None:
        raise UntraceableError("an array where a number is expected; index it")
    numbers = [of.taken(one) for one in given]
    if word in _TURNED:
        return call(_TURNED[word], *reversed(numbers))
    if word in _SPECIAL:
        return _SPECIAL[word](*numbers)
    if word in _OF_BOOLS and {one.kind for one in numbers} == {"bool"}:
        return _of_bools(word, numbers)
    if len(numbers) != OPS[word].count:
        raise UntraceableError(f"{word} of {len(numbers)} numbers")
    if word in ("and", "or") and {one.kind for one in numbers} == {"bool"}:
        known = _decided(word, *numbers)
        return of.note(word, *numbers) if known is None else known
    return of.note(word, *_alike(word, numbers))


def _decided(word: str, *numbers: Number) -> Number | None:
    """The operand that `and` or `or` of bools gives, where the other is a constant."""
    for one, other in (numbers, numbers[::-1]):
        step = one.of.steps[one.at]
        if step.op == "bool":
            return other if step.value == (word == "and") else one
    return None


def _of_bools(word: str, numbers: list[Number]) -> Number:
    """Arithmetic of bools alone: `or` for a sum, `and` for a product; differences are refused."""
    own = _OF_BOOLS[word]
    if own is None:
        raise UntraceableError(f"{word} of bools; use ^ or ~, or np.where with numbers")
    return numbers[0].of.note(own, *numbers) if own in OPS else numbers[0]


def _logical(word: str) -> Callable[..., Number]:
    """A logical function of NumPy, which would make bools of numbers."""

    def logical(*numbers: Number) -> Number:
        if any(one.kind != "bool" for one in numbers):
            raise UntraceableError(f"logical_{word} of what is no bool; compare with 0")
        return call(word, *numbers)

    return logical


def _alike(word: str, numbers: list[Number]) -> list[Number]:
    """Operands of one kind that the op takes: the narrowest that holds all of them."""
    order: tuple[Kind, ...] = ("bool", "int", "float")
    least = max(order.index(one.kind) for one in numbers)
    for kind in order[least:]:
        if kind in OPS[word].takes:
            return [made(one, kind) for one in numbers]
    wanted = " or ".join(OPS[word].takes)
    raise UntraceableError(f"{OPS[word].written.format('a', 'b')} of floats; it takes {wanted}")


def made(number: Number, kind: Kind) -> Number:
    """A number as another kind, no narrower."""
    if number.kind == kind:
        return number
    step = number.of.steps[number.at]
    if step.op in ("bool", "int"):
        # Not each score converts what is a constant.
        return number.of.constant(float(step.value) if kind == "float" else int(step.value))
    if number.kind == "bool":
        return made(number.of.note("to_int", number), kind)
    return number.of.note("to_float", number)


def _where(condition: Number, chosen: Number, other: Number) -> Number:
    if condition.kind != "bool":
        raise UntraceableError(f"where of a condition that is no bool but a {condition.kind}")
    order: tuple[Kind, ...] = ("bool", "int", "float")
    kind = order[max(order.index(chosen.kind), order.index(other.kind))]
    return condition.of.note("where", condition, made(chosen, kind), made(other, kind))


def _of_numbers(divided: Callable[[Number, Number], Number]) -> Callable[..., Number]:
    """A division of two ints, or of two floats where one is a float."""
    return lambda number, divisor: divided(*_alike("sub", [number, divisor]))


def _rounded(word: str) -> Callable[..., Number]:
    """A rounding, of which an int is its own result."""

    def rounded(number: Number, *digits: Number) -> Number:
        if digits:
            raise UntraceableError(f"{word} to digits; multiply before, and divide behind")
        return number.of.note(word, number) if number.kind == "float" else number

    return rounded


_TURNED = {"gt": "lt", "ge": "le", "rsub": "sub"}
_SPECIAL: dict[str, Callable[..., Number]] = {
    "where": _where,
    "floor_div": _of_numbers(floor_division),
    "mod": _of_numbers(rest),
    "trunc_div": _of_numbers(whole_quotient),
    "fmod": _of_numbers(remainder),
    "pow": power,
    **{word: _rounded(word) for word in ("floor", "ceil", "trunc", "round")},
    **{f"logical_{word}": _logical(word) for word in ("and", "or", "xor", "not")},
}

# Of bools: the operation that another is, None for what NumPy refuses.
_OF_BOOLS = {
    **{"add": "or", "maximum": "or", "mul": "and", "minimum": "and", "abs": "same"},
    **{"sub": None, "neg": None},
}


def _is_scalar(given: Any) -> bool:
    """Whether it is an array without axes that the function made itself, as a constant."""
    return hasattr(type(given), "__dlpack__") and getattr(given, "shape", None) == ()


def _told(given: object) -> str:
    return given.name if hasattr(given, "name") and hasattr(given, "index") else shown(given)
