"""From an artifact or spec to a kernel on a device: GPU first, with an honest CPU fallback."""

from pathlib import Path

from irattn import targets
from irattn.compiling.artifact import Artifact, remedy
from irattn.compiling.build import build
from irattn.compiling.store import Store
from irattn.core.errors import ArtifactError, DeviceError, MissingPackageError, UsageError, shown
from irattn.rendering import GraphRequest
from irattn.runtime.devices import CPU_DRIVERS, device_hint
from irattn.runtime.iree_providers import device_names, registry
from irattn.runtime.kernel import Kernel, Selection, logger, numpy_only
from irattn.runtime.providers import AUTO, CPU, Decision, Provider
from irattn.runtime.session import Loaded
from irattn.targets import Target, host_cpu_digest


def load_artifact(artifact: Artifact, device: str, root: Path | None = None) -> Kernel:
    """A kernel of an artifact on a device.

    `auto` takes the first provider that runs it (for a GPU's code: its own driver) and, where there
    is none or a launch fails, the CPU artifact of the same spec with one logged warning. `cpu`
    takes the synchronous or the threaded CPU driver by the size of the spec. `emulator` executes
    AMD machine code on this CPU, slowly; `emulator-schedules` does so under every order of waves,
    which must all give the same. Any other name is taken as it is, and raises DeviceError if it
    fails. `kernel.selection` says which provider was taken, and why not the others.
    """
    check_device(device)
    if device != AUTO or not targets.get(artifact.target).is_gpu:
        return Kernel(open_session(artifact, device), None, _selection(artifact, device))

    def fall_back(reason: str) -> Loaded:
        logger.warning("%s; falling back to the CPU", reason)
        try:
            return cpu_twin_session(artifact, root)
        except MissingPackageError as error:
            raise MissingPackageError(f"{reason}; for the CPU instead, {error}") from error

    try:
        return Kernel(open_session(artifact, device), fall_back, _selection(artifact, device))
    except DeviceError as error:
        session = fall_back(str(error))
        rejected = ((artifact.target, str(error)),)
        return Kernel(session, None, _selection(session.artifact, CPU, rejected))


def check_device(device: str) -> None:
    """Refuse a device that does not exist: UsageError."""
    if device not in device_names():
        raise UsageError(
            f"device: expected one of {', '.join(device_names())}, got {shown(device)}"
            f"{device_hint(device)}"
        )


def open_session(artifact: Artifact, device: str) -> Loaded:
    """An artifact on a device, where `auto` is the first that runs it; it falls back to nothing."""
    target = targets.get(artifact.target)
    provider = _accepted(decide(artifact, device))
    if provider is None:
        if problem := misfit(target, device):
            raise DeviceError(
                f"device {device}: cannot run {artifact.manifest.name}, which is compiled for "
                f"{target.name} and {problem}; use device auto or another target"
            )
        # It says what is missing.
        provider = registry().get(_own_driver(target) if device in (AUTO, CPU) else device)
    if provider.is_cpu:
        _check_cpu(artifact)
    return provider.open(artifact)


def decide(artifact: Artifact, device: str) -> tuple[Decision, ...]:
    """Which provider runs an artifact on a device, and why not the others; loads nothing."""
    return registry().decide(targets.get(artifact.target), artifact.spec, device)


def _accepted(decisions: tuple[Decision, ...]) -> Provider | None:
    names = [decision.provider for decision in decisions if decision.accepted]
    return registry().get(names[0]) if names else None


def _selection(
    artifact: Artifact, device: str, rejected: tuple[tuple[str, str], ...] = ()
) -> Selection:
    return Selection(artifact.manifest.name, artifact.target, rejected, decide(artifact, device))


def misfit(target: Target, device: str) -> str | None:
    """Why a device is the wrong one for a target's code; None where it is not, or not known."""
    if device == CPU:
        device = CPU_DRIVERS[0]
    return registry().get(_own_driver(target) if device == AUTO else device).misfit(target)


def why_not(target: Target, device: str) -> str | None:
    """Why no provider runs a target's code on a device; None where one does."""
    decisions = registry().decide(target, None, device)
    if _accepted(decisions):
        return None
    if problem := misfit(target, device):
        return problem
    meant = _own_driver(target) if device in (AUTO, CPU) else device
    reasons = {decision.provider: decision.reason for decision in decisions}
    return f"device {meant}: {reasons[meant]}"


def check_device_arrays(target: Target, device: str) -> None:
    """DeviceError where what runs a target's code on a device takes no arrays that stay there."""
    provider = _accepted(registry().decide(target, None, device))
    if provider and not provider.takes_device_arrays:
        raise DeviceError(numpy_only(provider.name))


def _own_driver(target: Target) -> str:
    """The driver that a target's code is for."""
    return target.driver if target.is_gpu else CPU_DRIVERS[0]


def cpu_twin_session(artifact: Artifact, root: Path | None) -> Loaded:
    """The CPU artifact of the same spec, compiled if need be, on a CPU driver."""
    request = GraphRequest(artifact.spec, targets.get("cpu"))
    twin = build(request, Store(root), name=artifact.manifest.name)
    return open_session(twin, "cpu")


def auto_device(target: Target) -> tuple[str, str]:
    """The driver that `auto` would take for a target, and why."""
    if not target.is_gpu:
        return CPU, "the target is a CPU"
    provider = _accepted(registry().decide(target, None, AUTO))
    if provider is None:
        return CPU, (why_not(target, AUTO) or "").removeprefix("device ")
    names = ", ".join(provider.status().devices)
    return (
        provider.name,
        f"{provider.name} finds {names}; whether it runs {target.name} shows on loading",
    )


def _check_cpu(artifact: Artifact) -> None:
    """Refuse code that this processor may not be able to execute: it would kill the process."""
    target = targets.get(artifact.target)
    if problem := cpu_problem(target, artifact.manifest.target_identity):
        # Compiled again for another kind of processor, it would not run either.
        is_foreign = bool(target.missing_cpu_features)
        mend = "compile it for target cpu" if is_foreign else remedy(artifact.path)
        raise ArtifactError(f"{artifact.manifest.name}: {problem}; {mend}")


def cpu_problem(target: Target, identity: str | None) -> str | None:
    """Why this processor may not be able to execute a CPU target's code; None where it is."""
    if identity not in (None, host_cpu_digest()):
        return (
            "compiled for the processor of another machine, not for a portable target such as "
            "x86-64-v3"
        )
    missing = ", ".join(target.missing_cpu_features)
    return f"compiled for {target.name}, and this processor lacks {missing}" if missing else None
