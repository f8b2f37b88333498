"""What an AMD artifact's kernels execute, by the emulator, and a model of how long that takes."""

from dataclasses import asdict, dataclass
from typing import Any

from irattn.artifact import Artifact
from irattn.codeobject import read_code_object
from irattn.emulator import Counts, unsupported_instructions
from irattn.emulator.cycles import Estimate, estimate
from irattn.errors import DeviceError
from irattn.inputs import random_tensors
from irattn.inspection import inspect_module
from irattn.launches import launch_files
from irattn.runtime import emulated
from irattn.runtime.direct import DirectSession
from irattn.runtime.kernel import Kernel
from irattn.targets import get as get_target


@dataclass(frozen=True)
class Executed:
    """One dispatch: what it executed, and the model's figures where the chip is known."""

    counts: Counts
    estimate: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        counts, traffic = asdict(self.counts), self.counts.traffic
        counts["executed"] = len(self.counts.executed)
        counts["traffic"] = None
        if traffic is not None:
            counts["traffic"] = {
                "cache_lines": traffic.cache_lines,
                "touched_bytes": traffic.touched_bytes,
                "lds_cycles": traffic.lds_cycles,
            }
        found = self.estimate
        return {
            **counts,
            "estimate": found and {**asdict(found), "bound_by": found.bound_by},
        }


def obstacles(artifact: Artifact) -> list[str]:
    """Why the emulator would stop: that its target is not emulated, or instructions by kernel."""
    target = get_target(artifact.target)
    if problem := emulated.problem(target):
        return [f"{target.name} {problem}"]
    elfs = [data for data in launch_files(artifact).values() if data.startswith(b"\x7fELF")]
    return [
        f"{kernel.name}: {instruction.name} at {instruction.at:#x}"
        for elf in elfs
        for kernel in read_code_object(elf).kernels
        for instruction in unsupported_instructions(kernel, target.name)
    ]


def execute(artifact: Artifact) -> list[Executed]:
    """Run an artifact once on random inputs of its largest sizes; one result for each dispatch.

    DeviceError where its code is not emulated, or does what it must not.
    """
    target = get_target(artifact.target)
    if problem := emulated.problem(target):
        raise DeviceError(f"{artifact.manifest.name}: {target.name} {problem}")
    session = DirectSession(artifact, "emulator", measure=True)
    Kernel(session).outputs(**random_tensors(artifact.spec))
    occupancy = {kernel.name: kernel.occupancy for kernel in inspect_module(artifact.vmfb).kernels}
    io_dtype = artifact.spec.io_dtype
    return [
        Executed(counts, estimate(counts, target, io_dtype, occupancy[counts.kernel]))
        for counts in session.counts
    ]
