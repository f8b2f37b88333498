"""Masks as values that compose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irattn.core.errors import SpecError


@dataclass(frozen=True)
class Mask:
    """A mask function, of `(batch, head, query, key)`: which keys a query sees.

    `a & b` sees what both see, `a | b` what one of them sees, and `~a` what `a` does not.
    """

    function: Callable[[Any, Any, Any, Any], Any]

    def __call__(self, batch: Any, head: Any, query: Any, key: Any) -> Any:
        return self.function(batch, head, query, key)

    def __and__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_both(self.function, _function(other)))

    def __rand__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_both(_function(other), self.function))

    def __or__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_either(self.function, _function(other)))

    def __ror__(self, other: Callable[..., Any]) -> Mask:
        return Mask(_either(_function(other), self.function))

    def __invert__(self) -> Mask:
        return Mask(_other(self.function))

    def __bool__(self) -> bool:
        raise SpecError("mask: and, or and not say nothing of what is seen; compose by &, | and ~")


def _function(mask: Callable[..., Any]) -> Callable[..., Any]:
    return mask.function if isinstance(mask, Mask) else mask


def _both(one: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *names: one(*names) & other(*names)


def _either(one: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *names: one(*names) | other(*names)


def _other(mask: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *names: ~mask(*names)
