"""Arrays that a function captures: found among its variables, and read by symbolic index."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import shown
from irattn.specs.expressions.expression import READ_KINDS, SEED, Captured
from irattn.specs.expressions.mask import Mask
from irattn.specs.expressions.number import Number, Steps
from irattn.specs.expressions.ops import UntraceableError


class UnreadableError(UntraceableError, AttributeError):
    """Anything that a function asks of a captured array but to read it."""


# What may be a function of scores, or be called by one.
_FUNCTIONS = (types.FunctionType, types.MethodType, Mask, partial)


class Table:
    """A captured array, or what an index of some axes leaves of it; None is an axis left."""

    def __init__(
        self, of: Steps, array: Captured, index: tuple[Number | None, ...] | None = None
    ) -> None:
        self.of, self.array = of, array
        self.index = (None,) * len(array.shape) if index is None else index

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes that are left."""
        sizes = zip(self.array.shape, self.index, strict=True)
        return tuple(size for size, at in sizes if at is None)

    @property
    def ndim(self) -> int:
        """How many axes are left."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Table | Number]:
        return (self[n] for n in range(len(self)))

    def __getitem__(self, index: Any) -> Table | Number:
        given = index if isinstance(index, tuple) else (index,)
        left = [axis for axis, at in enumerate(self.index) if at is None]
        if any(one is Ellipsis for one in given):
            place = next(n for n, one in enumerate(given) if one is Ellipsis)
            whole = (slice(None),) * (len(left) - len(given) + 1)
            given = (*given[:place], *whole, *given[place + 1 :])
        if len(given) > len(left):
            raise UntraceableError(
                f"{self.array.name}: an index of more numbers than its {len(self.index)} axes"
            )
        at = list(self.index)
        for axis, one in zip(left, given, strict=False):
            if not (isinstance(one, slice) and one == slice(None)):
                at[axis] = self._index(one, axis)
        known = [one for one in at if one is not None]
        if len(known) < len(at):
            return Table(self.of, self.array, tuple(at))
        return self.of.note("read", *known, text=self.array.name)

    def _index(self, given: Any, axis: int) -> Number:
        """One number of an index; negative constants count from the end."""
        name, shape = self.array.name, self.array.shape
        if isinstance(given, int | np.integer) and not isinstance(given, bool):
            if not -shape[axis] <= given < shape[axis]:
                raise UntraceableError(f"{name}: index {given} of an axis of {shape[axis]}")
            return self.of.constant(int(given) % shape[axis])
        if not isinstance(given, Number) or given.kind != "int":
            raise UntraceableError(f"{name}: expected whole numbers as index, got {shown(given)}")
        return given

    def __getattr__(self, name: str) -> Any:
        raise UnreadableError(
            f"{self.array.name}.{name}: functions read an array by index alone; compute it outside"
        )

    def _refused(self, *_: Any, **__: Any) -> Any:
        raise UntraceableError(
            f"{self.array.name}: computing with a whole array; index it, or compute it outside"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refused
    __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __neg__ = __abs__ = __invert__ = _refused
    __and__ = __rand__ = __or__ = __ror__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __eq__ = __ne__ = _refused
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = __array_function__ = __array__ = __bool__ = _refused

    def __repr__(self) -> str:
        return self.array.name


class Arrays:
    """The arrays that functions capture, each noted once under the name of its variable."""

    def __init__(self, of: Steps) -> None:
        self.of = of
        self.values: dict[str, Any] = {}
        self._functions: dict[int, Callable[..., Any]] = {}
        # Lists and dicts that are being looked through: one may hold itself.
        self._open: set[int] = set()

    def without(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with tables in the place of the arrays among its variables."""
        if isinstance(function, Mask):
            return self.without(function.function)
        if isinstance(function, partial):
            named_ones = {name: self._seen(name, one) for name, one in function.keywords.items()}
            others = (self._seen("array", one) for one in function.args)
            return partial(self.without(function.func), *others, **named_ones)
        if isinstance(function, types.MethodType):
            own = self._with_tables("array", function.__self__)
            return types.MethodType(self.without(function.__func__), own)
        if not isinstance(function, types.FunctionType):
            # An object of a class that is called has that method; a builtin has none of Python's.
            called = function.__call__  # type: ignore[operator]
            return self.without(called) if isinstance(called, types.MethodType) else function
        if id(function) not in self._functions:
            self._functions[id(function)] = function
            self._functions[id(function)] = self._rebound(function)
        return self._functions[id(function)]

    def _rebound(self, function: types.FunctionType) -> Callable[..., Any]:
        code = function.__code__
        known = function.__globals__
        of_module = {name: known[name] for name in named(code) if name in known}
        given = function.__defaults__ or ()
        names = code.co_varnames[code.co_argcount - len(given) : code.co_argcount]
        made = types.FunctionType(
            code,
            known | {name: self._seen(name, value) for name, value in of_module.items()},
            function.__name__,
            tuple(map(self._seen, names, given)),
            tuple(map(self._cell, code.co_freevars, function.__closure__ or ())),
        )
        made.__kwdefaults__ = {
            name: self._seen(name, value) for name, value in (function.__kwdefaults__ or {}).items()
        }
        return made

    def _cell(self, name: str, cell: types.CellType) -> types.CellType:
        try:
            return types.CellType(self._seen(name, cell.cell_contents))
        except ValueError:
            # It has nothing yet.
            return cell

    def _seen(self, name: str, value: Any) -> Any:
        """A variable's value as a traced function sees it."""
        if isinstance(value, _FUNCTIONS):
            return self.without(value)
        return self._with_tables(name, value)

    def _with_tables(self, name: str, value: Any) -> Any:
        """An object of a class with tables in the places of the arrays that it keeps."""
        held = self._filled(name, value)
        if held is not value or isinstance(value, types.ModuleType | type):
            return held
        held = getattr(value, "__dict__", None)
        if type(held) is not dict:
            return value
        tables = {key: self._filled(key, one) for key, one in held.items()}
        if all(tables[key] is one for key, one in held.items()):
            return value
        own: Any = type(value)
        made = own.__new__(own)
        made.__dict__.update(tables)
        return made

    def _filled(self, name: str, value: Any) -> Any:
        """A table for an array, a function with tables, and a list, tuple or dict of such."""
        if _is_array(value):
            return self._table(name, value)
        if isinstance(value, _FUNCTIONS):
            return self.without(value)
        items = _items(name, value)
        if not items or id(value) in self._open:
            return value
        self._open.add(id(value))
        filled = [self._filled(own, one) for own, one in items]
        self._open.remove(id(value))
        if all(made is one for made, (_, one) in zip(filled, items, strict=True)):
            return value
        return _of_items(value, filled)

    def _table(self, name: str, value: Any) -> Table | Number:
        """An array as a table; one without axes, which is an input of one number, as that."""
        known = next((own for own, one in self.values.items() if one is value), None)
        if known is None:
            known = self._free_name(name)
            self.of.captured.append(_captured(known, value))
            self.values[known] = value
        table = Table(self.of, next(one for one in self.of.captured if one.name == known))
        return table if value.shape else table[0]

    def _free_name(self, name: str) -> str:
        """The variable's own name, numbered where another array has got it."""
        # MLIR has names of these letters only.
        known = name if name.isascii() else "array"
        numbered = (f"{known}_{n}" for n in range(1, len(self.values) + 2))
        return next(one for one in (known, *numbered) if one not in (*self.values, SEED))


