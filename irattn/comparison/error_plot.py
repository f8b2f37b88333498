"""The plot of errors: what a verdict on numbers is made from, case by case, and what is allowed."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irattn.comparison.numerics import CaseErrors, Numerics
from irattn.comparison.plots import WIDTH, Label, Plot, Rect
from irattn.comparison.policy import Policy
from irattn.comparison.verdicts import is_lost

_RIGHT = 60
# A little more than the letters of a case's name take on the average.
_LETTER = 6.3
# Labels of an axis that stand nearer to each other would touch.
_NARROW = 50

_TITLE = (
    "Error of each case relative to the norm of the reference (thin: a tenth of the worst row's, "
    "where that is more); red is wrong: beyond the tolerance, or accuracy lost within it"
)


def errors(numerics: Numerics, policy: Policy) -> Plot | None:
    """For each case and side the error that decides, on a logarithmic axis."""
    both = (("baseline", numerics.baseline), ("candidate", numerics.candidate))
    sides = [(name, side.cases) for name, side in both if side]
    if not sides:
        return None
    axis = _Axis.of([case for _, cases in sides for case in cases])
    rects: list[Rect] = []
    labels = list(_ticks(axis))
    y = 20.0
    for index, case in enumerate(sides[0][1]):
        labels.append(Label(0, y + 2 + 5.5 * len(sides), case.case))
        for name, cases in sides:
            own = cases[index]
            is_wrong = own.strain > 1 or (own is not case and is_lost(own, case, policy))
            rects += _bars(own, name, y, axis)
            labels.append(_result(own, is_wrong, y, axis))
            y += 11
        y += 7
    grid = [Rect(axis.at(10.0**power), 14, 0.5, y - 14, "grid", "") for power in axis.powers]
    return Plot(_TITLE, WIDTH, y, [*grid, *rects], labels)


@dataclass(frozen=True)
class _Axis:
    """Powers of ten from left to right, and the tolerances among them."""

    left: float
    powers: range
    tolerances: tuple[float, ...]

    @classmethod
    def of(cls, cases: Sequence[CaseErrors]) -> "_Axis":
        """From below the least error to above the largest; the tolerance is within."""
        known = [error for case in cases for error in (case.relative, case.decisive)]
        known = [error for error in known if 0 < error < math.inf]
        known += [case.tolerance for case in cases]
        low, high = math.log10(min(known)), math.log10(max(known))
        powers = range(math.ceil(low) - 1, math.floor(high) + 2)
        left = 10 + _LETTER * max(len(case.case) for case in cases)
        return cls(left, powers, tuple({case.tolerance: None for case in cases}))

    def at(self, error: float) -> float:
        """Where an error stands: 0 at the left end, one without bound at the right."""
        low, high = self.powers[0], self.powers[-1]
        if error == 0:
            return self.left
        power = min(math.log10(error), high)
        return self.left + (power - low) / (high - low) * (WIDTH - self.left - _RIGHT)


def _ticks(axis: _Axis) -> Iterator[Label]:
    limits = {axis.at(tolerance): tolerance for tolerance in axis.tolerances}
    for x, tolerance in limits.items():
        yield Label(x, 10, f"tolerance {tolerance:.0e}", "middle", "bad")
    for power in axis.powers:
        x = axis.at(10.0**power)
        if all(abs(x - limit) > _NARROW for limit in limits):
            yield Label(x, 10, f"1e{power}", "middle")


def _bars(case: CaseErrors, side: str, y: float, axis: _Axis) -> Iterator[Rect]:
    """The error of the whole output, beyond it what of the worst row's decides, and the limit."""
    words = (
        f"{case.case}, {side}: relative {case.relative:.1e}, worst row {case.worst_row:.1e}, "
        f"tolerance {case.tolerance:.1e}"
    )
    whole, decisive = axis.at(case.relative), axis.at(case.decisive)
    yield Rect(axis.left, y, max(whole - axis.left, 1), 8, side, words)
    yield Rect(whole, y + 3, decisive - whole, 2, side, words)
    yield Rect(axis.at(case.tolerance) - 1, y - 5, 2, 18, "limit", words)


def _result(case: CaseErrors, is_wrong: bool, y: float, axis: _Axis) -> Label:
    error = case.decisive
    words = "0" if error == 0 else "∞" if math.isinf(error) else f"{error:.1e}"
    return Label(axis.at(error) + 6, y + 8, words, style="bad" if is_wrong else "")
