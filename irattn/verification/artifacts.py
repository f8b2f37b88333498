"""Run specs, artifacts and bundles on every case, and compare them with the reference."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irattn import targets
from irattn.artifact import Artifact
from irattn.bundles import Bundle
from irattn.costs import announce, check_verification
from irattn.inputs import cases_for
from irattn.runtime import CPU_DRIVERS, EMULATORS, Kernel, load_artifact, load_variant
from irattn.specs import Spec
from irattn.targets import Target
from irattn.verification.accuracy import Accuracy, measured, strain
from irattn.verification.cases import known_cases
from irattn.verification.kernels import code_on, is_auto_gpu, kernel_for

# Measured operations in a second of processor time: of the float64 reference, of a fused graph on a
# CPU, and of matrix instructions in the emulator.
_REFERENCE_RATE, _FUSED_RATE, _EMULATED_RATE = 1e10, 1e9, 4e8


@dataclass(frozen=True)
class Verdict:
    """The outcome for one spec: its worst case and every case that failed."""

    name: str
    spec: Spec
    cases: int
    worst_case: str
    accuracy: Accuracy
    tolerance: float
    failed: tuple[str, ...]
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
            "ran": self.ran,
        }


def verify_spec(
    spec: Spec,
    target: Target,
    *,
    name: str | None = None,
    device: str = "auto",
    formulation: str | None = None,
    dialect: str = "linalg",
    seed: int = 0,
    root: Path | None = None,
) -> Verdict:
    """Run a spec on every case that makes sense for it and compare with the reference.

    Where the target is a GPU that is not there, the same fused graph is compiled for the CPU and
    run instead; `Verdict.ran` says what ran. A named device never falls back. What takes long is
    said in a logged warning beforehand. TooLargeError where the machine has not the memory.
    """
    check_verification(spec)
    kernel, ran = kernel_for(spec, target, name, device, formulation, dialect, root)
    return _verify_kernel(kernel, name or f"{spec.op}-{spec.digest}", ran, seed)


def verify_artifact(artifact: Artifact, *, device: str = "auto", seed: int = 0) -> Verdict:
    """Run an artifact as it is on a device; needs no compiler, and falls back to nothing."""
    target = targets.get(artifact.target)
    kernel = load_artifact(artifact, target.driver if is_auto_gpu(target, device) else device)
    return _verify_kernel(kernel, artifact.manifest.name, code_on(target, kernel), seed)


def verify_entry(
    bundle: Bundle, name: str, *, device: str = "auto", target: str | None = None, seed: int = 0
) -> Verdict:
    """Run the variant of a bundle's entry that a device runs; a failed launch is a failure.

    `target` allows its variant only.
    """
    kernel = load_variant(bundle, name, device, target, fall_back=False)
    return _verify_kernel(kernel, name, code_on(targets.get(kernel.artifact.target), kernel), seed)


def _verify_kernel(kernel: Kernel, name: str, ran: str, seed: int) -> Verdict:
    spec = kernel.spec
    _announce(kernel, name)
    # What counts is the output, and the case, that comes closest to its tolerance or exceeds it.
    measures: dict[str, tuple[Accuracy, float]] = {}
    for case in known_cases(spec, seed):
        pairs = zip(kernel.outputs(**case.tensors), case.expected, case.outputs, strict=True)
        measures[case.name] = max((measured(*pair) for pair in pairs), key=strain)
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
        ran=ran,
    )


def _announce(kernel: Kernel, name: str) -> None:
    """Say how long all cases may take, by what is slowest."""
    flops = sum(len(cases_for(call)) * call.flops for call in kernel.spec.calls)
    rate = _REFERENCE_RATE
    if kernel.driver in EMULATORS:
        rate = _EMULATED_RATE
    elif kernel.driver in CPU_DRIVERS and kernel.artifact.manifest.formulation == "fused":
        rate = _FUSED_RATE
    announce(f"{name}: verification", flops / rate)
