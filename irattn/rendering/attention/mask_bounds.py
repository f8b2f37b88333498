"""Bounds of masks over a rectangle of scores, by intervals: what may, and what must be shown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from irattn.rendering.attention.mask_steps import BoundSteps, Interval, Truth
from irattn.rendering.attention.score_ranges import ANY, ranges_in_kernels
from irattn.rendering.attention.score_steps import (
    MOST_BITS,
    ScoreStep,
    captured_arrays,
)
from irattn.specs.expressions import CONSTANTS, NAMES, Expression, ExpressionStep, Kind
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True, kw_only=True)
class MaskBounds:
    """Steps on the first and the last of a rectangle's numbers, which a kernel takes as scalars.

    `may` is false only where the mask shows no score of the rectangle, `must` true only where it
    shows all; None of either where the steps do not tell. `asks` are the names whose numbers the
    steps take, `%NAME_query_first` and `%NAME_query_last`; of `single` ones the first alone.
    """

    name: str
    steps: list[ScoreStep]
    may: str | None
    must: str | None
    asks: list[str]
    single: set[str]


@dataclass(frozen=True, kw_only=True)
class ShownScores:
    """The bounds of a mask that a kernel asks, where they tell something.

    Whether it may show anything of a `tile` in a step, whether it shows all of a `block` of rows
    there, and whether it may show anything of that block and of some `keys` of the step.
    """

    tile: MaskBounds | None
    block: MaskBounds | None
    keys: MaskBounds | None


def shown_scores(spec: AttentionFeatures, heads: int, heads_of_block: int) -> ShownScores:
    """The bounds for tiles of so many heads, and for blocks of rows of so many."""
    tile = mask_bounds(spec, "shown_tile", is_of_one_head=heads == 1)
    block, keys = (
        mask_bounds(spec, name, is_of_one_head=heads_of_block == 1)
        for name in ("shown_block", "shown_keys")
    )
    return ShownScores(
        tile=tile if tile and tile.may else None,
        block=block if block and block.must else None,
        keys=keys if keys and keys.may else None,
    )


_Known: TypeAlias = Interval | Truth | None


def mask_bounds(spec: AttentionFeatures, name: str, *, is_of_one_head: bool) -> MaskBounds | None:
    """The bounds of a spec's mask function; None where intervals say nothing of it."""
    if spec.mask_mod is None:
        return None
    single = {"batch", *(["head"] if is_of_one_head else [])}
    return _Bounding(spec, spec.mask_mod, name, single).bounds()


