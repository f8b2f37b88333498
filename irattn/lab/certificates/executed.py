"""Claims that are proved by executing an artifact: numbers, poison, batch invariance, schedules."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irattn.core.errors import EmulatorError
from irattn.core.progress import steps
from irattn.lab.certificates.claims import Claim, does_not_apply, not_proved, proved, refuted
from irattn.lab.certificates.executions import CallOutcome, Emulation, Execution
from irattn.lab.certificates.expectations import LEGEND, CallErrors, Expectation, worst
from irattn.lab.certificates.hidden import (
    Places,
    early_keys,
    hidden_places,
    late_keys,
    poisoned,
)
from irattn.lab.certificates.mutants import MutableCode, Mutant, most_blocks
from irattn.lab.certificates.rounding import storage_unit
from irattn.lab.certificates.terms import terms_of
from irattn.lab.emulator import SCHEDULES
from irattn.lab.inputs import Tensors
from irattn.lab.verification import known_cases
from irattn.specs import Spec

_POISONS = (np.nan, np.inf, -np.inf)

# How many cases are kept for mutants, which are run on each.
_KEPT = 2

_ROUNDINGS = (
    "each operation in f32 may be off by 2^-23 of its result, a sum of n terms by n times that of "
    "their magnitudes in whatever order; storing adds half a unit of the element type"
)
_SOURCES = (
    "Higham 2002, Accuracy and Stability of Numerical Algorithms, 2.4 and 4.2; Blanchard, Higham "
    "and Higham 2021, Accurately computing the log-sum-exp and softmax functions; each op's terms "
    "in irattn/lab/certificates/README.md"
)


@dataclass
class Evidence:
    """The evidence of executing so far: some calls with their outputs, and the code reached.

    `seed` draws the inputs.
    """

    execution: Execution
    spec: Spec
    seed: int
    kept: list[tuple[Expectation, CallOutcome]] = field(default_factory=list)
    reached: dict[str, set[int]] = field(default_factory=dict)

    def run(self, tensors: Tensors, **how: Any) -> CallOutcome:
        """Execute a call, and note what code it came to."""
        outcome = self.execution.run(tensors, **how)
        for counts in outcome.counts:
            self.reached.setdefault(counts.kernel, set()).update(counts.executed)
        return outcome


def numbers(evidence: Evidence) -> Claim:
    """Every case against the float64 reference, element by element."""
    cases: list[CallErrors] = []
    for known in known_cases(evidence.spec, evidence.seed):
        outcome = evidence.run(known.tensors)
        call = evidence.spec.of_call(known.tensors)
        expectation = Expectation(call, known, outcome.written, evidence.execution.lost)
        cases.append(expectation.errors(outcome))
        _keep(evidence, expectation, outcome)
    most = worst(cases)
    largest = max(cases, key=lambda case: case.of)
    figures: dict[str, Any] = {
        "legend": LEGEND,
        "worst": most.case,
        "cases": [case.to_dict() for case in cases],
        "elements": {"compared": largest.elements, "of": largest.of},
        "tolerance": {t.dtype: t.tolerance for t in evidence.spec.outputs},
    }
    figures |= _said_of_bounds(evidence.spec, most) | _cut(evidence.execution)
    how = (
        f"{evidence.execution.how}, on {len(cases)} cases of inputs drawn with seed "
        f"{evidence.seed}, against the float64 reference"
    )
    failed = [case.case for case in cases if not case.holds]
    if failed:
        why = f"beyond its bound or the tolerance in {', '.join(failed)}"
        return refuted("numbers", how, why, **figures)
    return proved("numbers", how, **figures)


def _keep(evidence: Evidence, expectation: Expectation, outcome: CallOutcome) -> None:
    """The first cases of the largest call are what other proofs go by."""
    kept = [one.spec.flops for one, _ in evidence.kept]
    if kept and expectation.spec.flops > kept[0]:
        evidence.kept.clear()
    if len(evidence.kept) < _KEPT:
        evidence.kept.append((expectation, outcome))


def _said_of_bounds(spec: Spec, case: CallErrors) -> dict[str, Any]:
    if case.share is None:
        return {"bound": "none is derived for this op; the tolerance stands alone"}
    units = {t.dtype: storage_unit(t.dtype) for t in spec.outputs if storage_unit(t.dtype)}
    return {
        "bound": {
            "rule": _ROUNDINGS,
            "terms_of_sums": terms_of(spec),
            "half_unit_of_storage": units,
            "sources": _SOURCES,
        }
    }


def _cut(execution: Execution) -> dict[str, Any]:
    """A note on the workgroups that were not executed, where there are any."""
    return {"cut": list(execution.cut)} if execution.cut else {}


def hidden(evidence: Evidence) -> Claim:
    """Poison where nothing counts: of the whole call, and keys that some queries do not see."""
    expectation, clean = evidence.kept[0]
    spec, tensors = expectation.spec, expectation.known.tensors
    sets = {
        "unused": ("beyond lengths, in unused slots, beside empty states", hidden_places),
        "late_keys": ("the last quarter of the keys, for queries that do not see it", late_keys),
        "early_keys": ("the first quarter, likewise", early_keys),
    }
    compared: dict[str, Any] = {}
    for name, (words, places_of) in sets.items():
        places = places_of(spec, tensors)
        equal = _poisoned(evidence, expectation, clean, places) if places else 0
        if isinstance(equal, str):
            return refuted("hidden", _POISON_HOW, f"{words}: {equal}")
        if equal:
            counts = {of: int(mask.sum()) for of, mask in places.items()}
            compared[name] = {"where": words, "poisoned": counts, "elements_equal": equal}
    if not compared:
        return does_not_apply("hidden", "no length, slot, mask or window hides anything")
    return proved("hidden", _POISON_HOW, **compared)


_POISON_HOW = (
    "in the first case, NaN, +inf and -inf in turn in all such places; elements whose float64 "
    "reference stays what it was must stay so, bit for bit"
)


def _poisoned(
    evidence: Evidence, expectation: Expectation, clean: CallOutcome, places: Places
) -> int | str:
    """How many elements stayed the same under every poison, or what changed."""
    tensors = expectation.known.tensors
    # What NaN does not reach, nothing does.
    same = expectation.unchanged(poisoned(tensors, places, np.nan))
    least: list[int] = []
    for poison in steps(_POISONS, "poison {}".format):
        equal = clean.equal_elements(evidence.run(poisoned(tensors, places, poison)), same)
        if isinstance(equal, str):
            return f"{poison} changes {equal}"
        least.append(equal)
    return min(least)


def schedules(evidence: Evidence) -> Claim:
    """One case under every order of waves."""
    expectation, clean = evidence.kept[0]
    assert isinstance(evidence.execution, Emulation)
    how = f"the case {expectation.known.name} under each of: {', '.join(SCHEDULES)}"
    for schedule in steps(SCHEDULES[1:], "schedule {}".format):
        if not evidence.run(expectation.known.tensors, schedule=schedule).is_same(clean):
            return refuted("schedules", how, f"{schedule} gives other bits than {SCHEDULES[0]}")
    elements = int(sum(written.sum() for written in clean.written))
    return proved("schedules", how, schedules=len(SCHEDULES), elements_equal=elements)


def mutants(evidence: Evidence, count: int) -> Claim:
    """The numbers once more, of code with one instruction deleted or altered at a time."""
    execution = evidence.execution
    assert isinstance(execution, Emulation)
    code = MutableCode(execution.files, execution.target, lambda: evidence.reached)
    if not count or not code.executed:
        return not_proved("mutants", "none was tried" if not count else "no code was executed")
    ends: Counter[str] = Counter()
    missed = []
    for mutant in steps(list(code.mutants(count, evidence.seed)), "mutant {}".format):
        end = _end(evidence, mutant)
        ends[end] += 1
        if end in _UNNOTICED:
            missed.append(f"{mutant.place.kernel.name} {mutant}: {end}")
    noticed = count - len(missed)
    how = (
        f"{count} mutants at random places that waves come to, on {len(evidence.kept)} cases; "
        "noticed are those that stop the emulator, take ten times as long, or whose numbers are "
        "beyond a bound"
    )
    figures: dict[str, Any] = {
        "tried": count,
        "noticed": noticed,
        "ends": dict(sorted(ends.items())),
        "instructions": {"reached": len(code.executed), "of": len(code.places)},
    }
    if missed:
        figures["not_noticed"] = missed
    if 2 * noticed < count:
        return not_proved("mutants", f"only {noticed} of {count} were noticed", **figures)
    return proved("mutants", how, **figures)


_UNNOTICED = ("no bit changed", "changed within the bounds")


def _end(evidence: Evidence, mutant: Mutant) -> str:
    """The end of a mutant: noticed, and how, or not."""
    changed = False
    for expectation, clean in evidence.kept:
        try:
            outcome = evidence.execution.run(  # type: ignore[call-arg]
                expectation.known.tensors,
                changed=mutant.files,
                most_blocks=most_blocks(clean.counts),
            )
        except EmulatorError:
            return "stopped"
        if not expectation.errors(outcome).holds:
            return "wrong numbers"
        changed |= not outcome.is_same(clean)
    return _UNNOTICED[changed]
