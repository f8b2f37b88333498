"""The claim that a sequence's bits depend on no other of its batch."""

import numpy as np

from irattn.core.progress import steps
from irattn.lab.certificates.claims import Claim, does_not_apply, proved, refuted
from irattn.lab.certificates.executed import Evidence
from irattn.lab.certificates.executions import CallOutcome
from irattn.lab.certificates.expectations import same_numbers
from irattn.lab.certificates.hidden import (
    Place,
    alone,
    moved,
    of_other_sequences,
    outputs_of,
    places_of,
    poisoned,
    sequences,
)
from irattn.reference import reference

_HOW = (
    "in the first case, all that belongs to other sequences made NaN, for the first and the last "
    "sequence; then each sequence in the place of the one before it"
)
_AND_ALONE = f"{_HOW}; then each of the two as a call of its own"


def batch_invariance(evidence: Evidence) -> Claim:
    """A sequence with others that are NaN, in other places and, where a call says how many, alone.

    What the reference makes depend on the others is not compared.
    """
    expectation, _ = evidence.kept[0]
    count = sequences(expectation.spec)
    if count < 2:
        return does_not_apply("batch_invariance", "a call has one sequence")
    can_be_alone = "batch" in getattr(evidence.spec, "dynamic", ())
    how = _AND_ALONE if can_be_alone else _HOW
    ways = {"elements_equal": _beside_poison, "elements_equal_elsewhere": _moved}
    if can_be_alone:
        ways["elements_equal_alone"] = _alone
    figures = {"sequences": count}
    for name, way in ways.items():
        equal = way(evidence)
        if isinstance(equal, str):
            return refuted("batch_invariance", how, equal)
        figures[name] = equal
    if not figures["elements_equal"]:
        return does_not_apply("batch_invariance", "no output is of one sequence alone")
    return proved("batch_invariance", how, **figures)


def _of_the_ends(evidence: Evidence) -> range:
    """The first and the last sequence."""
    count = sequences(evidence.kept[0][0].spec)
    return range(0, count, count - 1)


def _beside_poison(evidence: Evidence) -> int | str:
    expectation, clean = evidence.kept[0]
    spec, tensors, equal = expectation.spec, expectation.known.tensors, 0
    for kept in steps(_of_the_ends(evidence), "sequence {}".format):
        changed = poisoned(tensors, of_other_sequences(spec, tensors, kept), np.nan)
        pairs = zip(outputs_of(spec, tensors, kept), expectation.unchanged(changed), strict=True)
        equal_or_not = clean.equal_elements(
            evidence.run(changed), [own & same for own, same in pairs]
        )
        if isinstance(equal_or_not, str):
            return f"NaN in others changes {equal_or_not} of sequence {kept}"
        equal += equal_or_not
    return equal


def _moved(evidence: Evidence) -> int | str:
    """Each sequence in the place of the one before it; 0 where they lie one after the other."""
    expectation, clean = evidence.kept[0]
    spec, tensors = expectation.spec, expectation.known.tensors
    if "cu_seqlens_q" in tensors:
        return 0
    changed = moved(spec, tensors)
    wanted = same_numbers(expectation.known.expected, _back(reference(spec, changed)))
    outcome = evidence.run(changed)
    equal = clean.equal_elements(
        CallOutcome(_back(outcome.outputs), _back(outcome.written)), wanted
    )
    return f"another place in the batch changes {equal}" if isinstance(equal, str) else equal


def _back(arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return tuple(np.roll(array, 1, axis=0) for array in arrays)


def _alone(evidence: Evidence) -> int | str:
    """The first and the last sequence as calls of their own, which the code takes as they come."""
    expectation, clean = evidence.kept[0]
    spec, tensors, equal = expectation.spec, expectation.known.tensors, 0
    # Caches are everybody's.
    own = [i for i, tensor in enumerate(spec.outputs) if tensor.name not in spec.updates]
    for kept in steps(_of_the_ends(evidence), "sequence {}".format):
        call = alone(spec, tensors, kept)
        here, there = places_of(spec, tensors, kept), places_of(spec, call, 0)
        after = reference(evidence.spec, call)
        expected = [expectation.known.expected[i][here[i]] for i in own]
        wanted = same_numbers(expected, [after[i][there[i]] for i in own])
        outcome = evidence.run(call)
        apart = _some([outcome.outputs, outcome.written], own, there)
        together = _some([clean.outputs, clean.written], own, here)
        equal_or_not = together.equal_elements(apart, wanted)
        if isinstance(equal_or_not, str):
            return f"alone, sequence {kept} has another {equal_or_not}"
        equal += equal_or_not
    return equal


def _some(both: list[tuple[np.ndarray, ...]], which: list[int], places: list[Place]) -> CallOutcome:
    """Parts of some outputs, and which of their elements were written."""
    outputs, written = (tuple(arrays[i][places[i]] for i in which) for arrays in both)
    return CallOutcome(outputs, written)
