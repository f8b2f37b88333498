"""Profile an AMD artifact in the emulator: what its kernels execute, and how long it may take."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from irattn.binary.codeobject import CodeObject, KernelCode, read_code_object
from irattn.binary.inspection import inspect_module
from irattn.binary.launches import launch_files
from irattn.compiling.artifact import Artifact
from irattn.core.errors import DeviceError, EmulatorError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.emulator import Counts, unsupported_instructions
from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.machine.descriptor import read_descriptor
from irattn.lab.emulator.measure.cycles import Estimate, estimate
from irattn.lab.inputs import random_tensors
from irattn.runtime.kernel import Kernel
from irattn.targets import get as get_target
from irattn.targets import is_target


@dataclass(frozen=True)
class Executed:
    """One dispatch: what it executed, and the model's figures where the chip is known."""

    counts: Counts
    estimate: Estimate | None

    @property
    def others_per_matrix(self) -> float | None:
        """Instructions that compute or move, for each of matrices; None where there is none."""
        kinds = dict(self.counts.instructions)
        matrices = kinds.pop("matrix", 0)
        kinds.pop("wait", 0)
        return sum(kinds.values()) / matrices if matrices else None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        traffic = self.counts.traffic
        counts = asdict(replace(self.counts, traffic=None, by_workgroup=None))
        # How the emulator goes about it says nothing of a chip, and of workgroups dies tell.
        del counts["blocks"], counts["by_workgroup"]
        counts["executed"] = len(self.counts.executed)
        if traffic is not None:
            counts["traffic"] = {
                "cache_lines": traffic.cache_lines,
                "touched_bytes": traffic.touched_bytes,
                "lds_cycles": traffic.lds_cycles,
                "lds_phases": traffic.lds_phases,
            }
        model = self.estimate
        said: dict[str, Any] = {}
        if model:
            said = {"bound_by": model.bound_by, "matrix_share": model.matrix_share}
        if model and model.dies:
            said["worst_over_mean"] = {
                "microseconds": model.dies.worst_time,
                "matrix_instructions": model.dies.worst_matrix,
            }
        return {
            **counts,
            "others_per_matrix": self.others_per_matrix,
            "estimate": model and {**asdict(model), **said},
        }


def obstacles(artifact: Artifact) -> list[str]:
    """Why the emulator would stop: its target is not emulated; how kernels start; instructions."""
    if problem := emulation_problem(artifact.target):
        return [problem]
    # How kernels start comes before what is in them.
    parts = [_obstacles(one) for one in code_objects(artifact)]
    return [why for part in zip(*parts, strict=True) for each in part for why in each]


def obstacles_of(code_object: CodeObject) -> list[str]:
    """Why the emulator would stop at a code object of any compiler."""
    if problem := emulation_problem(code_object.gfx):
        return [problem]
    return [why for part in _obstacles(code_object) for why in part]


def emulation_problem(gfx: str) -> str | None:
    """Why the code of a target is not executed here, with its name; None where it is."""
    if not is_target(gfx):
        return f"{gfx} is none of irattn's targets"
    problem = emulated_device.problem(get_target(gfx))
    return f"{gfx} {problem}" if problem else None


def _obstacles(code_object: CodeObject) -> tuple[list[str], list[str]]:
    """The obstacles of kernels: their start, and the instructions that stop them."""
    kernels, gfx = code_object.kernels, code_object.gfx
    return (
        [why for kernel in kernels if (why := _unsupported_start(kernel, gfx))],
        [
            f"{kernel.name}: {instruction.name} at {instruction.at:#x}"
            for kernel in kernels
            for instruction in unsupported_instructions(kernel, gfx)
        ],
    )


def code_objects(artifact: Artifact) -> list[CodeObject]:
    """The machine code in an artifact for an AMD GPU."""
    elfs = [data for data in launch_files(artifact).values() if data.startswith(b"\x7fELF")]
    return list(map(read_code_object, elfs))


def is_fault(error: DeviceError) -> bool:
    """Whether `execute` failed for what the code did, not for what the emulator does not know.

    It takes for granted that `obstacles` finds nothing.
    """
    stop = error.__cause__
    return isinstance(stop, EmulatorError) and not isinstance(
        stop.__cause__, UnknownInstructionError
    )


def lds_conflicts(cycles: int, phases: int) -> float | None:
    """Cycles of LDS per cycle that would do without bank conflicts; None where LDS is not used."""
    return cycles / phases if phases else None


def _unsupported_start(kernel: KernelCode, gfx: str) -> str | None:
    """The part of a kernel's start that the emulator does not know."""
    try:
        read_descriptor(kernel, gfx)
    except EmulatorError as error:
        return str(error)
    return None


@dataclass(frozen=True)
class ExecutedCall:
    """One call: its dispatches in order, and its outputs."""

    dispatches: tuple[Executed, ...]
    outputs: tuple[np.ndarray, ...]


def execute(
    artifact: Artifact, seed: int = 0, *, copies: int = 1, work: float = 1.0
) -> ExecutedCall:
    """Run an artifact once on `random_tensors` of its spec.

    Estimates are those of so many `copies` of each launch, side by side, each of so many times the
    `work`. DeviceError where its code is not emulated, or does what it must not: `is_fault` tells
    which.
    """
    target = get_target(artifact.target)
    if problem := emulated_device.problem(target):
        raise DeviceError(f"{artifact.manifest.name}: {target.name} {problem}")
    session = EmulatedSession(artifact, "emulator", measure=True)
    outputs = Kernel(session).outputs(**random_tensors(artifact.spec, seed))
    occupancy = {kernel.name: kernel.occupancy for kernel in inspect_module(artifact.vmfb).kernels}
    dispatches = [
        Executed(counts, estimate(counts, target, occupancy[counts.kernel], copies, work))
        for counts in session.counts
    ]
    return ExecutedCall(tuple(dispatches), outputs)
