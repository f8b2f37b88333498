"""Affine values of a rendered graph, as numbers."""

import re
from functools import cache


def number_of(text: str, value: str, **known: int) -> int:
    """What a value is, as it is applied first in a graph, where others have these numbers."""
    if value in known:
        return known[value]
    dims, form, operands = _applied(text, value)
    numbers = [number_of(text, operand, **known) for operand in operands]
    return int(eval(form, dict(zip(dims, numbers, strict=True))))


@cache
def _applied(text: str, value: str) -> tuple[list[str], str, list[str]]:
    """The dimensions of the map that makes a value, its result as Python says it, its operands."""
    any_map = r"affine_map<\(([^)]*)\)\s*-> \((.*?)\)>"
    applied = re.search(rf"%{value} = affine\.apply\s+(#\w+|{any_map})\(([^)]*)\)", text, re.DOTALL)
    assert applied, f"expected an affine.apply that makes %{value}, found none"
    alias, dims, form, operands = applied.groups()
    if alias.startswith("#"):
        named = re.search(rf"^{alias} = {any_map}$", text, re.DOTALL | re.MULTILINE)
        assert named, f"expected a map named {alias}, found none"
        dims, form = named.groups()
    form = f"({form})".replace("floordiv", "//").replace("mod", "%")
    return dims.split(", "), form, operands.replace("%", "").split(", ")
