"""How far keys may be from queries, where a mask says so in words that attention has of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irattn.specs.expressions.expression import Expression, ExpressionStep


@dataclass(frozen=True)
class DistanceLimits:
    """Keys at most so far behind a query and ahead of it; None where there is no limit.

    `rest` is what else the mask says.
    """

    behind: int | None
    ahead: int | None
    rest: Expression | None


@dataclass(frozen=True)
class _Sum:
    """`query * query_factor + key * key_factor + constant`."""

    query: int
    key: int
    constant: int


def limits_of(mask: Expression) -> DistanceLimits:
    """The limits that all keys must keep which a mask shows, and the rest of it."""
    behind: list[int] = []
    ahead: list[int] = []
    rest = []
    for number in _all_of(mask, len(mask.steps) - 1):
        found = _limits_in(mask, mask.steps[number])
        if found is None or min(limit for _, limit in found) < 0:
            # Windows hold a query's own place.
            rest.append(number)
            continue
        for is_ahead, limit in found:
            (ahead if is_ahead else behind).append(limit)
    return DistanceLimits(min(behind, default=None), min(ahead, default=None), _both(mask, rest))


def _all_of(mask: Expression, number: int) -> list[int]:
    """The steps that must all be true for a step to be."""
    step = mask.steps[number]
    if step.op != "and":
        return [number]
    return [one for operand in step.operands for one in _all_of(mask, operand)]


def _limits_in(mask: Expression, step: ExpressionStep) -> list[tuple[bool, int]] | None:
    """Limits ahead (True) or behind that a comparison is; None where it is none."""
    if step.op not in ("lt", "le"):
        return None
    less, more = step.operands
    if mask.steps[less].op == "abs":
        (inner,) = mask.steps[less].operands
        each = [_sum_of(mask, inner), _turned(_sum_of(mask, inner))]
    else:
        each = [_sum_of(mask, less)]
    limits = [_limit(_less(one, _sum_of(mask, more)), step.op == "lt") for one in each]
    return [one for one in limits if one] if all(limits) else None


def _limit(difference: _Sum | None, is_strict: bool) -> tuple[bool, int] | None:
    """The limit that `difference <= 0` is, or `< 0` where it is strict."""
    if difference is None or difference.query != -difference.key or abs(difference.key) != 1:
        return None
    return difference.key == 1, -difference.constant - is_strict


def _sum_of(mask: Expression, number: int) -> _Sum | None:
    step = mask.steps[number]
    if step.op == "query":
        return _Sum(1, 0, 0)
    if step.op == "key":
        return _Sum(0, 1, 0)
    if step.op == "int":
        return _Sum(0, 0, int(step.value))
    operands = [_sum_of(mask, one) for one in step.operands]
    if step.op == "add":
        return _less(operands[0], _turned(operands[1]))
    if step.op == "sub":
        return _less(*operands)
    return _turned(operands[0]) if step.op == "neg" else None


def _turned(one: _Sum | None) -> _Sum | None:
    return _Sum(-one.query, -one.key, -one.constant) if one else None


def _less(one: _Sum | None, other: _Sum | None) -> _Sum | None:
    if one is None or other is None:
        return None
    constant = one.constant - other.constant
    return _Sum(one.query - other.query, one.key - other.key, constant)


def _both(mask: Expression, results: Sequence[int]) -> Expression | None:
    """A mask that says what all of these steps of another say; None for none."""
    if not results:
        return None
    steps = list(mask.steps)
    last = results[0]
    for one in results[1:]:
        steps.append(ExpressionStep("and", (last, one)))
        last = len(steps) - 1
    return Expression(tuple(steps), mask.captured).up_to(last)
