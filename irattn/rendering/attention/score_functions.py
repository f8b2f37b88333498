"""Score and mask functions as steps of a kernel: each on numbers of a row, or of all its scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irattn.rendering.attention.float_steps import COMPOSED_STEPS, FloatSteps
from irattn.rendering.attention.score_ranges import Range, ranges_in_kernels
from irattn.rendering.attention.score_steps import (
    MOST_BITS,
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    ScoreStep,
    captured_arrays,
)
from irattn.rendering.attention.whole_shares import whole_share
from irattn.specs.expressions import (
    CONSTANTS,
    NAMES,
    Expression,
    ExpressionStep,
    HasFunctions,
    Kind,
)

# The whole numbers up to it are numbers of f32.
_MOST_EXACT = 2**24


@dataclass(frozen=True)
class KeySum:
    """A whole number `base + factor * offset`, where the offset tells a score's key in a step.

    What is added to keys is added to the base, once for a row: one addition is left for each score,
    or none where the number is compared.
    """

    base: NumberPlace
    factor: int


def score_functions(
    spec: HasFunctions,
    places: Mapping[str, NumberPlace],
    levels: Sequence[str],
    has_neighbours: bool = True,
    multiplies_shares: bool = False,
) -> dict[str, ScoreFunction]:
    """The functions of a spec by field, with what they are functions of in these places.

    `first_key` is that of a step, and `offset` a score's from there on. `levels` are those that a
    number may differ at, the last one that of scores. `has_neighbours` says that elements of keys
    that lie one after the other are read at once, and `multiplies_shares` that divisions by
    constants are products (Target's).
    """
    cares = (has_neighbours, multiplies_shares)
    return {
        field: _Writing(field, function, spec, places, levels, *cares).function()
        for field, function in spec.functions.items()
    }


class _Writing:
    """One function on its way to steps."""

    def __init__(
        self,
        field: str,
        function: Expression,
        spec: HasFunctions,
        places: Mapping[str, NumberPlace],
        levels: Sequence[str],
        has_neighbours: bool,
        multiplies_shares: bool,
    ) -> None:
        self.has_neighbours, self.multiplies_shares = has_neighbours, multiplies_shares
        self.field, self.expression, self.places, self.levels = field, function, places, levels
        self.arrays = {array.name: array for array in captured_arrays(spec)}
        self.ranges = ranges_in_kernels(function, spec.function_sizes)
        self.steps: list[ScoreStep] = []
        # The numbers of the expression, each in its place, and those broadcast to another level.
        self.known: list[NumberPlace | KeySum] = []
        self.made: dict[KeySum, NumberPlace] = {}
        self.broadcasts: dict[tuple[str, str], NumberPlace] = {}

    def function(self) -> ScoreFunction:
        """All steps, and the result for each score."""
        for number, (step, kind) in enumerate(
            zip(self.expression.steps, self.expression.kinds, strict=True)
        ):
            self.known.append(self._written(number, step, kind))
        result = self._at(self._place(-1), self.levels[-1], self.expression.kind)
        return ScoreFunction(steps=self.steps, result=result.name, asks=self.expression.names)

    def _written(self, number: int, step: ExpressionStep, kind: Kind) -> NumberPlace | KeySum:
        if step.op == "key":
            return KeySum(self.places["first_key"], 1)
        if step.op in NAMES:
            return self.places[step.op]
        if step.op in CONSTANTS:
            return self._add("constant", kind, self.levels[0], [], value=step.value)
        if step.op == "read":
            return self._read(step, kind)
        if (summed := self._summed(step, number)) is not None:
            return summed
        operands = [self._place(one) for one in step.operands]
        of_kind = self.expression.kinds[step.operands[-1]]
        if step.op in ("floor_div", "mod"):
            return self._divided(step, operands)
        if step.op in ("left_shift", "right_shift"):
            return self._shifted(step, operands)
        if step.op in COMPOSED_STEPS and of_kind == "float":
            return COMPOSED_STEPS[step.op](FloatSteps(self._operation, self._constant), *operands)
        return self._operation(step.op, kind, operands, of_kind)

    def _operation(
        self, op: str, kind: Kind, operands: list[NumberPlace], of_kind: Kind
    ) -> NumberPlace:
        """An operation at the level of the operand that differs most."""
        level = max((one.level for one in operands), key=self.levels.index)
        kinds: list[Kind] = [of_kind] * len(operands)
        if op == "where":
            kinds[0] = "bool"
        same = [self._at(one, level, own) for one, own in zip(operands, kinds, strict=True)]
        return self._add(op, kind, level, [one.name for one in same], of_kind=of_kind)

    def _summed(self, step: ExpressionStep, number: int) -> NumberPlace | KeySum | None:
        """A step on sums with keys that leaves one, or that compares or converts them."""
        numbers = [self.known[one] for one in step.operands]
        if not any(isinstance(one, KeySum) for one in numbers):
            return None
        sums = [one if isinstance(one, KeySum) else self._without_keys(one) for one in numbers]
        if None in sums or not all(_is_narrow(self.ranges[one]) for one in step.operands):
            return None
        bases, factors = zip(*((one.base, one.factor) for one in sums if one), strict=True)
        if step.op in ("add", "sub"):
            base = self._operation(step.op, "int", list(bases), "int")
            left, right = factors
            return self._key_sum(base, left + right if step.op == "add" else left - right)
        if step.op in ("lt", "le", "eq", "ne"):
            beside = self._operation("sub", "int", [bases[1], bases[0]], "int")
            offset = self._offset(factors[0] - factors[1])
            return self._operation(step.op, "bool", [offset, beside], "int")
        if step.op == "to_float":
            # Both are exact.
            numbers_f32 = (
                self._operation("to_float", "float", [one], "int")
                for one in (self._offset(factors[0]), bases[0])
            )
            return self._operation("add", "float", list(numbers_f32), "float")
        return None

    def _without_keys(self, number: NumberPlace) -> KeySum | None:
        """A number that does not differ from key to key as a sum."""
        return KeySum(number, 0) if number.level != self.levels[-1] else None

    def _key_sum(self, base: NumberPlace, factor: int) -> NumberPlace | KeySum:
        return KeySum(base, factor) if factor else base

    def _offset(self, factor: int) -> NumberPlace:
        """The offsets of a step's scores, times a number."""
        offset = self.places["offset"]
        return offset if factor == 1 else self._product(offset, factor)

    def _place(self, number: int) -> NumberPlace:
        """Where a number of the expression is; a sum with keys is made for each score."""
        known = self.known[number]
        if not isinstance(known, KeySum):
            return known
        if known not in self.made:
            self.made[known] = self._sum(self._offset(known.factor), known.base)
        return self.made[known]

    def _divided(self, step: ExpressionStep, operands: list[NumberPlace]) -> NumberPlace:
        """A whole division: by constants that are powers of two by their bits."""
        number, divisor = operands
        low, _ = self.ranges[step.operands[0]]
        least, by = self.ranges[step.operands[1]]
        is_power, is_rest = least == by and by & (by - 1) == 0, step.op == "mod"
        if is_power:
            bits = self._constant(by - 1 if is_rest else by.bit_length() - 1)
            return self._operation("and" if is_rest else "shift", "int", [number, bits], "int")
        is_product = self.multiplies_shares and 0 < least == by
        if low >= 0 and least > 0 and not is_product:
            return self._operation("rest" if is_rest else "share", "int", operands, "int")
        share = (
            self._multiplied_share(number, by, is_signed=low < 0)
            if is_product
            else self._operation("floor_div", "int", operands, "int")
        )
        if not is_rest:
            return share
        whole = self._operation("mul", "int", [share, divisor], "int")
        return self._operation("sub", "int", [number, whole], "int")

    def _multiplied_share(self, number: NumberPlace, by: int, is_signed: bool) -> NumberPlace:
        """A whole division as a product: where all bits of a number are others, so are its share's.

        Those of numbers below 0 are turned, so that what is divided is not below 0.
        """
        share = whole_share(by)
        if is_signed:
            sign = self._operation("shift", "int", [number, self._constant(MOST_BITS)], "int")
            number = self._operation("xor", "int", [number, sign], "int")
        multiplier = self._constant(share.multiplier - 2**32)
        upper = self._operation("multiply_high", "int", [number, multiplier], "int")
        bits = self._constant(share.shift)
        quotient = self._operation("shift", "int", [upper, bits], "int")
        return self._operation("xor", "int", [quotient, sign], "int") if is_signed else quotient

    def _shifted(self, step: ExpressionStep, operands: list[NumberPlace]) -> NumberPlace:
        """A shift, by whose bits a kernel may shift: by 0 to 31."""
        number, bits = operands
        low, high = self.ranges[step.operands[1]]
        is_left, is_known = step.op == "left_shift", low >= 0 and high <= MOST_BITS
        word = "shift_left" if is_left else "shift"
        if is_known:
            return self._operation(word, "int", [number, bits], "int")
        most = self._constant(MOST_BITS)
        by = self._operation("minimum_unsigned", "int", [bits, most], "int")
        shifted = self._operation(word, "int", [number, by], "int")
        if not is_left:
            return shifted
        is_same = self._operation("eq", "bool", [by, bits], "int")
        return self._operation("where", "int", [is_same, shifted, self._constant(0)], "int")

    def _read(self, step: ExpressionStep, kind: Kind) -> NumberPlace:
        array = self.expression.array(step.text or "")
        of = self.arrays[array.input_name]
        sized = list(zip(step.operands, array.shape, strict=True))
        rows = [self._within(*one) for one in sized[:-1]]
        is_key = self.expression.steps[step.operands[-1]].op == "key"
        in_row = all(one.level != self.levels[-1] for one in rows)
        row = self._constant(0)
        for place, size in zip(rows, array.shape, strict=False):
            row = self._sum(self._product(row, size), place)
        if is_key and in_row and self.has_neighbours:
            row = self._product(row, array.shape[-1])
            return self._add(
                "read_keys", kind, self.levels[-1], [row.name], of_level=row.level, array=of
            )
        last = self._within(*sized[-1])
        place = self._sum(self._product(row, array.shape[-1]), last) if rows else last
        return self._add("read", kind, place.level, [place.name], array=of)

    def _within(self, number: int, size: int) -> NumberPlace:
        """A number of an index, within an axis; a negative one counts from its end."""
        place, (low, high) = self._place(number), self.ranges[number]
        if low < 0:
            is_negative = self._operation("lt", "bool", [place, self._constant(0)], "int")
            from_end = self._sum(place, self._constant(size))
            place = self._operation("where", "int", [is_negative, from_end, place], "int")
        if low < -size:
            place = self._operation("maximum", "int", [place, self._constant(0)], "int")
        if high >= size:
            place = self._operation("minimum", "int", [place, self._constant(size - 1)], "int")
        return place

    def _sum(self, left: NumberPlace, right: NumberPlace) -> NumberPlace:
        return self._operation("add", "int", [left, right], "int")

    def _product(self, number: NumberPlace, size: int) -> NumberPlace:
        return self._operation("mul", "int", [number, self._constant(size)], "int")

    def _constant(self, value: int | float) -> NumberPlace:
        kind: Kind = "int" if isinstance(value, int) else "float"
        return self._add("constant", kind, self.levels[0], [], value=value)

    def _at(self, place: NumberPlace, level: str, kind: Kind) -> NumberPlace:
        """A number at a level where it differs no more than it did."""
        if place.level == level:
            return place
        if (place.name, level) not in self.broadcasts:
            self.broadcasts[place.name, level] = self._add(
                "broadcast", kind, level, [place.name], of_level=place.level
            )
        return self.broadcasts[place.name, level]

    def _add(
        self,
        op: str,
        kind: Kind,
        level: str,
        operands: list[str],
        *,
        of_kind: Kind | None = None,
        of_level: str | None = None,
        value: float | int | bool | None = None,
        array: CapturedArray | None = None,
    ) -> NumberPlace:
        name = f"%{self.field}_{len(self.steps)}"
        self.steps.append(
            ScoreStep(
                name=name,
                op=op,
                kind=kind,
                level=level,
                operands=operands,
                of_kind=of_kind or kind,
                of_level=of_level or level,
                value=value,
                array=array,
            )
        )
        return NumberPlace(name, level)


def _is_narrow(numbers: Range) -> bool:
    """Whether f32 holds all of them exactly, and sums and differences of two are far from i32's."""
    return numbers[0] >= -_MOST_EXACT and numbers[1] <= _MOST_EXACT
