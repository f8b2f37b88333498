"""A loaded artifact as a callable."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from irattn.artifact import Artifact, remedy
from irattn.errors import ArtifactError, DeviceError
from irattn.runtime.arguments import check_arguments, named_arguments
from irattn.runtime.arrays import (
    aligned_empty,
    can_import,
    copy_to_device,
    import_array,
    to_host,
)
from irattn.runtime.devices import CPU_DRIVERS, launch_problem, open_device, runtime_version
from irattn.runtime.padding import run_call
from irattn.specs import Spec
from irattn.tensors import TensorType

logger = logging.getLogger("irattn")

# What the bindings turn the runtime's status codes into.
_IREE_ERRORS = (RuntimeError, ValueError, LookupError, MemoryError)


class Loaded(Protocol):
    """An artifact that can be called: what `Kernel` needs of a session."""

    artifact: Artifact
    spec: Spec
    driver: str

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order; DeviceError if the launch fails."""


class Session:
    """An artifact loaded onto one device."""

    def __init__(self, artifact: Artifact, driver: str) -> None:
        from iree import runtime

        _check_versions(artifact)
        self.artifact = artifact
        self.spec = artifact.spec
        self.driver = driver
        self._compiled = self.spec.compiled
        self._inputs = self._compiled.inputs
        self._outputs = self.spec.outputs
        self._overwritten = frozenset(self.spec.updates.values())
        self._staged: dict[str, np.ndarray] = {}
        self._lock = threading.Lock()
        self._device = open_device(driver, artifact.target)
        self._is_host = driver in CPU_DRIVERS
        instance = runtime.VmInstance()
        try:
            module = runtime.VmModule.copy_buffer(instance, artifact.vmfb)
            hal = runtime.create_hal_module(instance, self._device)
            self._context = runtime.VmContext(instance, modules=[hal, module])
            self._function = module.lookup_function(artifact.manifest.entry_points[0])
        except _IREE_ERRORS as error:
            raise DeviceError(
                f"{artifact.manifest.name}: does not load on device {driver}: {error}"
            ) from error

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Call with checked arrays in call order; DeviceError if the launch fails."""
        return run_call(self.spec, arrays, self._launch)

    def _launch(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        from iree.runtime import HalBufferView, VmVariantList

        arguments = VmVariantList(len(arrays))
        results = VmVariantList(len(self._outputs))
        with self._lock:
            try:
                for array, tensor in zip(arrays, self._inputs, strict=True):
                    arguments.push_ref(self._argument(array, tensor).ref)
                self._context.invoke(self._function, arguments, results)
                return tuple(
                    to_host(self._device, results.get_as_object(i, HalBufferView), tensor.dtype)
                    for i, tensor in enumerate(self._outputs)
                )
            except _IREE_ERRORS as error:
                name = self.artifact.manifest.name
                raise DeviceError(
                    f"{name}: launch on device {self.driver} failed: {launch_problem(error)}"
                ) from error

    def _argument(self, array: np.ndarray, tensor: TensorType) -> Any:
        """The array's own memory where the device can use it, else a copy.

        On the CPU the copy goes into memory that is kept for the next call: fresh memory costs
        several times as much as copying. What the graph overwrites is always a copy.
        """
        if not self._is_host:
            return copy_to_device(self._device, array, tensor.dtype)
        if tensor.name in self._overwritten or not can_import(array):
            staged = self._staged.get(tensor.name)
            if staged is None or staged.shape != array.shape:
                self._staged[tensor.name] = aligned_empty(array.shape, array.dtype)
            np.copyto(self._staged[tensor.name], array)
            array = self._staged[tensor.name]
        return import_array(self._device, array, tensor.dtype)


@dataclass(frozen=True)
class Selection:
    """Which variant of a bundle's entry a machine runs, and why not the others.

    `accepted` is a target, None where no variant is accepted; `rejected` are targets with reasons,
    in the order in which they were considered.
    """

    entry: str
    accepted: str | None
    rejected: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        reasons = "; ".join(f"{target}: {reason}" for target, reason in self.rejected)
        return f"{self.entry}: {self.accepted or 'no variant'} is taken; {reasons}"


class Kernel:
    """A compiled graph: `kernel(query=…, key=…, value=…) -> np.ndarray`.

    Arguments are NumPy arrays, named, shaped and typed as `kernel.spec.inputs` says: by keyword, or
    in that order. uint16, int16 and V2, in which other libraries and .npy files keep the bits of
    bf16, are not taken for it: pass `array.view(ml_dtypes.bfloat16)`. The result is the output, or
    a tuple of all outputs where `kernel.spec.outputs` lists several. No argument is ever written
    to. `kernel.selection` says which variant of a bundle was taken, and why not the others; it is
    None for what is no bundle. ArgumentError for a wrong argument, DeviceError for a launch that
    fails where there is nothing to fall back to.
    """

    def __init__(
        self,
        session: Loaded,
        fall_back: Callable[[str], Loaded] | None = None,
        selection: Selection | None = None,
    ) -> None:
        self._session = session
        self._fall_back = fall_back
        self.selection = selection
        self._lock = threading.Lock()

    @property
    def artifact(self) -> Artifact:
        """What is loaded; after a fallback, the CPU artifact."""
        return self._session.artifact

    @property
    def spec(self) -> Spec:
        """The spec of the loaded artifact."""
        return self._session.spec

    @property
    def driver(self) -> str:
        """What runs it: `hip`, `cuda`, `local-sync`, `local-task`, or `emulator`."""
        return self._session.driver

    def __call__(self, /, *arrays: np.ndarray, **tensors: np.ndarray) -> Any:
        """Run once; see the class."""
        outputs = self.outputs(*arrays, **tensors)
        return outputs[0] if len(outputs) == 1 else outputs

    def outputs(self, /, *arrays: np.ndarray, **tensors: np.ndarray) -> tuple[np.ndarray, ...]:
        """Run once: all outputs, in the order of `kernel.spec.outputs`."""
        checked = check_arguments(self.spec, named_arguments(self.spec, arrays, tensors))
        session = self._session
        try:
            return session.run(checked)
        except DeviceError as error:
            return self._after_failure(session, error).run(checked)

    def _after_failure(self, failed: Loaded, error: DeviceError) -> Loaded:
        """The session to go on with; several threads may see the same failure."""
        with self._lock:
            if self._session is failed:
                if self._fall_back is None:
                    raise error
                self._session = self._fall_back(str(error))
                self._fall_back = None
            return self._session

    def __repr__(self) -> str:
        manifest = self.artifact.manifest
        return f"<Kernel {manifest.name} for {manifest.target} on {self.driver}>"


def _check_versions(artifact: Artifact) -> None:
    compiled, present = artifact.manifest.compiler_version, runtime_version()
    if compiled != present:
        raise ArtifactError(
            f"{artifact.manifest.name}: compiled with IREE {compiled}, and the runtime here is "
            f"{present}; {remedy(artifact.path)}, or install iree-base-runtime=={compiled}"
        )
