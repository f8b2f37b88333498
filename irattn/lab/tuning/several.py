"""Tunes several specs one after the other, and says how each went."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from irattn.core.errors import IrattnError
from irattn.lab.tuning.entries import TuningEntry
from irattn.lab.tuning.search import Trials
from irattn.lab.tuning.session import TuningSession
from irattn.specs import Spec
from irattn.targets import Target


@dataclass(frozen=True)
class Tuned:
    """A spec's entry, and what was tried for it."""

    entry: TuningEntry
    trials: Trials


@dataclass(frozen=True)
class NotTuned:
    """A spec that could not be tuned for a target, and why."""

    name: str
    target: Target
    error: IrattnError


def tune_each(
    session: TuningSession, work: Sequence[tuple[str, Spec, Target]]
) -> Iterator[Tuned | NotTuned]:
    """How tuning each of several specs went; they share the session's budget.

    What stops one does not stop the others.
    """
    for done, (name, spec, target) in enumerate(work):
        of_one = replace(session, budget=session.budget.share(len(work) - done))
        try:
            yield Tuned(*of_one.tune(name, spec, target))
        except IrattnError as error:
            yield NotTuned(name, target, error)
