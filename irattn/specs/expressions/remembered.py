"""Remember what a function was traced as, for as long as all that it reads is the same.

A model's layers call with the same function one after the other, and to trace it takes longer than
all else that a call has to find out.
"""

import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from irattn.specs.expressions.arrays import named
from irattn.specs.expressions.mask import Mask

_T = TypeVar("_T")
# Variables by name; of an array its shape and type, too, which may change in place.
_Variables = list[tuple[Any, Any]]

# Values that stay what they are, and modules of which nobody expects that they do not.
_FIXED = (
    *(bool, int, float, str, type(None), np.generic, np.ufunc),
    *(types.BuiltinFunctionType, types.CodeType, type(np.where)),
)
_LIBRARIES = ("math", "numpy", "torch")

_known: WeakKeyDictionary[Any, dict[str, tuple[_Variables, Any]]] = WeakKeyDictionary()


def remembered(field: str, function: Any, make: Callable[[], _T]) -> _T:
    """The value of `make`, or the one that it gave for the field and this function before.

    It is made anew where a variable that the function may read has another value, or one of which
    it is not known whether it has changed.
    """
    key = function.function if isinstance(function, Mask) else function
    if not isinstance(key, types.FunctionType):
        return make()
    variables = _variables(key)
    if variables is None:
        return make()
    of_function = _known.setdefault(key, {})
    if field in of_function and _are_same(of_function[field][0], variables):
        return of_function[field][1]  # type: ignore[no-any-return]
    made = make()
    of_function[field] = variables, made
    return made


def _are_same(before: _Variables, now: _Variables) -> bool:
    return len(before) == len(now) and all(
        name == other and value is own
        for (name, value), (other, own) in zip(before, now, strict=True)
    )


def _variables(function: types.FunctionType) -> _Variables | None:
    """All that a function and those that it calls read, None where something may change unseen.

    A function that reads itself is none of these: it would be kept for ever.
    """
    found: _Variables = []
    waiting: list[tuple[str, Any]] = list(_read(function))
    while waiting:
        name, value = waiting.pop()
        if value is function:
            return None
        if any(value is known for _, known in found):
            found.append((name, value))
        elif isinstance(value, Mask):
            found.append((name, value))
            waiting.append((name, value.function))
        elif isinstance(value, types.FunctionType):
            found.append((name, value))
            waiting += _read(value)
        elif hasattr(value, "__dlpack__"):
            found.append(((name, tuple(value.shape), value.dtype), value))
        elif _is_fixed(value):
            found.append((name, value))
        else:
            return None
    return found


def _read(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The code of a function, and the variables that it may read, by name."""
    code = function.__code__
    yield "", code
    for name in named(code):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    yield from zip(code.co_freevars, map(_content, function.__closure__ or ()), strict=True)
    yield from ((f"default {n}", one) for n, one in enumerate(function.__defaults__ or ()))
    yield from (function.__kwdefaults__ or {}).items()


def _content(cell: types.CellType) -> Any:
    """The content of a cell; the cell where it has none yet, which is nothing fixed."""
    try:
        return cell.cell_contents
    except ValueError:
        return cell


def _is_fixed(value: Any) -> bool:
    if isinstance(value, types.ModuleType):
        return value.__name__ in _LIBRARIES
    if isinstance(value, tuple):
        return all(map(_is_fixed, value))
    return isinstance(value, _FIXED)
