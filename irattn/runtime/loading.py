"""From an artifact or spec to a kernel on a device: GPU first, with an honest CPU fallback."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from irattn import targets
from irattn.compiling.artifact import Artifact, remedy
from irattn.compiling.prebuilt import artifact_for
from irattn.compiling.store import Store
from irattn.core.errors import ArtifactError, DeviceError, MissingPackageError, UsageError, shown
from irattn.runtime.devices import CPU_DRIVERS, device_hint
from irattn.runtime.iree_providers import device_names, registry
from irattn.runtime.kernel import Kernel, Selection, logger, numpy_only
from irattn.runtime.providers import AUTO, CPU, Decision, Provider
from irattn.runtime.session import Loaded, Unopened
from irattn.targets import Target, host_cpu_digest

if TYPE_CHECKING:
    from irattn.runtime.direct import DirectSession

IREE, DIRECT = "iree", "direct"

_BY_IREE = (IREE, "takes NumPy's arrays and device arrays")
_BY_ITSELF = (DIRECT, "takes arrays of PyTorch and others with DLPack where they lie")
_LATER = (IREE, f"{_BY_IREE[1]}, and opens the device when they come")


def load_artifact(
    artifact: Artifact, device: str, root: Path | None = None, launcher: str | None = None
) -> Kernel:
    """A kernel of an artifact on a device.

    `auto` takes the first provider that runs it (for a GPU's code: its own driver) and, where there
    is none or a launch fails, the CPU artifact of the same spec with one logged warning. `cpu`
    takes the synchronous or the threaded CPU driver by the size of the spec. `emulator` executes
    AMD machine code on this CPU, slowly; `emulator-schedules` does so under every order of waves,
    which must all give the same. Any other name is taken as it is, and raises DeviceError if it
    fails. `kernel.selection` says which provider was taken, and why not the others. `launcher` is
    as in `irattn.load`.
    """
    check_device(device)
    check_launcher(launcher, artifact)
    if launcher == DIRECT:
        return direct_kernel(artifact, device)
    direct = None if launcher == IREE else launcher_of(artifact, device)
    if device != AUTO or not targets.get(artifact.target).is_gpu:
        session = session_of(artifact, device, launcher)
        return Kernel(session, None, _selection(artifact, device, session, direct), direct=direct)

    def fall_back(reason: str) -> Loaded:
        logger.warning("%s; falling back to the CPU", reason)
        try:
            return cpu_twin_session(artifact, root)
        except MissingPackageError as error:
            raise MissingPackageError(f"{reason}; for the CPU instead, {error}") from error

    try:
        session = session_of(artifact, device, launcher)
        selection = _selection(artifact, device, session, direct)
        return Kernel(session, fall_back, selection, direct=direct)
    except DeviceError as error:
        session = fall_back(str(error))
        rejected = ((artifact.target, str(error)),)
        selection = _selection(session.artifact, CPU, session, direct, rejected)
        return Kernel(session, None, selection, direct=direct)


def check_launcher(launcher: object, artifact: Artifact) -> None:
    """Refuse a launcher that does not exist, or has no code to launch: UsageError."""
    if launcher not in (None, IREE, DIRECT):
        raise UsageError(f"launcher: expected {IREE}, {DIRECT} or None, got {shown(launcher)}")
    if launcher == DIRECT and not targets.get(artifact.target).is_gpu:
        raise UsageError(
            f"launcher: expected {IREE} or None for {artifact.target}, as {DIRECT} is for GPUs; "
            "compile it for one, e.g. with --target gfx1100"
        )


def direct_kernel(artifact: Artifact, device: str) -> Kernel:
    """A kernel that IREE's runtime takes no part in; DeviceError where no library launches it."""
    target = targets.get(artifact.target)
    provider = registry().get(target.driver if device == AUTO else device)
    if provider.name != target.driver and (problem := provider.misfit(target)):
        raise DeviceError(f"device {device}: cannot run {target.name}, which {problem}")
    session = provider.open_direct(artifact)
    decisions = _taken_by(provider)
    launchers = ((DIRECT, "is asked for: takes all arrays, and copies those of NumPy"),)
    selection = Selection(artifact.manifest.name, artifact.target, (), decisions, launchers)
    return Kernel(session, None, selection, direct=lambda: session)


def launcher_of(artifact: Artifact, device: str) -> "Callable[[], DirectSession] | None":
    """A function that opens the launcher of a GPU's artifact; None for CPUs."""
    target = targets.get(artifact.target)
    if not target.is_gpu or device not in (AUTO, target.driver):
        return None
    provider = registry().get(target.driver)
    # Kept with the kernel: what a call has loaded the next one need not.
    return cache(lambda: provider.open_direct(artifact))


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


def session_of(artifact: Artifact, device: str, launcher: str | None) -> Loaded | Unopened:
    """An artifact on a device.

    Where no launcher is named and the GPU's driver itself launches the code, IREE opens the device
    when a call needs it: arrays of PyTorch never do.
    """
    if launcher is not None or not launches(targets.get(artifact.target), device):
        return open_session(artifact, device)
    driver = targets.get(artifact.target).driver
    return Unopened(artifact, driver, lambda: open_session(artifact, device))


def launches(target: Target, device: str) -> bool:
    """Whether the driver of a target's GPUs is here, and launches its code on a device."""
    if not target.is_gpu or device not in (AUTO, target.driver):
        return False
    return registry().get(target.driver).launch_problem(target) is None


def _selection(
    artifact: Artifact,
    device: str,
    session: Loaded | Unopened,
    direct: "Callable[[], DirectSession] | None",
    rejected: tuple[tuple[str, str], ...] = (),
) -> Selection:
    decisions, launchers = choices(artifact, device, session, direct)
    return Selection(artifact.manifest.name, artifact.target, rejected, decisions, launchers)


def choices(
    artifact: Artifact,
    device: str,
    session: Loaded | Unopened,
    direct: "Callable[[], DirectSession] | None",
) -> tuple[tuple[Decision, ...], tuple[tuple[str, str], ...]]:
    """The devices and launchers of a kernel as a selection says them, the first choice first."""
    if isinstance(session, Unopened):
        return _taken_by(registry().get(session.driver)), (_BY_ITSELF, _LATER)
    return decide(artifact, device), (_BY_IREE, _BY_ITSELF) if direct else (_BY_IREE,)


def _taken_by(provider: Provider) -> tuple[Decision, ...]:
    """The decision for a provider that launches code itself."""
    return tuple(
        Decision(one.name, None if one is provider else f"{provider.name} launches it")
        for one in registry()
    )


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
    name = artifact.manifest.name
    twin = artifact_for(artifact.spec, targets.get("cpu"), Store(root), name=name)
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
