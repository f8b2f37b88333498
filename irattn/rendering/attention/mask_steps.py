"""Steps that a mask's bounds are made of: on ends of intervals, and on what may and must hold."""

from collections.abc import Iterable
from dataclasses import dataclass

from irattn.rendering.attention.score_ranges import ANY
from irattn.rendering.attention.score_steps import CapturedArray, ScoreStep
from irattn.specs.expressions import Kind

# Elements of an array that a kernel looks through for bounds, at most: those of a rectangle, not 64
# times as many where a mask takes each 64th one.
_MOST_ELEMENTS = 1024


@dataclass(frozen=True)
class Interval:
    """Names of the least and of the largest that a whole number may be."""

    low: str
    high: str

    @classmethod
    def of(cls, name: str) -> "Interval":
        """The interval of a number that is known by its name."""
        return cls(name, name)

    @property
    def is_single(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True)
class Truth:
    """Names of whether it may hold, and whether it must; None for what is not known."""

    may: str | None = None
    must: str | None = None


class BoundSteps:
    """The steps of a mask's bounds, each made once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.all: list[ScoreStep] = []
        self.made: dict[tuple[object, ...], str] = {}

    # Numbers.

    def constant(self, value: int) -> str:
        return self.add("constant", "int", value=value)

    def number(self, op: str, *operands: str) -> str:
        return self.add(op, "int", *operands)

    def comparison(self, op: str, one: str, other: str) -> str:
        return self.add(op, "bool", one, other, of="int")

    def within(self, number: str, size: int) -> str:
        """A number of an index, within an axis; a negative one counts from its end."""
        nothing = self.constant(0)
        is_negative = self.comparison("lt", number, nothing)
        from_end = self.number("add", number, self.constant(size))
        place = self.add("where", "int", is_negative, from_end, number)
        return self.number(
            "minimum", self.number("maximum", place, nothing), self.constant(size - 1)
        )

    # Elements of arrays.

    def place(self, index: Iterable[str], shape: Iterable[int]) -> str:
        """Where an element lies in the row of an array's elements."""
        place = self.constant(0)
        for one, size in zip(index, shape, strict=True):
            within = self.within(one, size)
            place = self.number("add", self.number("mul", place, self.constant(size)), within)
        return place

    def elements(self, array: CapturedArray, kind: Kind, first: str, last: str) -> Interval | Truth:
        """Bounds of the elements from a place to the last; where they are very many, of any."""
        count = self.number("sub", last, first)
        is_few = self.comparison("lt", count, self.constant(_MOST_ELEMENTS))
        end = self.add("where", "int", is_few, last, first)
        least, greatest = (
            self.add(op, kind, first, end, array=array) for op in ("least", "greatest")
        )
        if kind == "bool":
            is_not_few = self.add("not", "bool", is_few)
            may = self.add("or", "bool", greatest, is_not_few)
            return Truth(may, self.add("and", "bool", least, is_few))
        low, high = (
            self.add("where", "int", is_few, found, self.constant(beyond))
            for found, beyond in zip((least, greatest), ANY, strict=True)
        )
        return Interval(low, high)

    # What is true or not.

    def both(self, one: Truth, other: Truth) -> Truth:
        may = self._any_known("and", one.may, other.may)
        return Truth(may, self._all_known("and", one.must, other.must))

    def either(self, one: Truth, other: Truth) -> Truth:
        may = self._all_known("or", one.may, other.may)
        return Truth(may, self._any_known("or", one.must, other.must))

    def picked(self, condition: Truth, one: Truth, other: Truth) -> Truth:
        """One where the condition holds, the other elsewhere."""
        return self.either(self.both(condition, one), self.both(self.turned(condition), other))

    def _any_known(self, op: str, one: str | None, other: str | None) -> str | None:
        """The operation on both, or the one that is known."""
        return self._all_known(op, one, other) if one and other else one or other

    def _all_known(self, op: str, one: str | None, other: str | None) -> str | None:
        return self.add(op, "bool", one, other) if one and other else None

    def turned(self, one: Truth) -> Truth:
        may, must = (known and self.add("not", "bool", known) for known in (one.must, one.may))
        return Truth(may, must)

    def add(
        self,
        op: str,
        kind: Kind,
        *operands: str,
        of: Kind | None = None,
        value: int | bool | None = None,
        array: CapturedArray | None = None,
    ) -> str:
        """The name of a step; the same one again where it has been made."""
        known = (op, kind, operands, value, array and array.name)
        if known not in self.made:
            self.made[known] = f"%{self.name}_{len(self.all)}"
            step = ScoreStep(
                name=self.made[known],
                op=op,
                kind=kind,
                level="row",
                operands=list(operands),
                of_kind=of or kind,
                of_level="row",
                value=value,
                array=array,
            )
            self.all.append(step)
        return self.made[known]
