"""Divisions to whole numbers, as NumPy has them: of ints by 0 they give 0.

Both numbers are ints, or both are floats. CPUs have no quotient by 0, and none of the least int32
by -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irattn.specs.expressions.composed import constant_of


def floor_division(number: Any, divisor: Any) -> Any:
    """The quotient, rounded down."""
    if number.kind == "float":
        return np.floor(number / divisor)
    known = constant_of(divisor)
    if known is None:
        by, is_negated, is_none = _careful(divisor)
        found = number.of.note("floor_div", number, by)
        return np.where(is_negated, -number, np.where(is_none, 0, found))
    if known == 0:
        return number.of.constant(0)
    if known < 0:
        # It is -a // b of a // -b.
        number, divisor = -number, number.of.taken(-known)
    return number.of.note("floor_div", number, divisor)


def rest(number: Any, divisor: Any) -> Any:
    """The rest beside the quotient that is rounded down, with the divisor's sign."""
    if number.kind == "float":
        return number - np.floor(number / divisor) * divisor
    known = constant_of(divisor)
    if known is None:
        by, is_negated, is_none = _careful(divisor)
        return np.where(is_negated | is_none, 0, number.of.note("mod", number, by))
    if known == 0:
        return number.of.constant(0)
    if known < 0:
        # It is -(-a % b) of a % -b.
        return -number.of.note("mod", -number, number.of.taken(-known))
    return number.of.note("mod", number, divisor)


def whole_quotient(number: Any, divisor: Any) -> Any:
    """The quotient, rounded towards 0."""
    if number.kind == "float":
        return np.trunc(number / divisor)
    found = floor_division(number, divisor)
    is_below = (number < 0) ^ (divisor < 0)
    return np.where(is_below & (found * divisor != number) & (divisor != 0), found + 1, found)


def remainder(number: Any, divisor: Any) -> Any:
    """The rest beside the quotient that is rounded towards 0, with the number's sign."""
    left = number - whole_quotient(number, divisor) * divisor
    return left if number.kind == "float" else np.where(divisor == 0, 0, left)


def _careful(divisor: Any) -> tuple[Any, Any, Any]:
    """An int that may be divided by; whether the divisor is -1, and whether it is 0."""
    is_negated, is_none = divisor == -1, divisor == 0
    return np.where(is_negated | is_none, 1, divisor), is_negated, is_none
