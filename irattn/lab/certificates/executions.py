"""Executes an artifact's own code for a proof: AMD's in the emulator, a CPU's on this processor.

Large grids are cut: of a kernel whose results no later kernel reads, some workgroups run, and what
they wrote is what is looked at. All else runs as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from irattn.binary.inspection import inspect_module
from irattn.binary.inspection.figures import StepFigures
from irattn.binary.launches import launch_plan_and_files
from irattn.compiling.artifact import Artifact
from irattn.core.dtypes import dtype
from irattn.core.errors import IrattnError
from irattn.lab.emulator import Counts, run_plan
from irattn.lab.emulator.isa.families import family
from irattn.lab.inputs import Tensors
from irattn.lab.profiling import obstacles
from irattn.runtime import Kernel, load_artifact
from irattn.runtime.arguments import check_arguments
from irattn.runtime.padding import CallSizes
from irattn.targets import get as get_target

# What must run as a whole may take this many matrix operations a call: some ten seconds.
_MOST_FLOPS = 4e9


class NotExecutedError(IrattnError):
    """An artifact's code cannot be executed here; the message says why."""


@dataclass(frozen=True)
class CallOutcome:
    """The outputs of a call, which of their elements were computed, and what was executed."""

    outputs: tuple[np.ndarray, ...]
    written: tuple[np.ndarray, ...]
    counts: tuple[Counts, ...] = ()

    def is_same(self, other: "CallOutcome") -> bool:
        """Whether all is equal bit for bit."""
        mine, others = (*self.outputs, *self.written), (*other.outputs, *other.written)
        return all(a.tobytes() == b.tobytes() for a, b in zip(mine, others, strict=True))

    def equal_elements(self, other: "CallOutcome", wanted: Sequence[np.ndarray]) -> int | str:
        """How many of the wanted elements are equal bit for bit, or which output has others."""
        count = 0
        for i, mask in enumerate(wanted):
            both = mask & self.written[i] & other.written[i]
            mine, its = self.outputs[i][both], other.outputs[i][both]
            if mine.tobytes() != its.tobytes():
                return f"output {i}"
            count += len(mine)
        return count


class Emulation:
    """An AMD artifact in the emulator, with at most `workgroups` of each kernel; 0 is all.

    `changed` are files that stand for the artifact's own. NotExecutedError where it cannot run.
    """

    def __init__(self, artifact: Artifact, workgroups: int = 0, seed: int = 0) -> None:
        if stops := obstacles(artifact):
            more = f", and {len(stops) - 1} more" if len(stops) > 1 else ""
            raise NotExecutedError(f"the emulator stops: {stops[0]}{more}")
        self.artifact = artifact
        self.target = artifact.target
        self.plan, self.files = launch_plan_and_files(artifact)
        self._sizes = CallSizes(artifact.spec)
        self._some = _chosen(inspect_module(artifact.vmfb).steps, workgroups, seed)

    @property
    def how(self) -> str:
        """The device that executes the code, in words."""
        return f"its {self.target} machine code, instruction by instruction, in irattn's emulator"

    @property
    def lost(self) -> float:
        """Below what its matrix instructions take numbers of 16 bits for 0."""
        io_dtype = self.artifact.spec.io_dtype
        is_lost = family(self.target).flushes_products and io_dtype != "f32"
        return dtype(io_dtype).smallest_normal if is_lost else 0.0

    @property
    def cut(self) -> list[dict[str, Any]]:
        """The kernels of which only some workgroups run, once it has been called."""
        seen = [(one.kernel, *one.most_seen) for one in self._some.values()]
        return [{"kernel": k, "workgroups": n, "of": of} for k, n, of in seen if n < of]

    def run(
        self, tensors: Tensors, changed: Mapping[str, bytes] | None = None, **how: Any
    ) -> CallOutcome:
        """Call it; `how` goes to `run_plan`. EmulatorError where the code does what it must not."""
        arrays = check_arguments(self.artifact.spec, tensors)
        padding = None if self._sizes.is_static else self._sizes.of(arrays)
        if padding:
            arrays = padding.pad(arrays)
        names = (tensor.name for tensor in self.artifact.spec.compiled.inputs)
        given = dict(zip(names, arrays, strict=True))
        run = run_plan(self.plan, changed or self.files, given, some=self._some, **how)
        outputs, written = run.outputs, run.written
        if padding:
            outputs, written = padding.cut(outputs), padding.cut(written)
        return CallOutcome(outputs, written, run.counts)


class OnThisProcessor:
    """A CPU artifact, run as it is."""

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.target = artifact.target
        try:
            self._kernel: Kernel = load_artifact(artifact, "cpu")
        except IrattnError as error:
            raise NotExecutedError(str(error)) from error

    how = "its machine code, on this processor"
    cut: tuple[Any, ...] = ()
    lost = 0.0

    def run(self, tensors: Tensors) -> CallOutcome:
        """Call it."""
        outputs = self._kernel.outputs(**tensors)
        return CallOutcome(outputs, tuple(np.ones(output.shape, bool) for output in outputs))


Execution: TypeAlias = Emulation | OnThisProcessor


def execution_of(artifact: Artifact, workgroups: int, seed: int) -> Execution:
    """The execution of an artifact here; NotExecutedError where nothing executes it."""
    if get_target(artifact.target).is_gpu:
        return Emulation(artifact, workgroups, seed)
    return OnThisProcessor(artifact)


class _Some:
    """Chooses workgroups: the first, the last, and any others in between.

    `most_seen` are how many it has chosen, and out of how many, in the largest launch.
    """

    def __init__(self, kernel: str, most: int, seed: int) -> None:
        self.kernel, self.most, self.seed = kernel, most, seed
        self.most_seen = (0, 0)

    def __call__(self, count: int) -> np.ndarray:
        chosen = np.arange(count)
        if count > self.most:
            inner = 1 + np.random.default_rng(self.seed).permutation(count - 2)
            chosen = np.sort(np.append(inner[: self.most - 2], [0, count - 1]))[: self.most]
        self.most_seen = max(self.most_seen, (len(chosen), count), key=lambda pair: pair[1])
        return chosen


def _chosen(steps: tuple[StepFigures, ...], workgroups: int, seed: int) -> dict[int, _Some]:
    """Who chooses workgroups of steps whose results no later one reads, by the step's number."""
    chosen = {}
    for number, step in enumerate(steps if workgroups else ()):
        if step.what != "dispatch":
            continue
        if _is_last(step, steps[number + 1 :]):
            chosen[number] = _Some(str(step.kernel), workgroups, seed)
        elif (step.matrix_flops or 0) > _MOST_FLOPS:
            raise NotExecutedError(
                f"too large: later kernels need all of the {step.matrix_flops:.1e} operations of "
                f"{step.kernel}; `--workgroups 0` executes everything, in hours"
            )
    return chosen


def _is_last(step: StepFigures, later: tuple[StepFigures, ...]) -> bool:
    """Whether it writes to outputs only, and nobody reads them."""
    read = {buffer for other in later for buffer in other.reads}
    return bool(step.writes) and all(
        buffer.startswith("output") and buffer not in read for buffer in step.writes
    )
