"""From an artifact or spec to a kernel on a device: GPU first, with an honest CPU fallback."""

from pathlib import Path

from irattn import targets
from irattn.artifact import Artifact, remedy
from irattn.build import build
from irattn.errors import ArtifactError, DeviceError, UsageError
from irattn.runtime import emulated_device
from irattn.runtime.devices import (
    CPU_DRIVERS,
    DEVICES,
    EMULATOR_SCHEDULES,
    EMULATORS,
    device_arch,
    driver_status,
)
from irattn.runtime.kernel import Kernel, logger
from irattn.runtime.once import Once
from irattn.runtime.session import Loaded, Session
from irattn.specs import Spec
from irattn.targets import Target, host_cpu_digest

# Below this many floating-point operations the threaded driver costs more than a second core
# brings (measured: tools/crossover.py).
THREADED_FLOPS = 8e6


def load_artifact(artifact: Artifact, device: str, root: Path | None = None) -> Kernel:
    """A kernel of an artifact on a device.

    `auto` takes the artifact's own driver and, where that or a launch fails, the CPU artifact of
    the same spec with one logged warning. `cpu` takes the synchronous or the threaded CPU driver
    by the size of the spec. `emulator` executes AMD machine code on this CPU, slowly;
    `emulator-schedules` does so under every order of waves, which must all give the same. Any
    other name is taken as it is, and raises DeviceError if it fails.
    """
    check_device(device)
    target = targets.get(artifact.target)
    if device != "auto" or not target.is_gpu:
        return Kernel(open_session(artifact, device))

    def fall_back(reason: str) -> Loaded:
        logger.warning("%s; falling back to the CPU", reason)
        return cpu_twin_session(artifact, root)

    try:
        return Kernel(open_session(artifact, device), fall_back)
    except DeviceError as error:
        return Kernel(fall_back(str(error)))


def check_device(device: str) -> None:
    """UsageError for a device that there is no such thing as."""
    if device not in DEVICES:
        raise UsageError(f"device: expected one of {', '.join(DEVICES)}, got {device!r}")


def open_session(artifact: Artifact, device: str) -> Loaded:
    """An artifact on a device, where `auto` is that of its target; it falls back to nothing."""
    target = targets.get(artifact.target)
    if problem := misfit(target, device):
        raise DeviceError(
            f"device {device}: cannot run {artifact.manifest.name}, which is compiled for "
            f"{target.name} and {problem}; use device auto or another target"
        )
    if device in EMULATORS:
        return _emulated_session(artifact, device)
    if target.is_gpu:
        return _shared_session(artifact, target.driver)
    _check_cpu(artifact)
    driver = pick_cpu_driver(artifact.spec) if device in ("auto", "cpu") else device
    return _shared_session(artifact, driver)


_sessions: Once[Loaded] = Once()


def _shared_session(artifact: Artifact, driver: str) -> Loaded:
    """The session that others have of the same code on this driver, or a new one."""
    key = (driver, artifact.manifest.to_json(), artifact.vmfb)
    return _sessions.get(key, lambda: Session(artifact, driver))


def _emulated_session(artifact: Artifact, device: str) -> Loaded:
    """IREE's driver on the emulator; without a C compiler, and for all schedules, without it."""
    from irattn.emulator import SCHEDULES
    from irattn.runtime.emulated_session import EmulatedSession

    if device == EMULATOR_SCHEDULES:
        return EmulatedSession(artifact, device, SCHEDULES)
    if problem := emulated_device.library_problem():
        logger.warning("%s; launching without IREE's hip driver", problem)
        return EmulatedSession(artifact, device)
    return Session(artifact, device)


def misfit(target: Target, device: str) -> str | None:
    """Why a device is the wrong one for a target's code; None where it is not, or not known."""
    if device in EMULATORS:
        return emulated_device.problem(target)
    own = (target.driver,) if target.is_gpu else ("cpu", *CPU_DRIVERS)
    if device not in ("auto", *own):
        return f"needs device {own[0]}"
    arch = device_arch(target.driver) if target.is_gpu else None
    return f"does not run on {arch}" if arch and not target.runs_on(arch) else None


def cpu_twin_session(artifact: Artifact, root: Path | None) -> Loaded:
    """The CPU artifact of the same spec, compiled if need be, on a CPU driver."""
    twin = build(artifact.spec, targets.get("cpu"), name=artifact.manifest.name, root=root)
    return open_session(twin, "cpu")


def auto_device(target: Target) -> tuple[str, str]:
    """The driver that `auto` would take for a target, and why."""
    if not target.is_gpu:
        return "cpu", "the target is a CPU"
    status = driver_status(target.driver)
    if status.problem:
        return "cpu", f"{target.driver}: {status.problem}"
    names = ", ".join(status.devices)
    return (
        target.driver,
        f"{target.driver} finds {names}; whether it runs {target.name} shows on loading",
    )


def pick_cpu_driver(spec: Spec) -> str:
    """`local-sync` for small specs, `local-task` for those worth several threads."""
    return "local-task" if spec.flops >= THREADED_FLOPS else "local-sync"


def _check_cpu(artifact: Artifact) -> None:
    """Refuse code that this processor may not be able to execute: it would kill the process."""
    if problem := cpu_problem(targets.get(artifact.target), artifact.manifest.target_identity):
        raise ArtifactError(f"{artifact.manifest.name}: {problem}; {remedy(artifact.path)}")


def cpu_problem(target: Target, identity: str | None) -> str | None:
    """Why this processor may not be able to execute a CPU target's code; None where it is."""
    if identity not in (None, host_cpu_digest()):
        return (
            "compiled for the processor of another machine, not for a portable target such as "
            "x86-64-v3"
        )
    missing = ", ".join(target.missing_cpu_features)
    return f"compiled for {target.name}, and this processor lacks {missing}" if missing else None
