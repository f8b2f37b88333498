"""Where an upgrade changes something, and whether it makes anything worse."""

import itertools
from collections.abc import Callable, Mapping, Sequence

from irattn.lab.iree_versions.outcomes import Outcome

# From best to worst.
_VERDICTS = ("ok", "wrong numbers", "does not run", "does not compile")
# Compilations of one graph by one compiler differ by less than this factor and this many seconds.
_TIME_FACTOR = 1.5
_TIME_SECONDS = 0.2
# Another order of summation moves an error by less than this.
_ERROR_FACTOR = 2.0


def first_changes(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """For each aspect that ever changes, the first version that differs from the one before it."""
    changes = {}
    for aspect, differs in ASPECTS.items():
        for before, after in itertools.pairwise(outcomes):
            if differs(before, after):
                changes[aspect] = after.version
                break
    return changes


def is_worse(oldest: Outcome, newest: Outcome) -> bool:
    """Whether the newest compiles, runs or computes worse than the oldest."""
    return _VERDICTS.index(newest.verdict) > _VERDICTS.index(oldest.verdict)


def _success(before: Outcome, after: Outcome) -> bool:
    def ends(outcome: Outcome) -> tuple[bool, bool]:
        return outcome.compile_error is None, outcome.run_error is None

    return ends(before) != ends(after)


def _numerics(before: Outcome, after: Outcome) -> bool:
    if before.strain is None or after.strain is None:
        return False
    return before.verdict != after.verdict or _moved(before.strain, after.strain, _ERROR_FACTOR)


def _compile_time(before: Outcome, after: Outcome) -> bool:
    old, new = before.compile_seconds, after.compile_seconds
    if old is None or new is None:
        return False
    return abs(new - old) > _TIME_SECONDS and _moved(old, new, _TIME_FACTOR)


def _resources(before: Outcome, after: Outcome) -> bool:
    return bool(before.resources and after.resources and before.resources != after.resources)


def _moved(old: float, new: float, factor: float) -> bool:
    return max(old, new) > factor * min(old, new)


ASPECTS: Mapping[str, Callable[[Outcome, Outcome], bool]] = {
    "success": _success,
    "numerics": _numerics,
    "compile time": _compile_time,
    "resources": _resources,
}
