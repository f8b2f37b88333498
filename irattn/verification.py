"""Runs artifacts and compares them with the float64 reference."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irattn import targets
from irattn.artifact import Artifact
from irattn.build import build
from irattn.bundles import Bundle
from irattn.costs import announce, check_verification
from irattn.dtypes import dtype
from irattn.errors import DeviceError
from irattn.inputs import Tensors, cases_for
from irattn.progress import steps
from irattn.reference import reference
from irattn.rendering import formulation_of
from irattn.runtime import CPU_DRIVERS, EMULATORS, Kernel, auto_device, load_artifact, load_variant
from irattn.specs import Spec
from irattn.targets import Target
from irattn.tensors import TensorType

# A single row may be off by this many tolerances: rounding errors average out over a whole output
# but not over one row. A row that is simply wrong is off by hundreds.
_ROW_FACTOR = 10

# Measured operations in a second of processor time: of the float64 reference, of a fused graph on a
# CPU, and of matrix instructions in the emulator.
_REFERENCE_RATE, _FUSED_RATE, _EMULATED_RATE = 1e10, 1e9, 4e8

# What a reader must know about a device to judge the result.
_HOW = dict.fromkeys(
    EMULATORS,
    " (executed instruction by instruction on this CPU; waits, hazards, races in global "
    "memory, timing and the order in which matrix instructions round are not seen)",
)


@dataclass(frozen=True)
class Accuracy:
    """The error of one output: largest absolute, and relative to the reference's norm.

    `worst_row` is the largest relative error of a single row. A row whose reference is all zeros
    must be all zeros.
    """

    max_abs: float
    relative: float
    worst_row: float

    @property
    def decisive(self) -> float:
        """What must not exceed the tolerance."""
        return max(self.relative, self.worst_row / _ROW_FACTOR)

    def to_dict(self) -> dict[str, float | None]:
        """JSON form. JSON has no infinity: null is an error without bound."""
        return {name: error if np.isfinite(error) else None for name, error in asdict(self).items()}


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


@dataclass(frozen=True)
class KnownCase:
    """Inputs of one case, and what must come out: the float64 reference of each output."""

    name: str
    tensors: Tensors
    outputs: tuple[TensorType, ...]
    expected: tuple[np.ndarray, ...]


def measure(output: np.ndarray, expected: np.ndarray, tiniest: float) -> Accuracy:
    """The error of `output` against a float64 reference; errors below `tiniest` count as none.

    NaN counts as infinitely wrong, and so does an infinity that the reference does not have. Where
    the reference has one, the output must have it too.
    """
    with np.errstate(invalid="ignore"):
        found = output.astype(np.float64)
    error = np.full(expected.shape, np.inf)
    error[found == expected] = 0.0
    both = np.isfinite(found) & np.isfinite(expected)
    error[both] = np.abs(found[both] - expected[both])
    error[error < tiniest] = 0.0
    row_error = np.linalg.norm(error, axis=-1)
    row_norm = np.linalg.norm(np.where(np.isfinite(expected), expected, 0.0), axis=-1)
    return Accuracy(
        max_abs=float(error.max()),
        relative=_ratio(float(np.linalg.norm(row_error)), float(np.linalg.norm(row_norm))),
        worst_row=max(map(_ratio, row_error.ravel().tolist(), row_norm.ravel().tolist())),
    )


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
    kernel = load_artifact(artifact, target.driver if _is_auto_gpu(target, device) else device)
    return _verify_kernel(kernel, artifact.manifest.name, _code_on(target, kernel), seed)


def verify_entry(bundle: Bundle, name: str, *, device: str = "auto", seed: int = 0) -> Verdict:
    """Run the variant of a bundle's entry that a device runs; a failed launch is a failure."""
    kernel = load_variant(bundle, name, device, fall_back=False)
    return _verify_kernel(kernel, name, _code_on(targets.get(kernel.artifact.target), kernel), seed)


def _verify_kernel(kernel: Kernel, name: str, ran: str, seed: int) -> Verdict:
    spec = kernel.spec
    _announce(kernel, name)
    # What counts is the output, and the case, that comes closest to its tolerance or exceeds it.
    found: dict[str, tuple[Accuracy, float]] = {}
    for case in known_cases(spec, seed):
        pairs = zip(kernel.outputs(**case.tensors), case.expected, case.outputs, strict=True)
        found[case.name] = max((measured(*pair) for pair in pairs), key=strain)
    worst = max(found, key=lambda case: strain(found[case]))
    accuracy, tolerance = found[worst]
    return Verdict(
        name=name,
        spec=spec,
        cases=len(found),
        worst_case=worst,
        accuracy=accuracy,
        tolerance=tolerance,
        failed=tuple(case for case in found if not strain(found[case]) <= 1),
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


def known_cases(spec: Spec, seed: int) -> Iterator[KnownCase]:
    """Every case that makes sense for a spec, at every size that a call may choose.

    TooLargeError where this machine has not the memory.
    """
    check_verification(spec)
    pairs = [(call, case) for call in spec.calls for case in cases_for(call)]
    for call, case in steps(pairs, lambda pair: f"case {pair[1].name}"):
        at = ", ".join(f"{name} {getattr(call, name)}" for name in getattr(spec, "dynamic", ()))
        tensors = case.tensors(call, seed)
        name = f"{case.name} at {at}" if at else case.name
        yield KnownCase(name, tensors, call.outputs, tuple(reference(call, tensors)))


def measured(
    output: np.ndarray, expected: np.ndarray, tensor: TensorType
) -> tuple[Accuracy, float]:
    """The error of an output against a float64 reference, and what is allowed."""
    element = dtype(tensor.dtype)
    if not tensor.by_row:
        output, expected = output.reshape(1, -1), expected.reshape(1, -1)
    return measure(output, expected, element.tiniest), element.tolerance


def strain(measured: tuple[Accuracy, float]) -> float:
    """The decisive error in units of what is allowed; more than 1 fails."""
    accuracy, tolerance = measured
    return accuracy.decisive / tolerance


def _ratio(error: float, norm: float) -> float:
    if error == 0:
        return 0.0
    return error / norm if norm > 0 else float("inf")


def kernel_for(
    spec: Spec,
    target: Target,
    name: str | None,
    device: str,
    formulation: str | None,
    dialect: str,
    root: Path | None,
) -> tuple[Kernel, str]:
    """The kernel that verifying runs, and what it is in words; see `verify_spec` for the choice."""
    how: dict[str, Any] = {"name": name, "dialect": dialect, "root": root}
    if not _is_auto_gpu(target, device):
        artifact = build(spec, target, formulation=formulation, **how)
        kernel = load_artifact(artifact, device)
        return kernel, _code_on(target, kernel)
    driver, reason = auto_device(target)
    if driver != "cpu":
        try:
            artifact = build(spec, target, formulation=formulation, **how)
            kernel = load_artifact(artifact, driver)
            return kernel, _code_on(target, kernel)
        except DeviceError as error:
            reason = str(error)
    how["formulation"] = formulation_of(spec, target, formulation, dialect)
    kernel = load_artifact(build(spec, targets.get("cpu"), **how), "cpu")
    graph = how["formulation"] or dialect
    return kernel, f"the same {graph} graph compiled for this CPU ({reason})"


def _is_auto_gpu(target: Target, device: str) -> bool:
    """Whether `auto` stands for the target's GPU: verifying must not fall back unseen."""
    return device == "auto" and target.is_gpu


def _code_on(target: Target, kernel: Kernel) -> str:
    return f"{target.name} code on device {kernel.driver}{_HOW.get(kernel.driver, '')}"
