"""Pairs up two sides and judges every pair."""

from pathlib import Path

from irattn.compiling.artifact import Artifact
from irattn.core.errors import SourceError
from irattn.core.progress import step, steps
from irattn.lab.comparison.differences import Difference, differences, executed_differences
from irattn.lab.comparison.executions import Executions
from irattn.lab.comparison.numerics import Measurements, Numerics
from irattn.lab.comparison.policy import Policy, read_policy
from irattn.lab.comparison.results import Comparison, Entry
from irattn.lab.comparison.sources import ComparedSource, read_source
from irattn.lab.comparison.subjects import Key, Subject
from irattn.lab.comparison.verdicts import judged


def compare_sources(
    baseline: Artifact | Path | str,
    candidate: Artifact | Path | str,
    *,
    baseline_revision: str | None = None,
    policy: Path | None = None,
    numerics: bool = True,
    execute: bool = False,
    seed: int = 0,
) -> Comparison:
    """Compare two sides, artifact by artifact; see `irattn.compare`."""
    rules = read_policy(policy)
    with step("reading both sides"):
        before = read_source("baseline", baseline, baseline_revision)
        after = read_source("candidate", candidate)
    measure = Measurements(rules, seed) if numerics else None
    executions = Executions(rules, seed) if execute else None
    entries = tuple(
        _entry(old, new, rules, measure, executions)
        for old, new in steps(_pairs(before, after), _words)
    )
    return Comparison(before.words, after.words, entries, rules)


def _pairs(
    before: ComparedSource, after: ComparedSource
) -> list[tuple[Subject | None, Subject | None]]:
    """By target and name; where one side is a single artifact, only that one is looked at."""
    if before.is_single and after.is_single:
        return [(*before.subjects.values(), *after.subjects.values())]  # type: ignore[list-item]
    keys: list[Key] = sorted({*before.subjects, *after.subjects})
    for single, many in ((before, after), (after, before)):
        if single.is_single:
            keys = list(single.subjects)
            if keys[0] not in many.subjects:
                raise SourceError(f"{many.words}: has no {keys[0][1]} for {keys[0][0]}")
    return [(before.subjects.get(key), after.subjects.get(key)) for key in keys]


def _words(pair: tuple[Subject | None, Subject | None]) -> str:
    target, name = next(side.key for side in pair if side)
    return f"{name} for {target}"


def _entry(
    old: Subject | None,
    new: Subject | None,
    policy: Policy,
    measure: Measurements | None,
    executions: Executions | None,
) -> Entry:
    if old is None or new is None:
        return _alone(old, new)
    changes = differences(old, new, policy)
    errors = _numerics(old, new, changes, measure)
    execution = None
    if executions and changes:
        execution = executions.of(old, new, is_breaking=_is_breaking(changes))
        changes += executed_differences(execution, policy)
    verdict, reasons = judged(changes, errors, policy, execution)
    target, name = new.key
    return Entry(target, name, verdict, reasons, tuple(changes), errors, old, new, execution)


def _alone(old: Subject | None, new: Subject | None) -> Entry:
    subject = old or new
    assert subject is not None
    verdict = "missing" if old else "new"
    reason = f"only in the {'baseline' if old else 'candidate'}"
    return Entry(*subject.key, verdict, (reason,), baseline=old, candidate=new)


def _numerics(
    old: Subject, new: Subject, changes: list[Difference], measure: Measurements | None
) -> Numerics | None:
    """Errors of both sides where something changed that could change a number."""
    if _is_breaking(changes):
        # Two contracts: there is nothing to hold one side's numbers against.
        return None
    if not any(_may_change_numbers(item) for item in changes):
        return None
    if measure is None:
        return Numerics(skipped="not asked for")
    if new.artifact is None:
        return Numerics(skipped="the candidate is a baseline file, which has no graph")
    return measure.of(old.artifact, new.artifact)


def _is_breaking(changes: list[Difference]) -> bool:
    return any(item.effect == "breaking" for item in changes)


def _may_change_numbers(item: Difference) -> bool:
    changed = ("graph", "compiler", "compiler_version", "flags", "formulation", "dialect")
    return item.what in changed or item.layer == "code"
