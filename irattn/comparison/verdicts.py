"""From differences and errors to a verdict and its reasons in words."""

from collections.abc import Sequence

from irattn.comparison.differences import Difference
from irattn.comparison.numerics import CaseErrors, Numerics
from irattn.comparison.policy import Policy
from irattn.comparison.vocabulary import METRICS


def judged(
    differences: Sequence[Difference], numerics: Numerics | None, policy: Policy
) -> tuple[str, tuple[str, ...]]:
    """The verdict on a pair, and why, the decisive reasons first."""
    by_effect = {
        effect: [sentence(item) for item in differences if item.effect == effect]
        for effect in ("breaking", "worse", "better", "neutral")
    }
    wrong = _inaccurate(numerics, policy) if numerics else []
    reasons = [*wrong, *(reason for found in by_effect.values() for reason in found)]
    if wrong:
        verdict = "wrong"
    elif by_effect["breaking"]:
        verdict = "incompatible"
    elif by_effect["worse"]:
        verdict = "slower-likely"
    elif by_effect["better"]:
        verdict = "better"
    else:
        verdict = "equivalent" if reasons else "identical"
    return verdict, tuple(reasons)


def sentence(item: Difference) -> str:
    """A difference in words: `attention_dispatch_0: VGPRs 96 → 128 (+33%)`."""
    prefix = f"{item.where}: " if item.where else ""
    metric = METRICS.get(item.what)
    if metric:
        return f"{prefix}{metric.words} {number(item.before)} → {number(item.after)}{_share(item)}"
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
    """The cases that are wrong, or so much less accurate than before that it is a loss."""
    if not numerics.candidate:
        return []
    before = {case.case: case for case in numerics.baseline.cases} if numerics.baseline else {}
    wrong = []
    for case in numerics.candidate.cases:
        old = before.get(case.case)
        if case.strain > 1:
            as_before = ", as it was" if old and old.strain > 1 else ""
            wrong.append(f"case {case.case}: {_error(case)}{as_before}")
        elif old and case.strain > max(policy.ignored_share, policy.most_growth * old.strain):
            growth = case.strain / old.strain if old.strain else float("inf")
            wrong.append(
                f"case {case.case}: {growth:.0f} times the baseline's error: {_error(case)}"
            )
    return wrong


def _error(case: CaseErrors) -> str:
    return (
        f"relative error {case.relative:.1e}, worst row {case.worst_row:.1e}, "
        f"tolerance {case.tolerance:.1e}"
    )
