"""Launch a graph many times on tensors that lie on the device, and wait for it once."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.artifact import Artifact
from irattn.errors import DeviceError
from irattn.runtime.devices import open_device
from irattn.runtime.padding import cut_arrays, pad_arrays
from irattn.runtime.queue import launch_problem

# The function then takes two fences, one to wait for and one to signal, and returns when its work
# is in the device's queue. By default it returns when the work is done.
LAUNCH_FLAG = "--iree-execution-model=async-external"


class Launcher:
    """An artifact's graph, compiled with LAUNCH_FLAG, and the inputs of one call on a device.

    DeviceError where it does not load.
    """

    def __init__(
        self, vmfb: bytes, artifact: Artifact, driver: str, tensors: Mapping[str, np.ndarray]
    ) -> None:
        from iree import runtime

        spec = artifact.spec
        self._call = spec.of_call(tensors)
        self._device = open_device(driver, artifact.target)
        self._name = artifact.manifest.name
        instance = runtime.VmInstance()
        try:
            module = runtime.VmModule.copy_buffer(instance, vmfb)
            hal = runtime.create_hal_module(instance, self._device.hal)
            self._context = runtime.VmContext(instance, modules=[hal, module])
            self._function = module.lookup_function(artifact.manifest.entry_points[0])
            arrays = [tensors[tensor.name] for tensor in self._call.inputs]
            self._inputs = [
                self._device.upload(array, tensor.dtype)
                for array, tensor in zip(
                    pad_arrays(spec.compiled, self._call, arrays), spec.compiled.inputs, strict=True
                )
            ]
            self._queue = self._device.hal.create_semaphore(0)
        except (RuntimeError, ValueError, LookupError, MemoryError) as error:
            raise DeviceError(f"{self._name}: does not load on device {driver}: {error}") from error
        self._launched = 0
        self._results: Any = None

    def launch(self) -> None:
        """Put one more call into the queue, behind those that are there."""
        from iree.runtime import HalFence, VmVariantList

        arguments = VmVariantList(len(self._inputs) + 2)
        for view in self._inputs:
            arguments.push_ref(view.ref)
        for point in (self._launched, self._launched + 1):
            arguments.push_ref(HalFence.create_at(self._queue, point))
        results = VmVariantList(len(self._call.outputs))
        self._context.invoke(self._function, arguments, results)
        self._launched += 1
        self._results = results

    def wait(self) -> None:
        """Return when all that was launched is done; DeviceError where a launch failed."""
        from iree.runtime import HalFence

        try:
            HalFence.create_at(self._queue, self._launched).wait()
        except RuntimeError as error:
            raise DeviceError(f"{self._name}: launch failed: {launch_problem(error)}") from error

    def outputs(self) -> tuple[np.ndarray, ...]:
        """The outputs of the last launch."""
        from iree.runtime import HalBufferView

        self.wait()
        arrays = tuple(
            self._device.download(view, tuple(view.shape), tensor.dtype)
            for i, tensor in enumerate(self._call.outputs)
            for view in [self._results.get_as_object(i, HalBufferView)]
        )
        return cut_arrays(self._call, arrays)
