"""An artifact loaded onto a device by IREE's runtime."""

from typing import Any, Protocol

import numpy as np

from irattn.artifact import Artifact, remedy
from irattn.errors import ArtifactError, DeviceError
from irattn.runtime.arrays import aligned_empty, can_import
from irattn.runtime.devices import open_device, runtime_version
from irattn.runtime.padding import CallSizes, run_call
from irattn.runtime.queue import Launched, Queue, launch_failure
from irattn.runtime.transfer_counts import count
from irattn.specs import Spec
from irattn.tensors import TensorType
from irattn.vmfb import ASYNC_SUFFIX

# What the bindings turn the runtime's status codes into.
_IREE_ERRORS = (RuntimeError, ValueError, LookupError, MemoryError)

# Up to here it costs less to copy an array than to make its memory known to the runtime.
_SMALL_BYTES = 32 * 1024


class Loaded(Protocol):
    """An artifact that can be called: what `Kernel` needs of a session."""

    artifact: Artifact
    spec: Spec
    driver: str

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order; DeviceError if the launch fails."""


class Session:
    """An artifact loaded onto one device; several threads may call it at once."""

    def __init__(self, artifact: Artifact, driver: str) -> None:
        from iree import runtime

        _check_versions(artifact)
        self.artifact = artifact
        self.spec = artifact.spec
        self.driver = driver
        self.device = open_device(driver, artifact.target)
        self._attach = self.device.attach
        self._sizes = CallSizes(self.spec)
        self._inputs = self._sizes.compiled.inputs
        self._outputs = self.spec.outputs
        self._num_outputs = len(self._outputs)
        # What is updated in place is no memory of the call's.
        self._made = [i for i, t in enumerate(self._outputs) if t.name not in self.spec.updates]
        self._overwritten = frozenset(self.spec.updates.values())
        # Looked up once: both are made in every call.
        self._list, self._view = runtime.VmVariantList, runtime.HalBufferView
        self._instance = runtime.VmInstance()
        try:
            module = runtime.VmModule.copy_buffer(self._instance, artifact.vmfb)
            hal = runtime.create_hal_module(self._instance, self.device.hal)
            self._modules = [hal, module]
            entry_point = artifact.manifest.entry_points[0]
            self._function = module.lookup_function(entry_point)
            # Artifacts of earlier versions have none.
            self._queued = module.lookup_function(entry_point + ASYNC_SUFFIX)
            self._idle = [_Lane(self._context())]
        except _IREE_ERRORS as error:
            raise DeviceError(
                f"{artifact.manifest.name}: does not load on device {driver}: {error}"
            ) from error

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order; DeviceError if the launch fails."""
        return run_call(self._sizes, arrays, self._launch)

    @property
    def queue(self) -> Queue | None:
        """Where the calling thread can put launches; None where each is done when it returns."""
        return self.device.queue if self._queued else None

    def run_views(self, views: list[Any]) -> list[Any]:
        """Call the compiled function with memory of the device; gives that of its outputs.

        What the function updates is overwritten. DeviceError if the launch fails.
        """
        lane = self._lane()
        try:
            return self._invoke(lane.context, views)
        finally:
            self._idle.append(lane)

    def launch_views(
        self, queue: Queue, views: list[Any], num_bytes: int
    ) -> tuple[list[Any], Launched]:
        """The same in a queue: the outputs, of so many bytes, are there when the launch is done."""
        lane = self._lane()

        def submit(*fences: Any) -> list[Any]:
            return self._invoke(lane.context, [*views, *fences], self._queued)

        try:
            return queue.launch(self.artifact.manifest.name, submit, num_bytes)
        finally:
            self._idle.append(lane)

    def _launch(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        lane = self._lane()
        try:
            pairs = zip(arrays, self._inputs, strict=True)
            views = [self._argument(lane, array, tensor) for array, tensor in pairs]
            results = zip(self._invoke(lane.context, views), self._outputs, strict=True)
            # Copied before the next call: an updated input is memory of the lane.
            return tuple(
                self.device.download(view, tuple(view.shape), tensor.dtype)
                for view, tensor in results
            )
        except _IREE_ERRORS as error:
            raise self._failure(error) from error
        finally:
            self._idle.append(lane)

    def _invoke(self, context: Any, given: list[Any], function: Any = None) -> list[Any]:
        if self._attach:
            self._attach()
        arguments, results = self._list(len(given)), self._list(self._num_outputs)
        push = arguments.push_ref
        for one in given:
            push(one)
        try:
            context.invoke(function or self._function, arguments, results)
        except _IREE_ERRORS as error:
            raise self._failure(error) from error
        get = results.get_as_object
        views = [get(i, self._view) for i in range(self._num_outputs)]
        if not self.device.is_host:
            self.device.made(views[i] for i in self._made)
        return views

    def _lane(self) -> "_Lane":
        """One that no other thread uses; a context takes one call at a time."""
        try:
            return self._idle.pop()
        except IndexError:
            return _Lane(self._context())

    def _context(self) -> Any:
        from iree.runtime import VmContext

        return VmContext(self._instance, modules=self._modules)

    def _argument(self, lane: "_Lane", array: np.ndarray, tensor: TensorType) -> Any:
        """The array's own memory where the device can use it, else a copy.

        On the CPU the copy goes into memory that is kept for the next call: fresh memory costs
        several times as much as copying. What the graph overwrites is always a copy.
        """
        if not self.device.is_host:
            return self.device.upload(array, tensor.dtype)
        if (
            array.nbytes <= _SMALL_BYTES
            or tensor.name in self._overwritten
            or not can_import(array)
        ):
            return self._staged(lane, array, tensor)
        return self.device.imported(array, tensor.dtype)

    def _staged(self, lane: "_Lane", array: np.ndarray, tensor: TensorType) -> Any:
        staged, view = lane.staged.get(tensor.name, (None, None))
        if staged is None or staged.shape != array.shape:
            staged = aligned_empty(array.shape, array.dtype)
            view = self.device.imported(staged, tensor.dtype)
            lane.staged[tensor.name] = (staged, view)
        np.copyto(staged, array)
        count("to_device", array.nbytes)
        return view

    def _failure(self, error: Exception) -> DeviceError:
        return launch_failure(self.artifact.manifest.name, self.driver, error)


class _Lane:
    """What serves one call at a time: a context, and memory that arrays are copied into."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.staged: dict[str, tuple[np.ndarray, Any]] = {}


def _check_versions(artifact: Artifact) -> None:
    compiled, present = artifact.manifest.compiler_version, runtime_version()
    if compiled != present:
        raise ArtifactError(
            f"{artifact.manifest.name}: compiled with IREE {compiled}, and the runtime here is "
            f"{present}; {remedy(artifact.path)}, or install iree-base-runtime=={compiled}"
        )
