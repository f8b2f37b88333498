"""Trace a function of scores: call it once with symbolic numbers, and keep the steps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType, TracebackType
from typing import Any

from irattn.core.errors import SpecError
from irattn.specs.expressions.arrays import Arrays
from irattn.specs.expressions.expression import Expression
from irattn.specs.expressions.number import Number, Steps, made
from irattn.specs.expressions.ops import Kind, UntraceableError

# Packages whose lines are not the user's.
_LIBRARIES = ("irattn", "numpy", "torch")


@dataclass(frozen=True)
class Traced:
    """A traced function, and the arrays that it reads, by their names in the expression."""

    expression: Expression
    arrays: dict[str, Any]


def trace(field: str, function: Callable[..., Any], names: tuple[str, ...], kind: Kind) -> Traced:
    """The expression of a Python function of `names`, which gives a number of a kind.

    The function is called once with symbolic numbers: it may use + - * / // % **, comparisons,
    & | ~, abs, and NumPy's or torch's where, minimum, maximum, exp, log, sqrt, tanh, erf, sin, cos,
    floor, ceil, trunc, round, and what is COMPOSED of them. Arrays among its variables are read by
    index, `table[head]` or `table[batch, key]`, and become inputs under their variables' names.
    SpecError names the argument `field` and the line of the function that does something else.
    """
    steps = Steps()
    arrays = Arrays(steps)
    try:
        given = [steps.note(name) for name in names]
        result = _result(steps, arrays.without(function)(*given), kind)
    except Exception as error:
        raise SpecError(
            f"{field}: expected a function of {', '.join(names)} that can be traced; cannot: "
            f"{_reason(error)} ({_place(function, error.__traceback__)})"
        ) from error
    expression = Expression(tuple(steps.steps), tuple(steps.captured)).up_to(result.at)
    return Traced(expression, {one.name: arrays.values[one.name] for one in expression.captured})


def _result(steps: Steps, given: Any, kind: Kind) -> Number:
    number = steps.taken(given)
    if kind == "bool" and number.kind != "bool":
        raise UntraceableError(
            f"the function gives numbers ({number.kind}), where a bool says what is seen"
        )
    return made(number, kind)


def _reason(error: Exception) -> str:
    """The text of an error, with its type where it is none of irattn's."""
    is_own = isinstance(error, UntraceableError | SpecError)
    return str(error) if is_own else f"{type(error).__name__}: {error}"


def _place(function: Any, traceback: TracebackType | None) -> str:
    """The file and the line of the user's code where an error came up."""
    place = " or ".join(_places(function)) or repr(function)
    while traceback:
        frame = traceback.tb_frame
        if not _is_of_library(frame.f_globals.get("__name__")):
            place = f"{frame.f_code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place


def _places(function: Any) -> Iterator[str]:
    """Where the user's functions begin, of which a library may have composed the one given."""
    own = getattr(function, "function", function)
    if not isinstance(own, FunctionType):
        yield repr(function)
    elif not _is_of_library(own.__module__):
        yield f"{own.__code__.co_filename}:{own.__code__.co_firstlineno}"
    else:
        for cell in own.__closure__ or ():
            try:
                held = cell.cell_contents
            except ValueError:
                # It has nothing yet.
                continue
            for one in held if isinstance(held, tuple) else (held,):
                if callable(one) and one is not own:
                    yield from _places(one)


def _is_of_library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _LIBRARIES
