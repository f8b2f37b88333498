"""Run specs, artifacts and bundles on every case, and compare them with the reference."""

from dataclasses import dataclass
from typing import Any

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.bundles import Bundle
from irattn.compiling.store import Store
from irattn.lab.emulated_gpu.device import EMULATOR
from irattn.lab.verification import times
from irattn.lab.verification.accuracy import Accuracy, strain
from irattn.lab.verification.cases import known_cases
from irattn.lab.verification.kernels import (
    ChosenKernel,
    is_auto_gpu,
    is_quick_to_emulate,
    kernel_for,
    own_code,
)
from irattn.rendering import GraphRequest
from irattn.runtime import auto_device, load_artifact, load_variant
from irattn.runtime.costs import announce, check_verification
from irattn.specs import Spec
from irattn.targets import Target


@dataclass(frozen=True)
class Verdict:
    """The outcome for one spec: its worst case and every case that failed.

    `executed` says in few words what was executed and where, `ran` in a sentence.
    """

    name: str
    spec: Spec
    cases: int
    worst_case: str
    accuracy: Accuracy
    tolerance: float
    failed: tuple[str, ...]
    executed: str
    ran: str

    @property
    def passed(self) -> bool:
        """Whether every case met the tolerance."""
        return not self.failed

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "name": self.name,
            "spec": self.spec.to_dict(),
            "cases": self.cases,
            "worst_case": self.worst_case,
            **self.accuracy.to_dict(),
            "tolerance": self.tolerance,
            "passed": self.passed,
            "failed": list(self.failed),
            "executed": self.executed,
            "ran": self.ran,
        }


def verify_spec(
    request: GraphRequest,
    *,
    name: str | None = None,
    device: str = "auto",
    seed: int = 0,
    store: Store | None = None,
) -> Verdict:
    """Run a spec's graph on every case that makes sense for it and compare with the reference.

    Where the target is a GPU that is not there, the emulator executes its machine code, if that
    takes less than a minute and AMD's tables are there; else the same fused graph is compiled for
    the CPU and run. `Verdict.executed` says which. A named device never falls back. What takes long
    is said in a logged warning beforehand. TooLargeError where the machine has not the memory.
    """
    spec = request.spec
    check_verification(spec)
    chosen = kernel_for(request, name, device, store or Store())
    return _verify_kernel(chosen, name or f"{spec.op}-{spec.digest}", request.target, seed)


def verify_artifact(artifact: Artifact, *, device: str = "auto", seed: int = 0) -> Verdict:
    """Run an artifact as it is on a device; needs no compiler, and falls back to no other code.

    For `auto` the device of a GPU's artifact is that GPU, or, where it is not there and that takes
    less than a minute, the emulator.
    """
    target = targets.get(artifact.target)
    if is_auto_gpu(target, device):
        device = _device_of(artifact.spec, target)
    chosen = own_code(target, load_artifact(artifact, device))
    return _verify_kernel(chosen, artifact.manifest.name, target, seed)


def _device_of(spec: Spec, target: Target) -> str:
    """The GPU itself, which says why it is not there, unless the emulator can stand in for it."""
    is_there = auto_device(target)[0] != "cpu"
    return target.driver if is_there or not is_quick_to_emulate(spec, target) else EMULATOR


def verify_entry(
    bundle: Bundle, name: str, *, device: str = "auto", target: str | None = None, seed: int = 0
) -> Verdict:
    """Run the variant of a bundle's entry that a device runs; a failed launch is a failure.

    `target` allows its variant only.
    """
    kernel = load_variant(bundle, name, device, target, fall_back=False)
    compiled_for = targets.get(kernel.artifact.target)
    return _verify_kernel(own_code(compiled_for, kernel), name, compiled_for, seed)


def _verify_kernel(chosen: ChosenKernel, name: str, target: Target, seed: int) -> Verdict:
    kernel = chosen.kernel
    spec = kernel.spec
    announce(f"{name}: verification", times.of_kernel(kernel, target))
    # What counts is the output, and the case, that comes closest to its tolerance or exceeds it.
    measures: dict[str, tuple[Accuracy, float]] = {}
    for case in known_cases(spec, seed):
        measures[case.name] = case.worst(kernel.outputs(**case.tensors))
    worst = max(measures, key=lambda case: strain(measures[case]))
    accuracy, tolerance = measures[worst]
    return Verdict(
        name=name,
        spec=spec,
        cases=len(measures),
        worst_case=worst,
        accuracy=accuracy,
        tolerance=tolerance,
        failed=tuple(case for case in measures if not strain(measures[case]) <= 1),
        executed=chosen.executed,
        ran=chosen.ran,
    )
