"""Between which numbers the integers of an expression lie: what needs no care of signs and ends."""

from collections.abc import Mapping
from typing import TypeAlias

from irattn.specs.expressions import Expression, ExpressionStep

Range: TypeAlias = tuple[int, int]

ANY: Range = (-(2**31), 2**31 - 1)

# Keys that a kernel asks about past the last ones, at most: their scores are hidden.
_MOST_BEYOND = 2**16


def ranges_in_kernels(expression: Expression, sizes: Mapping[str, int]) -> list[Range]:
    """The ranges of each step's integers as kernels ask, for keys past the last one, too."""
    return ranges_of(expression, {**sizes, "key": sizes["key"] + _MOST_BEYOND})


def ranges_of(expression: Expression, sizes: Mapping[str, int]) -> list[Range]:
    """The least and the largest of each step's integers; batch, head and so on from 0 to a size.

    Steps of other kinds have any.
    """
    ranges: list[Range] = []
    for step in expression.steps:
        if step.op == "to_int" and expression.kinds[step.operands[0]] == "float":
            ranges.append(ANY)
            continue
        low, high = _range(step, [ranges[one] for one in step.operands], sizes)
        # What may wrap may be anything.
        ranges.append((low, high) if ANY[0] <= low and high <= ANY[1] else ANY)
    return ranges


def _range(step: ExpressionStep, operands: list[Range], sizes: Mapping[str, int]) -> Range:
    if step.op in sizes:
        return 0, sizes[step.op] - 1
    if step.op == "int":
        return int(step.value), int(step.value)
    if step.op == "to_int":
        return 0, 1
    if step.op in ("neg", "abs"):
        (low, high) = operands[0]
        least = 0 if low <= 0 <= high else min(abs(low), abs(high))
        return (-high, -low) if step.op == "neg" else (least, max(abs(low), abs(high)))
    if step.op == "and":
        # Bits that are not in a number above 0 are not in the result.
        tops = [high for low, high in operands if low >= 0]
        return (0, min(tops)) if tops else ANY
    if step.op in ("add", "sub", "mul", "minimum", "maximum", "floor_div", "mod"):
        return _of_two(step.op, *operands)
    return ANY


def _of_two(op: str, left: Range, right: Range) -> Range:
    if op == "add":
        return left[0] + right[0], left[1] + right[1]
    if op == "sub":
        return left[0] - right[1], left[1] - right[0]
    if op == "mul":
        corners = [one * other for one in left for other in right]
        return min(corners), max(corners)
    if op in ("floor_div", "mod") and right[0] <= 0:
        return ANY
    if op == "floor_div":
        corners = [one // other for one in left for other in right]
        return min(corners), max(corners)
    if op == "mod":
        return 0, right[1] - 1
    choose = min if op == "minimum" else max
    return choose(left[0], right[0]), choose(left[1], right[1])
