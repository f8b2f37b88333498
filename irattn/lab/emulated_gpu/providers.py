"""The emulators as devices; packages register their own in the same way."""

import logging

from irattn.binary.vmfb import launches_when_loaded, read_module
from irattn.compiling.artifact import Artifact
from irattn.lab.emulated_gpu.device import (
    EMULATOR,
    EMULATOR_SCHEDULES,
    device_of,
    direct_driver,
    emulated_targets,
    library_problem,
)
from irattn.lab.emulated_gpu.device import problem as problem_of
from irattn.runtime.devices import DriverStatus
from irattn.runtime.direct import DirectSession
from irattn.runtime.providers import Provider
from irattn.runtime.session import Loaded, Session
from irattn.specs import Spec
from irattn.targets import Target

logger = logging.getLogger("irattn")


class Schedules(Provider):
    """The emulator under every order of waves, without IREE's driver."""

    name = EMULATOR_SCHEDULES

    @property
    def takes_device_arrays(self) -> bool:
        return False

    def status(self) -> DriverStatus:
        # Tables are there for all of them, or for none.
        if problem := problem_of(emulated_targets()[0]):
            return DriverStatus(self.name, (), f"AMD code {problem}")
        return DriverStatus(self.name, (self._what(),), None)

    def _what(self) -> str:
        return "executes AMD code, in four orders of waves"

    def misfit(self, target: Target) -> str | None:
        return problem_of(target)

    def reluctance(self, spec: Spec | None) -> str | None:
        return "executing instruction by instruction is slow: it is taken by name only"

    def open(self, artifact: Artifact) -> Loaded:
        from irattn.lab.emulated_gpu.session import EmulatedSession
        from irattn.lab.emulator import SCHEDULES

        return EmulatedSession(artifact, self.name, SCHEDULES)


class Emulator(Schedules):
    """The emulator under IREE's hip driver; without a C compiler, and without that driver.

    What launches kernels when it is loaded goes without that driver, too.
    """

    name = EMULATOR

    @property
    def takes_device_arrays(self) -> bool:
        return library_problem() is None

    def _what(self) -> str:
        if problem := library_problem():
            return f"executes AMD code, without IREE's hip driver: {problem}"
        return "executes AMD code, under IREE's hip driver"

    def open(self, artifact: Artifact) -> Loaded:
        from irattn.lab.emulated_gpu.session import EmulatedSession

        if problem := library_problem():
            logger.warning("%s; launching without IREE's hip driver", problem)
            return EmulatedSession(artifact, self.name)
        # IREE's runtime waits for these with the interpreter's lock, which executing them takes.
        if launches_when_loaded(read_module(artifact.vmfb)):
            return EmulatedSession(artifact, self.name)
        return Session(artifact, self.name, device_of(artifact.target))

    def open_direct(self, artifact: Artifact) -> DirectSession:
        return DirectSession(artifact, direct_driver(artifact.target), self.name)
