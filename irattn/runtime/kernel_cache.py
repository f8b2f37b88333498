"""The one cache of loaded kernels, and calls of many sizes that share them by a policy."""

import logging
import os
import shlex
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from irattn.compiling.build import find
from irattn.compiling.compiler import compile_mlir
from irattn.compiling.prebuilt import artifact_for, prebuilt
from irattn.compiling.store import Store
from irattn.core.dtypes import dtype
from irattn.core.errors import CompileError
from irattn.core.tensors import TensorType
from irattn.rendering import GraphRequest
from irattn.runtime.arguments import Signature
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.kernel import Kernel
from irattn.runtime.loading import load_artifact
from irattn.runtime.machine import target_or_here
from irattn.runtime.padding import LENGTHS, filler
from irattn.runtime.resizing import in_shape
from irattn.runtime.size_policies import Policy, compiled_spec, stored_policy
from irattn.specs import Spec
from irattn.targets import Target

# Of its own: who filters what irattn says of its choices still sees why a call takes seconds.
logger = logging.getLogger("irattn.compiling")

# Kernels that are kept loaded.
_MOST_KERNELS = 256

# Characters of a spec's JSON that a person still reads in a line.
_READABLE = 200


class KernelCache:
    """Kernels for calls of any size: each is compiled when a call first needs it, and kept loaded.

    `policy` says which calls share one:

    - `exact`: those of the same sizes.
    - `power_of_two`: all batches and lengths up to the next power of two. Every call chooses its
      own, and lengths that are no multiple of 64 are padded to one in a copy.
    - buckets, sizes by the names of fields, some of batch, q_len, kv_len, max_blocks, q_tokens and
      kv_tokens, as `{"batch": (1, 8), "q_len": (1, 64)}`: a static kernel for each combination, of
      which the least that holds a call runs it. Arrays are padded, and outputs cut, device arrays
      on the device. What is not there sees nothing and writes nothing.

    A call is named by its static spec. `target`, `device`, `out` and `launcher` are as in
    `irattn.load`; all caches of a process share what is loaded. ArgumentError for what is no policy
    and for a call larger than every bucket, SpecError for sizes that a spec does not have.
    """

    def __init__(
        self,
        policy: Policy = "power_of_two",
        *,
        target: str | None = None,
        device: str = "auto",
        out: str | Path | None = None,
        launcher: str | None = None,
    ) -> None:
        self._launcher = launcher
        self._policy = stored_policy(policy)
        self._target = target_or_here(target, device)
        self._device = device
        self._root = None if out is None else Path(out)

    def spec_of(self, call: Spec) -> Spec:
        """The spec that is compiled for a call."""
        return compiled_spec(call, self._policy)

    def is_compiled(self, call: Spec) -> bool:
        """Whether the store, or a bundle in its folder, has the kernel of a call."""
        spec, store = self.spec_of(call), Store(self._root)
        if prebuilt(spec, self._target, store.root):
            return True
        return find(GraphRequest(spec, self._target), store) is not None

    def kernel(self, call: Spec) -> Kernel:
        """The kernel of a call, compiled where the store has it not, of which a log line tells.

        CompileError where the compiler refuses it.
        """
        where = (self._target, self._device, self._root, self._launcher)
        kernel = _loaded(self.spec_of(call), *where)
        if isinstance(kernel, CompileError):
            raise kernel
        return kernel

    def outputs(
        self, call: Spec, tensors: Mapping[str, Any], *, donate: Collection[str] = ()
    ) -> tuple[Any, ...]:
        """Run a call's arrays, given by name as `Kernel` takes them: all outputs, in its sizes."""
        kernel = self.kernel(call)
        if isinstance(self._policy, str):
            return kernel.outputs(**tensors, donate=tuple(donate))
        return _run_in_bucket(kernel, call, tensors, donate)


@lru_cache(maxsize=MOST_REMEMBERED)
def _signature(call: Spec) -> Signature:
    """The arguments of calls of these sizes."""
    return Signature(call)


def _run_in_bucket(
    kernel: Kernel, call: Spec, tensors: Mapping[str, Any], donate: Collection[str]
) -> tuple[Any, ...]:
    """The outputs of a call by a kernel that has room for more."""
    signature = _signature(call)
    given = signature.in_order((), tensors)
    # Values are checked as they come: padding could make a legal one of a wrong one.
    arrays = signature.values(signature.form(given), given)
    named = dict(zip(signature.names, arrays, strict=True))
    padded = {tensor.name: _in_room(tensor, named, call) for tensor in kernel.spec.inputs}
    results = kernel.outputs(**padded, donate=tuple(donate))
    if not donate and not any(isinstance(array, DeviceArray) for array in given):
        results = tuple(map(np.asarray, results))
    return tuple(
        in_shape(result, tensor.largest_shape)
        for result, tensor in zip(results, call.outputs, strict=True)
    )


def _in_room(tensor: TensorType, arrays: Mapping[str, Any], call: Spec) -> Any:
    """An input of the kernel: the call's own with padding, or the length of all sequences."""
    if tensor.name in arrays:
        return in_shape(arrays[tensor.name], tensor.largest_shape, filler(tensor), tensor.name)
    # The lengths of a layer are its attention's. What those see that are not there is cut.
    length = getattr(getattr(call, "attention", call), LENGTHS[tensor.role])
    return np.full(tensor.largest_shape, length, dtype(tensor.dtype).numpy)


@lru_cache(maxsize=_MOST_KERNELS)
def _loaded(
    spec: Spec, target: Target, device: str, root: Path | None, launcher: str | None = None
) -> Kernel | CompileError:
    """The kernel, or what the compiler said: asking it twice would take as long again."""

    def compile(text: str, flags: tuple[str, ...]) -> bytes:
        logger.warning("%s", line_for_wait(spec, target))
        return compile_mlir(text, flags)

    try:
        artifact = artifact_for(spec, target, Store(root), compile=compile)
    except CompileError as error:
        return error
    return load_artifact(artifact, device, root, launcher)


if hasattr(os, "register_at_fork"):
    # Kernels of the parent's threads do not run in a forked process, and are loaded again.
    os.register_at_fork(after_in_child=_loaded.cache_clear)


def line_for_wait(spec: Spec, target: Target) -> str:
    """The line that says what a call waits for, and how the next process need not.

    A spec with functions or tables is too long to be read, or typed: then the first half is all.
    """
    waits = f"compiling {spec.op} for {target.name}, which takes seconds and is kept"
    text = spec.to_short_json()
    if len(text) > _READABLE:
        return waits
    command = shlex.join(["irattn", "compile", text, "--target", target.name])
    return f"{waits}; to have it before the first call: {command}"
