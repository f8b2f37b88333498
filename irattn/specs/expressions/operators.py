"""Python's operators of symbolic numbers, each a step by its word."""

from typing import Any, Generic, Self, TypeVar

_Made = TypeVar("_Made")


class Operators(Generic[_Made]):
    """The operators of a number, whose class says with `_step` what a step gives."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _step(self, word: str, *given: Any) -> _Made:
        """The number that a step on what is given makes."""
        raise NotImplementedError

    def __add__(self, other: Any) -> _Made:
        return self._step("add", self, other)

    def __radd__(self, other: Any) -> _Made:
        return self._step("add", other, self)

    def __sub__(self, other: Any) -> _Made:
        return self._step("sub", self, other)

    def __rsub__(self, other: Any) -> _Made:
        return self._step("sub", other, self)

    def __mul__(self, other: Any) -> _Made:
        return self._step("mul", self, other)

    def __rmul__(self, other: Any) -> _Made:
        return self._step("mul", other, self)

    def __truediv__(self, other: Any) -> _Made:
        return self._step("div", self, other)

    def __rtruediv__(self, other: Any) -> _Made:
        return self._step("div", other, self)

    def __floordiv__(self, other: Any) -> _Made:
        return self._step("floor_div", self, other)

    def __rfloordiv__(self, other: Any) -> _Made:
        return self._step("floor_div", other, self)

    def __mod__(self, other: Any) -> _Made:
        return self._step("mod", self, other)

    def __rmod__(self, other: Any) -> _Made:
        return self._step("mod", other, self)

    def __divmod__(self, other: Any) -> tuple[_Made, _Made]:
        return self // other, self % other

    def __pow__(self, other: Any) -> _Made:
        return self._step("pow", self, other)

    def __rpow__(self, other: Any) -> _Made:
        return self._step("pow", other, self)

    def __lt__(self, other: Any) -> _Made:
        return self._step("lt", self, other)

    def __le__(self, other: Any) -> _Made:
        return self._step("le", self, other)

    def __gt__(self, other: Any) -> _Made:
        return self._step("lt", other, self)

    def __ge__(self, other: Any) -> _Made:
        return self._step("le", other, self)

    def __eq__(self, other: Any) -> _Made:  # type: ignore[override]
        return self._step("eq", self, other)

    def __ne__(self, other: Any) -> _Made:  # type: ignore[override]
        return self._step("ne", self, other)

    def __and__(self, other: Any) -> _Made:
        return self._step("and", self, other)

    def __rand__(self, other: Any) -> _Made:
        return self._step("and", other, self)

    def __or__(self, other: Any) -> _Made:
        return self._step("or", self, other)

    def __ror__(self, other: Any) -> _Made:
        return self._step("or", other, self)

    def __xor__(self, other: Any) -> _Made:
        return self._step("xor", self, other)

    def __rxor__(self, other: Any) -> _Made:
        return self._step("xor", other, self)

    def __lshift__(self, other: Any) -> _Made:
        return self._step("left_shift", self, other)

    def __rlshift__(self, other: Any) -> _Made:
        return self._step("left_shift", other, self)

    def __rshift__(self, other: Any) -> _Made:
        return self._step("right_shift", self, other)

    def __rrshift__(self, other: Any) -> _Made:
        return self._step("right_shift", other, self)

    def __invert__(self) -> _Made:
        return self._step("not", self)

    def __neg__(self) -> _Made:
        return self._step("neg", self)

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> _Made:
        return self._step("abs", self)