class _Bounding:
    """A mask on its way to bounds: of each step, what is known."""

    def __init__(
        self, spec: AttentionFeatures, mask: Expression, name: str, single: set[str]
    ) -> None:
        self.mask, self.name, self.single = mask, name, single
        self.ranges = ranges_in_kernels(mask, spec.function_sizes)
        self.arrays = {array.name: array for array in captured_arrays(spec)}
        self.steps = BoundSteps(name)
        self.known: list[_Known] = []

    def bounds(self) -> MaskBounds | None:
        """All steps, and what is known of the last one."""
        for number, step in enumerate(self.mask.steps):
            self.known.append(self._known(number, step))
        result = self._truth(len(self.known) - 1)
        if result == Truth():
            return None
        return MaskBounds(
            name=self.name,
            steps=self.steps.all,
            may=result.may,
            must=result.must,
            asks=[name for name in NAMES if name in self.mask.names],
            single=self.single,
        )

    def _known(self, number: int, step: ExpressionStep) -> _Known:
        kind = self.mask.kinds[number]
        if step.op in NAMES:
            last = "first" if step.op in self.single else "last"
            return Interval(f"%{self.name}_{step.op}_first", f"%{self.name}_{step.op}_{last}")
        if step.op in CONSTANTS:
            return self._constant_step(step)
        if step.op == "read":
            return self._read(step, kind)
        if kind == "bool":
            return self._truth_of(step)
        if kind == "int" and self.ranges[number] != ANY:
            return self._interval_of(step)
        # Floats, and what may wrap.
        return None

    def _constant_step(self, step: ExpressionStep) -> _Known:
        if step.op == "int":
            return Interval.of(self.steps.constant(int(step.value)))
        if step.op == "bool":
            held = self.steps.add("constant", "bool", value=bool(step.value))
            return Truth(must=held) if step.value else Truth(may=held)
        return None

    def _read(self, step: ExpressionStep, kind: Kind) -> _Known:
        """An element, or those of a row: only the last axis may have more than one index."""
        at = [self.known[one] for one in step.operands]
        if kind == "float" or not all(isinstance(one, Interval) for one in at):
            return None
        indices = [one for one in at if isinstance(one, Interval)]
        ends = indices[-1]
        # Below zero, an index counts from the end: elements of both kinds are no run.
        is_run = ends.is_single or self.ranges[step.operands[-1]][0] >= 0
        if not is_run or not all(one.is_single for one in indices[:-1]):
            return None
        captured = self.mask.array(step.text or "")
        array = self.arrays[captured.input_name]
        low, high = (
            self.steps.place([*(one.low for one in indices[:-1]), end], captured.shape)
            for end in (ends.low, ends.high)
        )
        if low == high:
            element = self.steps.add("read", kind, low, array=array)
            return Truth(element, element) if kind == "bool" else Interval.of(element)
        return self.steps.elements(array, kind, low, high)

    # Whole numbers.

    def _interval_of(self, step: ExpressionStep) -> _Known:
        if step.op == "to_int":
            return self._number_of(self._truth(step.operands[0]))
        if step.op == "where":
            return self._chosen(step)
        each = [self.known[one] for one in step.operands]
        intervals = [one for one in each if isinstance(one, Interval)]
        if len(intervals) < len(each) or step.op not in _INTERVALS:
            return None
        return _INTERVALS[step.op](self, step, *intervals)

    def _number_of(self, truth: Truth) -> _Known:
        low = (
            self.steps.add("to_int", "int", truth.must, of="bool")
            if truth.must
            else self.steps.constant(0)
        )
        high = (
            self.steps.add("to_int", "int", truth.may, of="bool")
            if truth.may
            else self.steps.constant(1)
        )
        return Interval(low, high)

    def _chosen(self, step: ExpressionStep) -> _Known:
        condition = self._truth(step.operands[0])
        one, other = (self.known[operand] for operand in step.operands[1:])
        if not (isinstance(one, Interval) and isinstance(other, Interval)):
            return None
        ends = []
        for op, end, beside in (("minimum", one.low, other.low), ("maximum", one.high, other.high)):
            chosen = self.steps.number(op, end, beside)
            if condition.may:
                chosen = self.steps.add("where", "int", condition.may, chosen, beside)
            if condition.must:
                chosen = self.steps.add("where", "int", condition.must, end, chosen)
            ends.append(chosen)
        return Interval(*ends)

    def _rising(self, step: ExpressionStep, one: Interval, other: Interval) -> Interval:
        """A number that rises with both operands."""
        low = self.steps.number(step.op, one.low, other.low)
        return Interval(low, self.steps.number(step.op, one.high, other.high))

    def _subtracted(self, step: ExpressionStep, one: Interval, other: Interval) -> _Known:
        return self._rising(step, one, Interval(other.high, other.low))

    def _negated(self, _: ExpressionStep, one: Interval) -> Interval:
        nothing = self.steps.constant(0)
        return Interval(
            self.steps.number("sub", nothing, one.high), self.steps.number("sub", nothing, one.low)
        )

    def _absolute(self, step: ExpressionStep, one: Interval) -> _Known:
        turned = self._negated(step, one)
        least = self.steps.number(
            "maximum", self.steps.number("maximum", one.low, turned.low), self.steps.constant(0)
        )
        return Interval(least, self.steps.number("maximum", one.high, turned.high))

    def _multiplied(self, step: ExpressionStep, one: Interval, other: Interval) -> _Known:
        """A product of which one factor has a sign that is known, and is single or of one sign."""
        factors = list(zip((one, other), step.operands, strict=True))
        for (by, number), (of, of_number) in (factors, factors[::-1]):
            low, high = self.ranges[number]
            if by.is_single and (low >= 0 or high <= 0):
                turned = Interval(of.high, of.low) if high <= 0 else of
                return self._rising(step, turned, by)
            if low >= 0 and self.ranges[of_number][0] >= 0:
                return self._rising(step, of, by)
        return None

    def _divided(self, step: ExpressionStep, one: Interval, by: Interval) -> _Known:
        """A division by a constant."""
        return self._shares(one, by) if self._is_constant(step.operands[1]) else None

    def _is_constant(self, number: int) -> bool:
        return self.mask.steps[number].op == "int"

    def _shares(self, one: Interval, by: Interval) -> Interval:
        low = self.steps.number("floor_div", one.low, by.low)
        return Interval(low, self.steps.number("floor_div", one.high, by.low))

    def _shifted(self, step: ExpressionStep, one: Interval, by: Interval) -> _Known:
        """A shift to the right, by bits that are the same everywhere."""
        low, high = self.ranges[step.operands[1]]
        if not by.is_single or low < 0 or high > MOST_BITS:
            return None
        return Interval(
            self.steps.number("shift", one.low, by.low),
            self.steps.number("shift", one.high, by.low),
        )

    def _rest(self, step: ExpressionStep, one: Interval, by: Interval) -> _Known:
        """The rest of a division by a constant: in order where the whole part is the same."""
        if not self._is_constant(step.operands[1]):
            return None
        shares = self._shares(one, by)
        is_same = self.steps.add("eq", "bool", shares.low, shares.high, of="int")
        whole = self.steps.number("mul", shares.low, by.low)
        most = self.steps.number("sub", by.low, self.steps.constant(1))
        ends = ((one.low, self.steps.constant(0)), (one.high, most))
        return Interval(
            *(
                self.steps.add(
                    "where", "int", is_same, self.steps.number("sub", end, whole), beyond
                )
                for end, beyond in ends
            )
        )

    # What is true or not.

    def _truth_of(self, step: ExpressionStep) -> Truth:
        if step.op in ("lt", "le", "eq", "ne"):
            return self._compared(step)
        given = [self._truth(one) for one in step.operands]
        if step.op == "and":
            return self.steps.both(*given)
        if step.op == "or":
            return self.steps.either(*given)
        if step.op == "not":
            return self.steps.turned(given[0])
        if step.op == "xor":
            one, other = given
            return self.steps.picked(one, self.steps.turned(other), other)
        return self.steps.picked(*given) if step.op == "where" else Truth()

    def _truth(self, number: int) -> Truth:
        known = self.known[number]
        return known if isinstance(known, Truth) else Truth()

    def _compared(self, step: ExpressionStep) -> Truth:
        one, other = (self.known[operand] for operand in step.operands)
        if not (isinstance(one, Interval) and isinstance(other, Interval)):
            return Truth()
        if step.op in ("lt", "le"):
            may = self.steps.comparison(step.op, one.low, other.high)
            return Truth(may, self.steps.comparison(step.op, one.high, other.low))
        within = ((one.low, other.high), (other.low, one.high))
        meets = [self.steps.comparison("le", *ends) for ends in within]
        is_same = [self.steps.comparison("eq", *ends) for ends in within]
        equal = Truth(
            self.steps.add("and", "bool", *meets), self.steps.add("and", "bool", *is_same)
        )
        return equal if step.op == "eq" else self.steps.turned(equal)


_INTERVALS: dict[str, Callable[..., _Known]] = {
    "add": _Bounding._rising,
    "minimum": _Bounding._rising,
    "maximum": _Bounding._rising,
    "sub": _Bounding._subtracted,
    "neg": _Bounding._negated,
    "abs": _Bounding._absolute,
    "mul": _Bounding._multiplied,
    "floor_div": _Bounding._divided,
    "mod": _Bounding._rest,
    "right_shift": _Bounding._shifted,
}
