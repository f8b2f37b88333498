"""An artifact loaded onto a device by IREE's runtime."""

import os
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from irattn.binary.vmfb import ASYNC_SUFFIX, BETWEEN_SUFFIX, INTO_SUFFIX
from irattn.compiling.artifact import Artifact, remedy
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, DeviceError
from irattn.runtime.devices import open_device, runtime_version
from irattn.runtime.memory import Device
from irattn.runtime.padding import CallSizes, run_call
from irattn.runtime.queue import Launched, Queue, launch_failure
from irattn.runtime.staging import Staging
from irattn.runtime.waiting import without_preempting
from irattn.specs import Spec

_with_workers: "weakref.WeakSet[Session]" = weakref.WeakSet()

# What the bindings turn the runtime's status codes into.
_IREE_ERRORS = (RuntimeError, ValueError, LookupError, MemoryError)


class Loaded(Protocol):
    """An artifact that can be called: what `Kernel` needs of a session."""

    artifact: Artifact
    spec: Spec
    driver: str

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order; DeviceError if the launch fails."""


@dataclass(frozen=True)
class Unopened:
    """An artifact that `open` loads onto a device when a call first needs that.

    DeviceError with the reason where it does not load.
    """

    artifact: Artifact
    driver: str
    open: Callable[[], Loaded]

    @property
    def spec(self) -> Spec:
        """The spec of the artifact."""
        return self.artifact.spec


class Session:
    """An artifact loaded onto one device, the driver's own by default.

    Several threads may call it at once.
    """

    def __init__(self, artifact: Artifact, driver: str, device: Device | None = None) -> None:
        from iree import runtime

        _check_versions(artifact)
        self.artifact = artifact
        self.spec = artifact.spec
        self.driver = driver
        self.device = device or open_device(driver)
        self._attach, self._is_host = self.device.attach, self.device.is_host
        self._has_workers = self.device.is_host and self.device.has_queues
        self._is_of_parent = False
        if self._has_workers:
            _with_workers.add(self)
        self._sizes = CallSizes(self.spec)
        self._inputs = self._sizes.compiled.inputs
        outputs = self.spec.outputs
        self._kinds = [(i, dtype(tensor.dtype).numpy) for i, tensor in enumerate(outputs)]
        self._num_outputs = len(outputs)
        # What is updated in place is no memory of the call's.
        self._made = [i for i, t in enumerate(outputs) if t.name not in self.spec.updates]
        self._overwritten = frozenset(self.spec.updates.values())
        # Of each output, which input it is an update of.
        places = {tensor.name: i for i, tensor in enumerate(self._inputs)}
        self._updates = [places.get(self.spec.updates.get(t.name, "")) for t in outputs]
        self._staging: list[Staging] = []
        # Looked up once: both are made in every call.
        self.new_list, self._view = runtime.VmVariantList, runtime.HalBufferView
        self._instance = runtime.VmInstance()
        try:
            module = runtime.VmModule.copy_buffer(self._instance, artifact.vmfb)
            hal = runtime.create_hal_module(self._instance, self.device.hal)
            self._modules = [hal, module]
            entry_point = artifact.manifest.entry_points[0]
            # Artifacts of earlier versions have none.
            self._queued = module.lookup_function(entry_point + ASYNC_SUFFIX)
            self.fences = self._no_fences()
            plain = module.lookup_function(entry_point)
            self._function = self._queued if self.fences else plain
            # There is one where the function in a queue is given its memory.
            self._between = module.lookup_function(entry_point + ASYNC_SUFFIX + BETWEEN_SUFFIX)
            # And one for CPUs that is given memory for its new outputs by the caller.
            self.into = module.lookup_function(entry_point + ASYNC_SUFFIX + INTO_SUFFIX)
            self._idle = [self._context()]
        except _IREE_ERRORS as error:
            raise DeviceError(
                f"{artifact.manifest.name}: does not load on device {driver}: {error}"
            ) from error

    def run(self, arrays: list[Any]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order, of which those that are bound are on the device.

        DeviceError if the launch fails.
        """
        return run_call(self._sizes, arrays, self._launch)

    @property
    def queue(self) -> Queue | None:
        """The queue of the calling thread's launches; None where each is done when it returns."""
        return self.device.queue if self._queued else None

    def call(self, memory: Sequence[Any], function: Any = None, *, waits: bool = True) -> list[Any]:
        """Call the compiled function, or another, on memory of the device; gives its outputs'.

        Memory is what the virtual machine hands on for IREE's views. What the function updates is
        overwritten. DeviceError if the launch fails. See `invoke`.
        """
        results = self.invoke(self.listed(memory), function, waits=waits)
        return [results.get_as_ref(i) for i in range(self._num_outputs)]

    def listed(self, memory: Sequence[Any]) -> Any:
        """The virtual machine's list of arguments: what it hands on, or IREE's views."""
        arguments = self.new_list(len(memory) + len(self.fences))
        push = arguments.push_ref
        for one in (*memory, *self.fences):
            push(one)
        return arguments

    def invoke(self, arguments: Any, function: Any = None, *, waits: bool = True) -> Any:
        """The virtual machine's list of results for one of arguments, which stays as it is.

        `waits` is False where the call waits for no worker: then the thread keeps its policy, as a
        change may cost it the core for a while.
        """
        if self._attach:
            self._attach()
        results = self.new_list(self._num_outputs)
        # A context takes one call at a time: this is one that no other thread uses.
        try:
            context = self._idle.pop()
        except IndexError:
            context = self._context()
        try:
            if waits and self._has_workers:
                without_preempting(context.invoke, function or self._function, arguments, results)
            else:
                context.invoke(function or self._function, arguments, results)
        except _IREE_ERRORS as error:
            raise self._failure(error) from error
        finally:
            self._idle.append(context)
        if not self._is_host and function in (None, self._queued):
            self.device.made(results.get_as_object(i, self._view) for i in self._made)
        return results

    def bytes_between(self, memory: Sequence[Any], num_made: int) -> int:
        """Bytes that a call in a queue needs besides its so many new outputs.

        DeviceError where that cannot be told.
        """
        if not self._between:
            return 0
        # It takes a call's arguments, and looks at the shapes of inputs.
        nothing = [self.device.for_call(0)] * (num_made + 1)
        arguments = self.listed([*memory, *nothing, *[self._fence()] * 2])
        between: int = self.invoke(arguments, self._between, waits=False).get_variant(0)
        return between

    def launch(
        self, queue: Queue, memory: Sequence[Any], sizes: Sequence[int]
    ) -> tuple[list[Any], Launched]:
        """Call in a queue: gives the outputs, which are there when the launch is done.

        `sizes` are the bytes of what it makes: new outputs, and what lies between its kernels.
        """

        def submit(*fences: Any) -> list[Any]:
            to_fill = [self.device.for_call(size) for size in sizes] if self._between else []
            # To allocate, IREE waits for the launch before.
            waits = not queue.is_idle
            return self.call([*memory, *to_fill, *fences], self._queued, waits=waits)

        return queue.launch(self.artifact.manifest.name, submit, sum(sizes))

    def launch_into(
        self, queue: Queue | None, memory: Sequence[Any], outputs: Sequence[Any]
    ) -> tuple[list[Any], Launched | None]:
        """Call as `launch` does, new outputs in these buffers; without a queue it is done then."""
        given = [*memory, *outputs]
        if queue is None:
            return self.call(given, self.into), None
        # Nothing is allocated, for which IREE would wait.
        return queue.launch(
            self.artifact.manifest.name,
            lambda *fences: self.call([*given, *fences], self.into, waits=False),
        )

    def _launch(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        try:
            staging = self._staging.pop()
        except IndexError:
            staging = Staging(self.device, self._inputs, self._overwritten, self.listed)
        try:
            results = self.invoke(staging.arguments(arrays))
            # Copied before the next call: an updated input is staged memory.
            get, download = results.get_as_object, self.device.download
            if staging.updated:
                updated, staging.updated = staging.updated, {}
                return self._with_updated(results, updated)
            return tuple([download(get(i, self._view), kind) for i, kind in self._kinds])
        except _IREE_ERRORS as error:
            raise self._failure(error) from error
        finally:
            self._staging.append(staging)

    def _with_updated(self, results: Any, updated: dict[int, np.ndarray]) -> tuple[np.ndarray, ...]:
        """A call's outputs, where some are memory that was made for it, by input."""
        outputs = []
        for (i, kind), place in zip(self._kinds, self._updates, strict=True):
            view = results.get_as_object(i, self._view)
            array = None if place is None else updated.get(place)
            if array is None or not self.device.lies_in(view, array):
                array = self.device.download(view, kind)
            outputs.append(array)
        return tuple(outputs)

    def _no_fences(self) -> list[Any]:
        """The fences behind every call's memory: empty ones where the call is done on return.

        Then nobody waits for it: the function in a queue takes fewer steps there than the other,
        which makes a fence, waits for it, and makes views of what it updates.
        """
        if not self._queued or not self.device.is_host or self.device.has_queues:
            return []
        from iree.runtime import HalFence

        return [HalFence(0).ref] * 2

    def _fence(self) -> Any:
        from iree.runtime import HalFence

        return HalFence.create_at(self.device.hal.create_semaphore(0), 0)

    def _context(self) -> Any:
        from iree.runtime import VmContext

        if self._is_of_parent:
            raise DeviceError(
                f"{self.artifact.manifest.name}: loaded on {self.driver} before this process was "
                "forked, and a fork has none of its parent's threads; load it again here"
            )
        return VmContext(self._instance, modules=self._modules)

    def _failure(self, error: Exception) -> DeviceError:
        return launch_failure(self.artifact.manifest.name, self.driver, error)


def _leave_to_parent() -> None:
    """In a forked process: no session waits for workers, which only its parent has."""
    for session in _with_workers:
        session._is_of_parent, session._idle = True, []


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


def _check_versions(artifact: Artifact) -> None:
    compiled, present = artifact.manifest.compiler_version, runtime_version()
    if compiled != present:
        raise ArtifactError(
            f"{artifact.manifest.name}: compiled with IREE {compiled}, and the runtime here is "
            f"{present}; {remedy(artifact.path)}, or install iree-base-runtime=={compiled}"
        )
