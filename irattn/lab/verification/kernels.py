"""Choose the kernel that verifies a spec, and say what it is and where it runs."""

from dataclasses import dataclass

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.compiling.compiler import untiled
from irattn.compiling.store import Store
from irattn.core.errors import DeviceError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulated_gpu.device import EMULATOR, EMULATORS
from irattn.lab.verification import times
from irattn.rendering import GraphRequest, render
from irattn.runtime import Kernel, auto_device, load_artifact
from irattn.specs import Spec
from irattn.targets import Target

# What a reader must know about a device to judge the result.
_HOW = dict.fromkeys(
    EMULATORS,
    " (executed instruction by instruction on this CPU; hazards, workgroups that read what others "
    "write, timing and the order in which matrix instructions round are not seen)",
)

# What may take longer in the emulator runs there only on demand.
_QUICK_SECONDS = 60


@dataclass(frozen=True)
class ChosenKernel:
    """The kernel that verifies a spec.

    `executed` says what it is and where it runs in a cell of a table, `ran` in a sentence.
    """

    kernel: Kernel
    executed: str
    ran: str


def kernel_for(request: GraphRequest, name: str | None, device: str, store: Store) -> ChosenKernel:
    """The kernel that verifying runs; see `verify_spec` for the choice."""
    target = request.target

    def own(driver: str) -> ChosenKernel:
        return own_code(target, load_artifact(build(request, store, name=name), driver))

    if not is_auto_gpu(target, device):
        return own(device)
    driver, reason = auto_device(target)
    if driver != "cpu":
        try:
            return own(driver)
        except DeviceError as error:
            reason = str(error)
    if is_quick_to_emulate(request.spec, target):
        return own(EMULATOR)
    twin = build(request.on(targets.get("cpu")), store, name=name)
    return _twin(twin, request, reason)


def _twin(artifact: Artifact, request: GraphRequest, reason: str | None) -> ChosenKernel:
    """The graph of a GPU as it is compiled for this CPU."""
    kernel = load_artifact(artifact, "cpu")
    graph = request.formulation or request.dialect
    is_same = request.formulation or untiled(render(request)) == untiled(artifact.mlir)
    own = "same" if is_same else "CPU's own"
    words = f"the {own} {graph} graph compiled for this CPU ({reason})"
    return ChosenKernel(kernel, f"{graph} graph, cpu", words)


def is_auto_gpu(target: Target, device: str) -> bool:
    """Whether `auto` stands for the target's GPU: verifying must not fall back unseen."""
    return device == "auto" and target.is_gpu


def is_quick_to_emulate(spec: Spec, target: Target) -> bool:
    """Whether the emulator executes the target's code, and all cases of a spec within a minute."""
    if times.emulated(spec, target) > _QUICK_SECONDS:
        return False
    return not (emulated_device.problem(target) or emulated_device.library_problem())


def own_code(target: Target, kernel: Kernel) -> ChosenKernel:
    """A kernel of the target's own machine code."""
    code, driver = f"{target.name} code", kernel.driver
    words = f"{code} on device {driver}{_HOW.get(driver, '')}"
    return ChosenKernel(kernel, f"{code}, {driver}", words)
