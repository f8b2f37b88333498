"""Execute two sides in the emulator on equal inputs, and estimate how long they take."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from irattn import targets
from irattn.binary.manifest import VMFB
from irattn.compiling.artifact import Artifact
from irattn.core.errors import DeviceError, IrattnError
from irattn.core.progress import step
from irattn.lab.comparison.policy import Policy
from irattn.lab.comparison.subjects import Subject
from irattn.lab.comparison.vocabulary import EXECUTED_CLASSES
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import Executed, execute, is_fault, lds_conflicts, obstacles
from irattn.lab.verification import known_case, strain


@dataclass(frozen=True)
class ExecutedSide:
    """One side: its dispatches, or why it stops: what its code does that it must not.

    `strain` is the error against the reference, in units of what is allowed.
    """

    dispatches: tuple[Executed, ...] = ()
    stops: str | None = None
    strain: float = 0.0

    @property
    def fault(self) -> str | None:
        """The fault of this side, if it has one."""
        if self.stops or self.strain <= 1:
            return self.stops
        return f"its numbers miss the reference by {self.strain:.3g} times what is allowed"

    @property
    def numbers(self) -> dict[str, Any]:
        """The figures of all dispatches together, by the names of their metrics."""
        counts = [one.counts for one in self.dispatches]
        traffic = [one.traffic for one in counts if one.traffic is not None]
        lds_cycles = sum(one.lds_cycles for one in traffic)
        kinds: Counter[str] = sum((Counter(one.instructions) for one in counts), Counter())
        return {
            "estimated_time": self._microseconds,
            "executed_instructions": kinds.total(),
            **{f"executed_{kind}_instructions": kinds[kind] for kind in EXECUTED_CLASSES},
            "executed_matrix_flops": sum(one.matrix_flops for one in counts),
            "cache_lines": sum(one.cache_lines for one in traffic),
            "touched_bytes": sum(one.touched_bytes for one in traffic),
            "lds_cycles": lds_cycles,
            "lds_conflicts": lds_conflicts(lds_cycles, sum(one.lds_phases for one in traffic)),
            "barriers": sum(one.barriers for one in counts),
        }

    @property
    def _microseconds(self) -> float | None:
        """The estimate for all dispatches; None where one has none."""
        times = [one.estimate.microseconds for one in self.dispatches if one.estimate]
        return sum(times) if times and len(times) == len(self.dispatches) else None

    @property
    def busy(self) -> dict[str, float]:
        """Microseconds for which each unit is busy, over all dispatches; empty where not known."""
        of_each = [one.estimate.busy for one in self.dispatches if one.estimate]
        return {unit: sum(busy[unit] for busy in of_each) for unit in of_each[0]} if of_each else {}

    @property
    def bound_by(self) -> str | None:
        """The bound of the dispatch that takes longest."""
        estimates = [one.estimate for one in self.dispatches if one.estimate]
        return max(estimates, key=lambda one: one.microseconds).bound_by if estimates else None

    @property
    def words(self) -> str:
        """The estimate, or that it stops."""
        if self.stops:
            return f"stops: {self.stops}"
        if self.fault:
            return self.fault
        time = self._microseconds
        return "runs through" if time is None else f"{time:.3g} us, bound by {self.bound_by}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "stops": self.stops,
            "strain": self.strain if math.isfinite(self.strain) else None,
            "bound_by": self.bound_by,
            "numbers": None if self.stops else self.numbers,
            "dispatches": [one.to_dict() for one in self.dispatches],
        }


@dataclass(frozen=True)
class Execution:
    """The execution of both sides; where there is none, `skipped` says why."""

    baseline: ExecutedSide | None = None
    candidate: ExecutedSide | None = None
    skipped: str | None = None

    @property
    def numbers(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The figures of the baseline and the candidate; None unless there are those of both."""
        before, after = self.baseline, self.candidate
        if before is None or after is None or before.stops or after.stops:
            return None
        return before.numbers, after.numbers

    @property
    def fault(self) -> str | None:
        """The candidate's fault where the baseline has none.

        Where something is with both it did not come with the change, and the emulator may be what
        is wrong: it has not met hardware. So it is told, and not held against the candidate.
        """
        if self.candidate is None or self.baseline is None or self.baseline.fault:
            return None
        return self.candidate.fault

    @property
    def note(self) -> str:
        """A note on what was executed, or on why it was not."""
        if self.baseline is None or self.candidate is None:
            return f"not executed: {self.skipped}"
        both = f"baseline {self.baseline.words}; candidate {self.candidate.words}"
        if self.numbers is None:
            return f"executed by the emulator: {both}"
        return f"executed by the emulator, times by a model that has not met hardware: {both}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "skipped": self.skipped,
            "baseline": self.baseline and self.baseline.to_dict(),
            "candidate": self.candidate and self.candidate.to_dict(),
        }


@dataclass(frozen=True)
class Executions:
    """Executes pairs of artifacts, both sides on the same inputs."""

    policy: Policy
    seed: int

    def of(self, baseline: Subject, candidate: Subject, *, is_breaking: bool) -> Execution:
        """Both sides executed, or the reason why not; `is_breaking`: their contracts differ."""
        try:
            reason = self._reason(baseline, candidate, is_breaking)
            if reason is not None:
                return Execution(skipped=reason)
            assert baseline.artifact is not None
            assert candidate.artifact is not None
            with step("executing the baseline"):
                before = self._side(baseline.artifact)
            with step("executing the candidate"):
                return Execution(before, self._side(candidate.artifact))
        except IrattnError as error:
            return Execution(skipped=str(error))

    def _reason(self, baseline: Subject, candidate: Subject, is_breaking: bool) -> str | None:
        """Why a pair is not executed, if so."""
        if is_breaking:
            return "the two sides have not the same contract"
        if baseline.manifest.sha256[VMFB] == candidate.manifest.sha256[VMFB]:
            return "both sides have the same compiled module"
        target = targets.get(candidate.manifest.target)
        if problem := emulated_device.problem(target):
            return f"{target.name} {problem}"
        for side, subject in (("baseline", baseline), ("candidate", candidate)):
            if subject.artifact is None:
                return f"the {side} is a baseline file, which has no machine code"
            if unknown := obstacles(subject.artifact):
                more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
                return f"the emulator does not know code of the {side}: {unknown[0]}{more}"
            flops, most = subject.artifact.spec.flops, self.policy.most_executed_flops
            if flops > most:
                return f"{flops:.1e} operations a call, execution.most_flops is {most:.0e}"
        return None

    def _side(self, artifact: Artifact) -> ExecutedSide:
        """One side; DeviceError where it stops for what the emulator does not know."""
        try:
            call = execute(artifact, self.seed)
        except DeviceError as error:
            if is_fault(error):
                return ExecutedSide(stops=str(error))
            raise
        inputs = random_tensors(artifact.spec, self.seed)
        known = known_case("normal", artifact.spec, inputs)
        return ExecutedSide(call.dispatches, strain=strain(known.worst(call.outputs)))
