"""The outcome of a comparison: an entry for each artifact, and the whole."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from irattn.lab.comparison.differences import Difference
from irattn.lab.comparison.executions import Execution
from irattn.lab.comparison.numerics import Numerics
from irattn.lab.comparison.policy import Policy
from irattn.lab.comparison.subjects import Subject
from irattn.lab.comparison.vocabulary import VERDICTS

FORMAT_VERSION = 2


@dataclass(frozen=True)
class Entry:
    """One artifact on both sides, its verdict and why; a side that lacks it is None.

    `numerics` is None where nothing changed that could change a number, `execution` where it was
    not asked for, or nothing changed.
    """

    target: str
    name: str
    verdict: str
    reasons: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    numerics: Numerics | None = None
    baseline: Subject | None = None
    candidate: Subject | None = None
    execution: Execution | None = None

    @property
    def is_lone(self) -> bool:
        """Whether only one side has it: there is nothing to compare."""
        return self.baseline is None or self.candidate is None

    @property
    def kernels(self) -> dict[str, str]:
        """Short names of what differs, with the compiler's where it has another."""
        places = ((item.dispatch, item.where) for item in self.differences)
        return {name: kernel for name, kernel in places if kernel and name not in ("", kernel)}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the numbers and the execution."""
        notes = (self._numerics_note, self.execution.note if self.execution else "")
        return tuple(note for note in notes if note)

    @property
    def _numerics_note(self) -> str:
        """Empty where no number could have changed."""
        if self.numerics is None:
            return ""
        if self.numerics.candidate is None:
            return f"numerics not verified: {self.numerics.skipped}"
        candidate = self.numerics.candidate
        words = f"numerics: {len(candidate.cases)} cases, ran {candidate.ran}"
        return words if self.numerics.baseline else f"{words}; the baseline has no graph to run"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "target": self.target,
            "name": self.name,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "differences": [item.to_dict() for item in self.differences],
            "numerics": self.numerics and self.numerics.to_dict(),
            "execution": self.execution and self.execution.to_dict(),
        }


@dataclass(frozen=True)
class Comparison:
    """Every artifact of two sides, and what the policy says of them."""

    baseline: str
    candidate: str
    entries: tuple[Entry, ...]
    policy: Policy

    @property
    def counts(self) -> dict[str, int]:
        """How many artifacts have each verdict, from the worst."""
        numbers = Counter(entry.verdict for entry in self.entries)
        return {verdict: numbers[verdict] for verdict in VERDICTS if numbers[verdict]}

    @property
    def changed(self) -> tuple[Entry, ...]:
        """All but the identical ones, the worst first."""
        changed = (entry for entry in self.entries if entry.verdict != "identical")
        return tuple(sorted(changed, key=lambda entry: VERDICTS.index(entry.verdict)))

    @property
    def falls_short(self) -> bool:
        """Whether any verdict is one that the policy does not accept."""
        return any(entry.verdict in self.policy.fall_short for entry in self.entries)

    @property
    def unverified(self) -> int:
        """Artifacts whose numbers may have changed and did not run."""
        return sum(bool(e.numerics and e.numerics.candidate is None) for e in self.entries)

    @property
    def unexecuted(self) -> int:
        """Artifacts that changed, were to be executed, and were not."""
        return sum(bool(e.execution and e.execution.skipped) for e in self.entries)

    @property
    def summary(self) -> str:
        """One line: `48 artifacts: 1 slower-likely, 47 identical`."""
        parts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        noun = "artifact" if len(self.entries) == 1 else "artifacts"
        unverified = (
            f"; {self.unverified} changed without verified numerics" if self.unverified else ""
        )
        unexecuted = f"; {self.unexecuted} changed and not executed" if self.unexecuted else ""
        return f"{len(self.entries)} {noun}: {parts}{unverified}{unexecuted}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "format_version": FORMAT_VERSION,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "summary": self.summary,
            "counts": self.counts,
            "falls_short": self.falls_short,
            "entries": [entry.to_dict() for entry in self.entries],
        }