# As what kernels have arrays of other elements.
_READ_AS = {
    **dict.fromkeys(("int64", "int16", "int8", "uint8", "uint16", "uint32", "uint64"), "i32"),
    "float64": "f32",
}


def _is_array(value: Any) -> bool:
    # An object's own `__getattr__` may do anything.
    return hasattr(type(value), "__dlpack__")


def _items(name: str, value: Any) -> list[tuple[str, Any]]:
    """The items of a list, tuple or dict by names for arrays; none of any other value."""
    if type(value) is dict:
        return [(key if str(key).isidentifier() else name, one) for key, one in value.items()]
    if type(value) is list or isinstance(value, tuple):
        return [(name, one) for one in value]
    return []


def _of_items(value: Any, items: list[Any]) -> Any:
    """A list, tuple, named tuple or dict as `value` is, of other items."""
    if isinstance(value, dict):
        return dict(zip(value, items, strict=True))
    return value._make(items) if hasattr(value, "_make") else type(value)(items)


def _captured(name: str, value: Any) -> Captured:
    stored = _READ_AS.get(str(value.dtype).removeprefix("torch.")) or any_name(value.dtype)
    if stored not in READ_KINDS:
        raise UntraceableError(
            f"{name}: expected an array of floats, integers or bools, got {value.dtype} "
            f"{list(value.shape)}"
        )
    return Captured(name, tuple(map(int, value.shape)) or (1,), stored)


def named(code: types.CodeType) -> Iterator[str]:
    """The names of globals that a function, and those within it, may ask for."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from named(constant)
