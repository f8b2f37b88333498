"""Calls an artifact in the emulator without IREE's driver: launch by launch, as it is described."""

from collections.abc import Sequence

import numpy as np

from irattn.binary.launches import launch_plan_and_files
from irattn.compiling.artifact import Artifact
from irattn.core.errors import DeviceError, EmulatorError
from irattn.core.progress import steps
from irattn.lab.emulator import Counts, Run, run_plan
from irattn.runtime.padding import CallSizes, run_call


class EmulatedSession:
    """An AMD artifact, executed by the emulator; it takes and gives what `Session` does.

    Every call runs under each of `schedules`, the orders in which waves go on, and all must give
    the same. `measure` counts memory traffic too; `counts` are those of the last call's dispatches.
    """

    def __init__(
        self,
        artifact: Artifact,
        driver: str,
        schedules: Sequence[str] = ("lockstep",),
        measure: bool = False,
    ) -> None:
        self.artifact = artifact
        self.spec = artifact.spec
        self.driver = driver
        self.schedules = schedules
        self.measure = measure
        self.counts: tuple[Counts, ...] = ()
        self._sizes = CallSizes(self.spec)
        self._plan, self._files = launch_plan_and_files(artifact)

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order; DeviceError if the launch fails."""
        return run_call(self._sizes, arrays, self._launch)

    def _launch(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        names = (tensor.name for tensor in self.spec.compiled.inputs)
        named = dict(zip(names, arrays, strict=True))
        orders = steps(self.schedules, "schedule {}".format)
        first, *others = (self._run(named, schedule) for schedule in orders)
        for schedule, other in zip(self.schedules[1:], others, strict=True):
            if not first.is_same(other):
                raise self._error(
                    f"its waves race: schedule {schedule} gives other numbers than "
                    f"{self.schedules[0]}"
                )
        self.counts = first.counts
        return first.outputs

    def _run(self, named: dict[str, np.ndarray], schedule: str) -> Run:
        try:
            return run_plan(self._plan, self._files, named, schedule=schedule, measure=self.measure)
        except EmulatorError as error:
            raise self._error(f"schedule {schedule}: {error}") from error

    def _error(self, why: str) -> DeviceError:
        name = self.artifact.manifest.name
        return DeviceError(f"{name}: launch on device {self.driver} failed: {why}")
