"""How accurate the two sides are: their errors against the float64 reference, side by side."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from irattn import targets
from irattn.binary.manifest import sha256
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import request_of
from irattn.compiling.compiler import DiagnosticsError, compile_mlir, compiler_version, untiled
from irattn.core.errors import IrattnError
from irattn.core.progress import step
from irattn.lab.comparison.policy import Policy
from irattn.lab.emulated_gpu.device import problem as emulated_problem
from irattn.lab.verification import KnownCase, known_cases, strain
from irattn.rendering import render
from irattn.runtime import Kernel, auto_device, load_artifact
from irattn.specs import Spec
from irattn.targets import Target

# Up to so many operations a call, the emulator takes seconds for all cases.
_EMULATED_FLOPS = 1e8


@dataclass(frozen=True)
class CaseErrors:
    """The errors of one input case, of the output that comes closest to its tolerance.

    The errors are those of `verification.Accuracy`. `strain` is the decisive one in units of the
    tolerance: above 1 it is wrong.
    """

    case: str
    max_abs: float
    relative: float
    worst_row: float
    tolerance: float
    strain: float

    @property
    def decisive(self) -> float:
        """The error that must not exceed the tolerance."""
        return self.strain * self.tolerance


@dataclass(frozen=True)
class ComparedSide:
    """One side: the words for what ran, and the errors case by case."""

    ran: str
    cases: tuple[CaseErrors, ...]

    @property
    def worst(self) -> CaseErrors:
        """The case that comes closest to its tolerance or exceeds it most."""
        return max(self.cases, key=lambda case: case.strain)


@dataclass(frozen=True)
class Numerics:
    """Errors of both sides; a side is None where it is no artifact or did not run.

    `skipped` says why the candidate was not verified.
    """

    baseline: ComparedSide | None = None
    candidate: ComparedSide | None = None
    skipped: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON form. JSON has no infinity: null is an error without bound."""
        fields = _without_infinity(asdict(self))
        assert isinstance(fields, dict)
        return fields


@dataclass(frozen=True)
class Measurements:
    """Runs artifacts on every case that makes sense for their specs, each graph of a spec once."""

    policy: Policy
    seed: int
    _known: dict[tuple[str, Spec], tuple[CaseErrors, ...]] = field(default_factory=dict)

    def of(self, baseline: Artifact | None, candidate: Artifact) -> Numerics:
        """Run both artifacts of one spec; what cannot run is skipped with its reason."""
        spec = candidate.spec
        most = self.policy.most_flops
        if spec.flops > most:
            return Numerics(
                skipped=f"{spec.flops:.1e} operations a call, the policy's most is {most:.0e}"
            )
        try:
            sides = [_runnable(artifact) for artifact in (candidate, baseline) if artifact]
            self._measure(spec, sides)
        except DiagnosticsError as error:
            return Numerics(skipped=f"does not compile for this CPU: {error.first_error}")
        except IrattnError as error:
            return Numerics(skipped=str(error))
        made = [ComparedSide(side.words, self._known[side.key, spec]) for side in sides]
        return Numerics(made[1] if baseline else None, made[0])

    def _measure(self, spec: Spec, sides: list["_Runnable"]) -> None:
        kernels = {side.key: side.load() for side in sides if (side.key, spec) not in self._known}
        measured: dict[str, list[CaseErrors]] = {key: [] for key in kernels}
        for case in known_cases(spec, self.seed) if kernels else ():
            for key, kernel in kernels.items():
                measured[key].append(_errors(kernel, case))
        self._known.update({(key, spec): tuple(errors) for key, errors in measured.items()})


@dataclass(frozen=True)
class _Runnable:
    """The code that runs for an artifact: words, a loader, and a key that equal code shares."""

    key: str
    words: str
    load: Callable[[], Kernel]


def _runnable(artifact: Artifact) -> _Runnable:
    """An artifact's own code where its device is here, else what shows that it is right or wrong.

    A graph that is what this version renders is rendered for the CPU. Any other must show itself:
    its machine code in the emulator where that takes seconds, else its own MLIR on the CPU.
    """
    target = targets.get(artifact.target)
    driver, reason = auto_device(target)
    if not target.is_gpu or driver != "cpu":
        words = f"{target.name} code on device {driver}"
        return _Runnable(sha256(artifact.vmfb), words, lambda: load_artifact(artifact, driver))
    is_rendered = artifact.mlir == _rendered(artifact, target)
    if not is_rendered and not emulated_problem(target) and artifact.spec.flops <= _EMULATED_FLOPS:
        words = f"{target.name} code on device emulator"
        return _Runnable(sha256(artifact.vmfb), words, lambda: load_artifact(artifact, "emulator"))
    if is_rendered:
        text, graph = _rendered(artifact, targets.get("cpu")), "the same graph"
    else:
        text, graph = untiled(artifact.mlir), f"its own graph, without {target.name} tiles"
    words = f"{graph}, compiled for this CPU ({reason})"
    return _Runnable(
        sha256(text.encode()), words, lambda: load_artifact(_cpu_twin(artifact, text), "cpu")
    )


def _rendered(artifact: Artifact, target: Target) -> str:
    """The graph that this version renders for the artifact's spec."""
    return render(request_of(artifact).on(target))


def _cpu_twin(artifact: Artifact, text: str) -> Artifact:
    """The artifact of a text for this CPU, in memory only."""
    cpu = targets.get("cpu")
    made = replace(
        artifact.manifest,
        target=cpu.name,
        target_identity=cpu.identity,
        flags=list(cpu.flags),
        compiler_version=compiler_version(),
    )
    with step("compiling its graph for this CPU"):
        return Artifact(made, text, compile_mlir(text, cpu.flags), artifact.path)


def _errors(kernel: Kernel, case: KnownCase) -> CaseErrors:
    worst = case.worst(kernel.outputs(**case.tensors))
    accuracy, tolerance = worst
    return CaseErrors(
        case=case.name,
        **asdict(accuracy),
        tolerance=tolerance,
        strain=_or_infinity(strain(worst)),
    )


def _or_infinity(value: float) -> float:
    return value if not np.isnan(value) else float("inf")


def _without_infinity(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_infinity(item) for name, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_without_infinity(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
