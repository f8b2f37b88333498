"""From an artifact or spec to a kernel on a device: GPU first, with an honest CPU fallback."""

from pathlib import Path

from irattn import targets
from irattn.artifact import Artifact
from irattn.build import build
from irattn.errors import ArtifactError, DeviceError, UsageError
from irattn.runtime.devices import CPU_DRIVERS, DEVICES, driver_status
from irattn.runtime.kernel import Kernel, Session, logger
from irattn.specs import Spec
from irattn.targets import Target, host_cpu_digest, host_cpu_flags

# Below this many floating-point operations the threaded driver costs more than a second core
# brings (measured: tools/crossover.py).
THREADED_FLOPS = 8e6


def load_artifact(artifact: Artifact, device: str, root: Path | None = None) -> Kernel:
    """A kernel of an artifact on a device.

    `auto` takes the artifact's own driver and, where that or a launch fails, the CPU artifact of
    the same spec with one logged warning. `cpu` takes the synchronous or the threaded CPU driver
    by the size of the spec. Any other name is taken as it is, and raises DeviceError if it fails.
    """
    if device not in DEVICES:
        raise UsageError(f"device: expected one of {', '.join(DEVICES)}, got {device!r}")
    target = targets.get(artifact.target)
    if device != "auto":
        return Kernel(Session(artifact, _named_driver(artifact, target, device)))
    if not target.is_gpu:
        return Kernel(_cpu_session(artifact))

    def fall_back(reason: str) -> Session:
        logger.warning("%s; falling back to the CPU", reason)
        return cpu_twin_session(artifact, root)

    try:
        return Kernel(Session(artifact, target.driver), fall_back)
    except DeviceError as error:
        return Kernel(fall_back(str(error)))


def cpu_twin_session(artifact: Artifact, root: Path | None) -> Session:
    """The CPU artifact of the same spec, compiled if need be, on a CPU driver."""
    twin = build(artifact.spec, targets.get("cpu"), name=artifact.manifest.name, root=root)
    return _cpu_session(twin)


def auto_device(target: Target) -> tuple[str, str]:
    """The driver that `auto` would take for a target, and why."""
    if not target.is_gpu:
        return "cpu", "the target is a CPU"
    status = driver_status(target.driver)
    if status.problem:
        return "cpu", f"{target.driver}: {status.problem}"
    found = ", ".join(status.devices)
    return (
        target.driver,
        f"{target.driver} finds {found}; whether it runs {target.name} shows on loading",
    )


def pick_cpu_driver(spec: Spec) -> str:
    """`local-sync` for small specs, `local-task` for those worth several threads."""
    return "local-task" if spec.flops >= THREADED_FLOPS else "local-sync"


def _cpu_session(artifact: Artifact) -> Session:
    _check_cpu(artifact)
    return Session(artifact, pick_cpu_driver(artifact.spec))


def _named_driver(artifact: Artifact, target: Target, device: str) -> str:
    fits = device == target.driver if target.is_gpu else device in ("cpu", *CPU_DRIVERS)
    if not fits:
        wanted = target.driver if target.is_gpu else "cpu"
        raise DeviceError(
            f"device {device}: cannot run {artifact.manifest.name}, which is compiled for "
            f"{target.name} and needs device {wanted}; use device auto or another target"
        )
    if target.is_gpu:
        return device
    _check_cpu(artifact)
    return pick_cpu_driver(artifact.spec) if device == "cpu" else device


def _check_cpu(artifact: Artifact) -> None:
    """Refuse code that this processor may not be able to execute: it would kill the process."""
    manifest = artifact.manifest
    if manifest.target_identity not in (None, host_cpu_digest()):
        raise ArtifactError(
            f"{manifest.name}: compiled for the processor of another machine; compile it again "
            "here, or for a portable target such as x86-64-v3"
        )
    missing = set(targets.get(manifest.target).cpu_features) - host_cpu_flags()
    if missing and host_cpu_flags():
        raise ArtifactError(
            f"{manifest.name}: compiled for {manifest.target}, and this processor lacks "
            f"{', '.join(sorted(missing))}; compile it again with --target cpu"
        )
