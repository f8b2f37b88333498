"""The providers of IREE's own drivers, and the registry of all."""

import threading
from functools import cache
from typing import TYPE_CHECKING

from irattn.compiling.artifact import Artifact
from irattn.core.errors import DeviceError
from irattn.runtime.devices import DriverStatus, device_arch, driver_status, open_device
from irattn.runtime.once import Once
from irattn.runtime.providers import AUTO, CPU, Provider, Registry
from irattn.runtime.session import Loaded, Session
from irattn.specs import Spec
from irattn.targets import Target

if TYPE_CHECKING:
    from irattn.runtime.direct import DirectSession, Driver

# Below so many floating-point operations, and bytes of results, the threaded driver costs more than
# a second core brings (tools/crossover.py). RoPE, norms and embeddings count few operations: where
# their results have 0.5 MiB both drivers take as long, of 1 MiB two cores take 0.7 of the time.
THREADED_FLOPS = 8e6
THREADED_BYTES = 1 << 20
# New tokens are moved into caches as quickly as memory takes them: of 4 MiB both drivers take as
# long, of 8 MiB two cores take 0.62 of the time.
THREADED_MOVED_BYTES = 8 << 20


_registries: list[Registry] = []
_registering = threading.Lock()


def registry() -> Registry:
    """All providers: hip, cuda, local-task, local-sync, and those of packages, irattn's emulators
    among them.
    """
    with _registering:
        if not _registries:
            _registries.append(_new_registry())
        return _registries[0]


def _new_registry() -> Registry:
    known = Registry()
    for provider in (Gpu("hip"), Gpu("cuda"), ThreadedCpu(), Cpu()):
        known.register(provider)
    known.register_packages()
    return known


def register_provider(provider: Provider, before: str | None = None) -> None:
    """Add a way to run artifacts, as the last choice or before another of the providers.

    ArgumentError for a name that is taken, or where there is no provider named `before`.
    """
    registry().register(provider, before)


def device_names() -> tuple[str, ...]:
    """Every name that a device may be given by."""
    return (AUTO, CPU, *(provider.name for provider in registry()))


_sessions: Once[Loaded] = Once()
_launchers: "Once[DirectSession]" = Once()


@cache
def driver_library(name: str) -> "Driver":
    """The driver's own library in this process; DeviceError where it is not there."""
    from irattn.runtime.direct import Cuda, Hip

    return Hip() if name == "hip" else Cuda()


def _shared_session(artifact: Artifact, driver: str) -> Loaded:
    """The session that others have of the same code on this driver, or a new one."""
    # Devices are names: a forked process opens another of the threaded driver, of the same name.
    key = (id(open_device(driver)), artifact.manifest.to_json(), artifact.vmfb)
    return _sessions.get(key, lambda: Session(artifact, driver))


class Gpu(Provider):
    """A GPU driver of IREE's."""

    def __init__(self, name: str) -> None:
        self.name = name

    def status(self) -> DriverStatus:
        return driver_status(self.name)

    def misfit(self, target: Target) -> str | None:
        if target.driver != self.name:
            return _needs(target)
        arch = device_arch(self.name)
        return f"does not run on {arch}" if arch and not target.runs_on(arch) else None

    def open(self, artifact: Artifact) -> Loaded:
        return _shared_session(artifact, self.name)

    def launch_problem(self, target: Target) -> str | None:
        if target.driver != self.name:
            return _needs(target)
        try:
            driver = driver_library(self.name)
            found = [driver.arch(number) for number in range(driver.num_devices)]
        except DeviceError as error:
            return str(error)
        if any(map(target.runs_on, found)):
            return None
        return f"does not run on {', '.join(found)}" if found else "the driver finds no device"

    def open_direct(self, artifact: Artifact) -> "DirectSession":
        from irattn.runtime.direct import DirectSession

        key = (self.name, artifact.manifest.to_json(), artifact.vmfb)
        return _launchers.get(key, lambda: DirectSession(artifact, driver_library(self.name)))


class Cpu(Provider):
    """IREE's driver that runs all in the caller's thread."""

    name = "local-sync"
    is_cpu = True

    def status(self) -> DriverStatus:
        return driver_status(self.name)

    def misfit(self, target: Target) -> str | None:
        return _needs(target) if target.is_gpu else None

    def open(self, artifact: Artifact) -> Loaded:
        return _shared_session(artifact, self.name)


class ThreadedCpu(Cpu):
    """IREE's driver with a pool of threads."""

    name = "local-task"

    def reluctance(self, spec: Spec | None) -> str | None:
        if spec is None or spec.flops >= THREADED_FLOPS:
            return None
        if sum(tensor.bytes for tensor in spec.new_outputs) >= THREADED_BYTES:
            return None
        if sum(tensor.bytes for tensor in spec.written_tokens) >= THREADED_MOVED_BYTES:
            return None
        return (
            f"several threads cost more than they bring below {THREADED_FLOPS:.0e} operations, "
            f"{THREADED_BYTES >> 20} MiB of results and {THREADED_MOVED_BYTES >> 20} MiB of new "
            "tokens"
        )


def _needs(target: Target) -> str:
    return f"needs device {target.driver if target.is_gpu else 'cpu'}"
