"""Choose the kernel that verifies a spec, and say in words what it is and where it runs."""

from pathlib import Path
from typing import Any

from irattn import targets
from irattn.build import build
from irattn.compiler import untiled
from irattn.errors import DeviceError
from irattn.rendering import formulation_of, render
from irattn.runtime import EMULATORS, Kernel, auto_device, load_artifact
from irattn.specs import Spec
from irattn.targets import Target

# What a reader must know about a device to judge the result.
_HOW = dict.fromkeys(
    EMULATORS,
    " (executed instruction by instruction on this CPU; hazards, workgroups that read what others "
    "write, timing and the order in which matrix instructions round are not seen)",
)


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
    if not is_auto_gpu(target, device):
        artifact = build(spec, target, formulation=formulation, **how)
        kernel = load_artifact(artifact, device)
        return kernel, code_on(target, kernel)
    driver, reason = auto_device(target)
    if driver != "cpu":
        try:
            artifact = build(spec, target, formulation=formulation, **how)
            kernel = load_artifact(artifact, driver)
            return kernel, code_on(target, kernel)
        except DeviceError as error:
            reason = str(error)
    how["formulation"] = formulation_of(spec, target, formulation, dialect)
    kernel = load_artifact(build(spec, targets.get("cpu"), **how), "cpu")
    graph = how["formulation"] or dialect
    own = "same" if how["formulation"] or _is_the_same(kernel, target, dialect) else "CPU's own"
    return kernel, f"the {own} {graph} graph compiled for this CPU ({reason})"


def _is_the_same(kernel: Kernel, target: Target, dialect: str) -> bool:
    """Whether a CPU's graph of one formulation is the target's, but for tiles."""
    artifact = kernel.artifact
    return untiled(render(artifact.spec, target, dialect=dialect)) == untiled(artifact.mlir)


def is_auto_gpu(target: Target, device: str) -> bool:
    """Whether `auto` stands for the target's GPU: verifying must not fall back unseen."""
    return device == "auto" and target.is_gpu


def code_on(target: Target, kernel: Kernel) -> str:
    return f"{target.name} code on device {kernel.driver}{_HOW.get(kernel.driver, '')}"
