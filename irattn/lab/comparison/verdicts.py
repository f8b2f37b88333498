"""From differences and errors to a verdict and its reasons in words."""

import math
from collections.abc import Sequence

from irattn.lab.comparison.differences import Difference
from irattn.lab.comparison.executions import Execution
from irattn.lab.comparison.numerics import CaseErrors, Numerics
from irattn.lab.comparison.policy import Policy
from irattn.lab.comparison.vocabulary import EFFECTS, METRICS


def judged(
    differences: Sequence[Difference],
    numerics: Numerics | None,
    policy: Policy,
    execution: Execution | None = None,
) -> tuple[str, tuple[str, ...]]:
    """The verdict on a pair, and why: what decides it comes first, of that the largest change."""
    changes = ordered(differences)
    effects = {item.effect for item in changes}
    wrong = _inaccurate(numerics, policy) if numerics else []
    if execution and execution.fault:
        wrong.append(f"execution: the baseline is right, the candidate not: {execution.fault}")
    reasons = [*wrong, *map(sentence, changes)]
    if wrong:
        verdict = "wrong"
    elif "breaking" in effects:
        verdict = "incompatible"
    elif "worse" in effects:
        verdict = "slower-likely"
    elif "better" in effects:
        verdict = "better"
    else:
        verdict = "equivalent" if reasons else "identical"
    return verdict, tuple(reasons)


def ordered(differences: Sequence[Difference]) -> list[Difference]:
    """By how much they say: those that decide first, and within these the larger change first."""
    return sorted(differences, key=lambda item: (EFFECTS.index(item.effect), *_weight(item)))


def _weight(item: Difference) -> tuple[int, float]:
    """Causes and the time of the whole go before figures, and that bytes differ after them."""
    if item.what == "machine code":
        return 2, 0
    if item.what not in METRICS or item.what == "estimated_time":
        return 0, 0
    return 1, -_factor(item.before, item.after)


def _factor(before: object, after: object) -> float:
    """How many times the smaller figure the larger is: halving weighs as much as doubling."""
    if not (isinstance(before, int | float) and isinstance(after, int | float)):
        return math.inf
    small, large = sorted((abs(before), abs(after)))
    return large / small if small else math.inf


def sentence(item: Difference) -> str:
    """A difference in words: `attention: VGPRs 96 → 128 (+33%)`."""
    place = item.dispatch or item.where
    prefix = f"{place}: " if place else ""
    metric = METRICS.get(item.what)
    if metric:
        return f"{prefix}{metric.words} {number(item.before)} → {number(item.after)}{_share(item)}"
    if item.what == "step":
        return f"{item.dispatch} is {'new' if item.before is None else 'gone'}"
    if item.what == "graph":
        return "the graph changed"
    if item.what == "text":
        return "the MLIR text changed in comments, names or layout only"
    if item.what == "machine code":
        return f"{prefix}other machine code"
    if item.what == "flags":
        return "flags: " + ", ".join(
            f"{sign} {flags}" for sign, flags in (("-", item.before), ("+", item.after)) if flags
        )
    if item.layer != "spec" and item.before is None:
        return f"{prefix}{item.what} {item.after} is new"
    if item.layer != "spec" and item.after is None:
        return f"{prefix}{item.what} {item.before} is gone"
    return f"{prefix}{item.what} {item.before} → {item.after}"


def number(value: object) -> str:
    """A figure for people: whole numbers by thousands, others with three digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _share(item: Difference) -> str:
    if not (isinstance(item.before, int | float) and isinstance(item.after, int | float)):
        return ""
    return f" ({(item.after - item.before) / item.before:+.0%})" if item.before else ""


def _inaccurate(numerics: Numerics, policy: Policy) -> list[str]:
    """A line for each output that is wrong, or so much less accurate that it is a loss."""
    if not numerics.candidate:
        return []
    cases = numerics.candidate.cases
    before = {case.case: case for case in numerics.baseline.cases} if numerics.baseline else {}
    wrong = [case for case in cases if case.strain > 1]
    lost = [
        case for case in cases if case not in wrong and is_lost(case, before.get(case.case), policy)
    ]
    lines = []
    if wrong:
        already = sum(case.case in before and before[case.case].strain > 1 for case in wrong)
        were = f", {already} of them in the baseline too" if already else ""
        count = f"{len(wrong)} of {len(cases)} cases beyond tolerance"
        lines.append(f"numerics: {count}{were}; worst: {_error(wrong)}")
    if lost:
        count = f"{len(lost)} of {len(cases)} cases"
        lines.append(f"numerics: accuracy lost in {count}, within tolerance; worst: {_error(lost)}")
    return lines


def is_lost(case: CaseErrors, before: CaseErrors | None, policy: Policy) -> bool:
    """Whether a case is so much less accurate than it was that it counts, in tolerance or not."""
    return before is not None and case.strain > max(
        policy.ignored_share, policy.most_growth * before.strain
    )


def _error(cases: Sequence[CaseErrors]) -> str:
    case = max(cases, key=lambda case: case.strain)
    return (
        f"{case.case}, relative error {case.relative:.1e}, worst row {case.worst_row:.1e}, "
        f"tolerance {case.tolerance:.1e}"
    )
