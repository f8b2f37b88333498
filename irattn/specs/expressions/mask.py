"""Masks as values that compose."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irattn.core.errors import SpecError, shown

# What makes a mask, by a name that is found again, and of what.
Made = tuple[Callable[..., "Mask"], tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class Mask:
    """A mask function, of `(batch, head, query, key)`: which keys a query sees.

    `a & b` sees what both see, `a | b` what one of them sees, and `~a` what `a` does not. Masks are
    equal that are made alike, of equal numbers and arrays, or are of one function. One is pickled
    as what it is made of, which a function has to be found by its name for.
    """

    function: Callable[[Any, Any, Any, Any], Any]
    made: Made | None = field(default=None, repr=False)

    def __call__(self, batch: Any, head: Any, query: Any, key: Any) -> Any:
        return self.function(batch, head, query, key)

    def __and__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_both(self.function, _function(other)), (operator.and_, (self, other)))

    def __rand__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_both(_function(other), self.function), (operator.and_, (other, self)))

    def __or__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_either(self.function, _function(other)), (operator.or_, (self, other)))

    def __ror__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_either(_function(other), self.function), (operator.or_, (other, self)))

    def __invert__(self) -> Mask:
        return Mask(_other(self.function), (operator.invert, (self,)))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.made or (Mask, (self.function,))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mask):
            return NotImplemented
        (make, given), (other_make, other_given) = self.__reduce__(), other.__reduce__()
        return make == other_make and all(map(_are_equal, given, other_given))

    def __hash__(self) -> int:
        # Arrays have no hash.
        return hash(self.made[0] if self.made else self.function)

    def __bool__(self) -> bool:
        raise SpecError("mask: and, or and not say nothing of what is seen; compose by &, | and ~")


def _function(mask: Callable[..., Any]) -> Callable[..., Any]:
    if not callable(mask):
        raise SpecError(
            f"mask: expected a mask, or a function of batch, head, query, key, got {shown(mask)}"
        )
    return mask.function if isinstance(mask, Mask) else mask


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two values that masks are made of are the same, arrays by what they hold."""
    if one is other:
        return True
    if hasattr(one, "shape") and hasattr(other, "shape"):
        one, other = (
            np.asarray(each.cpu() if hasattr(each, "cpu") else each) for each in (one, other)
        )
        return one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and bool(one == other)


def _both(one: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *names: one(*names) & other(*names)


def _either(one: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *names: one(*names) | other(*names)


def _other(mask: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *names: ~mask(*names)
