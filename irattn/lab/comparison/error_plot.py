"""The plot of errors: what a verdict on numbers is made from, case by case, and what is allowed."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irattn.lab.comparison.numerics import CaseErrors, Numerics
from irattn.lab.comparison.plots import WIDTH, Label, Plot, Rect
from irattn.lab.comparison.policy import Policy
from irattn.lab.comparison.verdicts import is_lost

# A little more than the letters of a case's name take on the average, and the digits of a number.
_LETTER, _DIGIT = 6.3, 7.0
# Labels of an axis that stand nearer to each other would touch.
_NARROW, _NARROW_TOLERANCE = 45, 95
# What is shown around the tolerances: errors beyond are drawn to the end of the axis.
_BELOW, _ABOVE = 1e-9, 1e3

_TITLE = (
    "Error of each case relative to the norm of the reference (thin: a tenth of the worst row's, "
    "where that is more), against its tolerance, the red line. A number in red is wrong: beyond "
    "the tolerance, or accuracy lost within it; » is beyond the axis"
)


def errors(numerics: Numerics, policy: Policy) -> Plot | None:
    """For each case and side the error that decides, on a logarithmic axis."""
    both = (("baseline", numerics.baseline), ("candidate", numerics.candidate))
    sides = [(name, side.cases) for name, side in both if side]
    if not sides:
        return None
    axis = _Axis.of([case for _, cases in sides for case in cases])
    rects: list[Rect] = []
    limits: list[Rect] = []
    labels = list(_ticks(axis))
    y = 20.0
    for index, case in enumerate(sides[0][1]):
        labels.append(Label(0, y + 2 + 6 * len(sides), case.case))
        for name, cases in sides:
            own = cases[index]
            is_right = own.strain <= 1 and (own is case or not is_lost(own, case, policy))
            rects += _bars(own, name, y, axis)
            limits.append(
                Rect(axis.at(own.tolerance) - 1, y - 5, 2, 20, "limit", _words(own, name))
            )
            labels.append(_result(own, is_right, y, axis))
            y += 12
        y += 7
    grid = [Rect(axis.at(10.0**power), 14, 0.5, y - 14, "grid", "") for power in axis.powers]
    # Above the bars, which they cross.
    return Plot(_TITLE, WIDTH, y, [*grid, *rects, *limits], labels)


@dataclass(frozen=True)
class _Axis:
    """Powers of ten from left to right, and the tolerances among them; numbers stand behind it."""

    left: float
    right: float
    powers: range
    tolerances: tuple[float, ...]

    @classmethod
    def of(cls, cases: Sequence[CaseErrors]) -> "_Axis":
        """The axis from below the least error to above the largest, both near the tolerances."""
        tolerances = tuple({case.tolerance: None for case in cases})
        least, most = min(tolerances) * _BELOW, max(tolerances) * _ABOVE
        errors = [error for case in cases for error in (case.relative, case.decisive) if error]
        known = [*tolerances, *(min(max(error, least), most) for error in errors)]
        low, high = math.log10(min(known)), math.log10(max(known))
        powers = range(math.ceil(low) - 1, math.floor(high) + 2)
        left = 10 + _LETTER * max(len(case.case) for case in cases)
        room = _DIGIT * max(
            len("» 1.0e-03"), *(len(_number(case, tolerances)) + 2 for case in cases)
        )
        return cls(left, WIDTH - 8 - room, powers, tolerances)

    def at(self, error: float) -> float:
        """Where an error stands: at an end of the axis where it is beyond that, or no number."""
        low, high = self.powers[0], self.powers[-1]
        if error == 0:
            return self.left
        power = high if math.isnan(error) else min(max(math.log10(error), low), high)
        return self.left + (power - low) / (high - low) * (self.right - self.left)


def _ticks(axis: _Axis) -> Iterator[Label]:
    taken: list[float] = []
    for tolerance in sorted(axis.tolerances, reverse=True):
        x = axis.at(tolerance)
        if all(abs(x - other) > _NARROW_TOLERANCE for other in taken):
            yield Label(x, 10, f"tolerance {_short(tolerance)}", "middle", "bad")
            taken.append(x)
    for power in axis.powers:
        x = axis.at(10.0**power)
        if all(abs(x - other) > 35 + _NARROW / 2 for other in taken):
            yield Label(x, 10, f"1e{power}", "middle")


def _bars(case: CaseErrors, side: str, y: float, axis: _Axis) -> Iterator[Rect]:
    """The error of the whole output, and beyond it what of the worst row's decides."""
    words = _words(case, side)
    whole, decisive = axis.at(case.relative), axis.at(case.decisive)
    yield Rect(axis.left, y, max(whole - axis.left, 1), 8, side, words)
    yield Rect(whole, y + 3, max(decisive - whole, 0), 2, side, words)


def _words(case: CaseErrors, side: str) -> str:
    return (
        f"{case.case}, {side}: relative {case.relative:.1e}, worst row {case.worst_row:.1e}, "
        f"tolerance {case.tolerance:.1e}"
    )


def _result(case: CaseErrors, is_right: bool, y: float, axis: _Axis) -> Label:
    """The error that decides, behind the axis; marked where its bar would be longer than that."""
    words = _number(case, axis.tolerances)
    is_beyond = not case.decisive <= 10.0 ** axis.powers[-1]
    return Label(axis.right + 8, y + 8, "» " * is_beyond + words, style="" if is_right else "bad")


def _number(case: CaseErrors, tolerances: Sequence[float]) -> str:
    """The error that decides; with its tolerance where there are several."""
    error = case.decisive
    words = "0" if error == 0 else "∞" if math.isinf(error) else f"{error:.1e}"
    return words if len(tolerances) == 1 else f"{words} of {_short(case.tolerance)}"


def _short(tolerance: float) -> str:
    return f"{tolerance:.1e}".replace(".0e", "e")
