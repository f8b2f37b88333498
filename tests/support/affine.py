"""Affine values of a rendered graph, as numbers."""

import operator
import re
from collections.abc import Callable
from functools import cache

from iree.compiler import ir

_OPERATORS: dict[type[ir.AffineExpr], Callable[[int, int], int]] = {
    ir.AffineAddExpr: operator.add,
    ir.AffineMulExpr: operator.mul,
    ir.AffineModExpr: operator.mod,
    ir.AffineFloorDivExpr: operator.floordiv,
}


def number_of(text: str, value: str, **known: int) -> int:
    """What a value is, as it is applied first in a graph, where others have these numbers."""
    if value in known:
        return known[value]
    form, operands = _applied(text, value)
    return _evaluated(form, [number_of(text, operand, **known) for operand in operands])


def _evaluated(form: ir.AffineExpr, dims: list[int]) -> int:
    if isinstance(form, ir.AffineDimExpr):
        return dims[form.position]
    if isinstance(form, ir.AffineConstantExpr):
        return form.value
    return _OPERATORS[type(form)](_evaluated(form.lhs, dims), _evaluated(form.rhs, dims))


@cache
def _applied(text: str, value: str) -> tuple[ir.AffineExpr, list[str]]:
    """The result of the map that makes a value, and its operands."""
    any_map = r"affine_map<\([^)]*\)\s*-> \(.*?\)>"
    applied = re.search(rf"%{value} = affine\.apply\s+(#\w+|{any_map})\(([^)]*)\)", text, re.DOTALL)
    assert applied, f"expected an affine.apply that makes %{value}, found none"
    form, operands = applied.groups()
    if form.startswith("#"):
        named = re.search(rf"^{form} = ({any_map})$", text, re.DOTALL | re.MULTILINE)
        assert named, f"expected a map named {form}, found none"
        form = named[1]
    (result,) = ir.Attribute.parse(form, _context()).value.results
    return result, operands.replace("%", "").split(", ")


@cache
def _context() -> ir.Context:
    return ir.Context()
