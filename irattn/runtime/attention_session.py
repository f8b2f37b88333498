"""One callable for many sizes of a spec whose artifacts are static: the least that fits runs."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build, find
from irattn.compiling.store import Store
from irattn.core.errors import ArgumentError, SpecError, shown
from irattn.core.numbers import whole
from irattn.core.tensors import TensorType
from irattn.rendering import GraphRequest
from irattn.runtime import DeviceArray, Kernel, load_artifact
from irattn.runtime.arguments import Signature
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.fitting import fitted
from irattn.runtime.padding import LENGTHS
from irattn.runtime.resizing import in_shape
from irattn.specs import Spec
from irattn.specs.base import plain

# What a bucket may have more of than a call.
_NAMES = ("batch", "q_len", "kv_len", "max_blocks")

Sizes = Mapping[str, int]


class AttentionSession:
    """A spec of attention or of a layer in several sizes: a call runs in the least that holds it.

    `buckets` are sizes by the names of fields, some of batch, q_len, kv_len and max_blocks, as
    `{"batch": (1, 8), "q_len": (1, 64)}`. Each combination is a bucket, with a static artifact of
    its own, which is compiled when a call first needs it, or ahead: `compile` does, and
    `to_compile` says what that would be. `target`, `device` and `out` are as in `irattn.load`.

    The sizes of a call are those of its arrays, and its results those of a static spec of these
    sizes. In a larger bucket arrays are padded, and outputs cut: device arrays on the device. What
    is not there sees nothing and writes nothing. A call names the inputs of `spec`.

    SpecError for what is no size of the spec; from calls ArgumentError for one that is larger than
    every bucket, and for what a kernel refuses. For one thread at a time.
    """

    def __init__(
        self,
        spec: Spec,
        buckets: Mapping[str, Sequence[int]],
        *,
        target: str = "cpu",
        device: str = "auto",
        out: str | Path | None = None,
    ) -> None:
        if not isinstance(spec, Spec):
            raise ArgumentError(f"spec: expected a spec, got {type(spec).__name__}")
        if not isinstance(buckets, Mapping):
            raise ArgumentError(f"buckets: expected sizes by name, got {shown(buckets)}")
        self.spec = spec
        self._target, self._device = targets.get(target), device
        self._root = Path(out) if out else None
        given = {name: _checked_sizes(name, sizes) for name, sizes in buckets.items()}
        self._axes = {name: _axis(spec, name) for name in given}
        # Artifacts with more tokens than a call are told how many are real.
        ragged = {"ragged": True} if given.keys() & {*LENGTHS.values()} else {}
        # Sizes rise: the first that fits is the least in each of them.
        combined = itertools.product(*given.values())
        every = [dict(zip(given, sizes, strict=True)) for sizes in combined]
        self._buckets = [(sizes, spec.replace(**sizes, **ragged)) for sizes in every]
        self._kernels: dict[Spec, Kernel] = {}
        self._bound: dict[str, DeviceArray] = {}
        self._signature = Signature(spec)
        self._calls: dict[tuple[int, ...], Signature] = {}

    @property
    def buckets(self) -> list[dict[str, int]]:
        """The sizes of each bucket, the least first."""
        return [dict(sizes) for sizes, _ in self._buckets]

    def bucket_of(self, **sizes: int) -> dict[str, int]:
        """The bucket that a call of these sizes runs in; ArgumentError where none is so large.

        Of a size that is not named, the least is taken.
        """
        for name, size in sizes.items():
            if name not in self._axes:
                raise ArgumentError(f"buckets: expected {', '.join(self._axes)}, got {shown(name)}")
            whole(name, size, error=ArgumentError)
        return dict(self._chosen(sizes)[0])

    def to_compile(self) -> list[Spec]:
        """What `compile` would compile: the specs that the store does not have."""
        return [spec for _, spec in self._buckets if not self._find(spec)]

    def compile(self) -> None:
        """Compile what the store does not have, and load all."""
        for _, spec in self._buckets:
            self._kernel(spec)

    def bind(self, **tensors: Any) -> None:
        """Put inputs on the device once; calls need not name them any more.

        NumPy arrays or device arrays of inputs that have one size in all buckets, as weights have.
        """
        known = {tensor.name: tensor for tensor in self.spec.inputs}
        device = self._kernel(self._buckets[0][1]).device
        for name, array in tensors.items():
            if not all(known.get(name) in spec.inputs for _, spec in self._buckets):
                raise ArgumentError(f"{name}: expected an input of one size in all buckets to bind")
            if not isinstance(array, DeviceArray):
                converted = self._signature.converted(known[name], array)
                array = DeviceArray.from_numpy(converted, device)
            self._bound[name] = array
        self._signature = Signature(self.spec, self._bound)

    def __call__(self, /, *arrays: Any, donate: Collection[str] = (), **tensors: Any) -> Any:
        """Run once, as `Kernel` does: the output, or a tuple of all."""
        given = self._signature.in_order(arrays, tensors)
        named = {**dict(zip(self._signature.names, given, strict=True)), **self._bound}
        sizes = {name: _size_of(named, *axis) for name, axis in self._axes.items()}
        _, spec = self._chosen(sizes)
        call = self._call(sizes)
        every = [named[name] for name in call.all_names]
        checked = dict(zip(call.all_names, call.values(call.form(every), every), strict=True))
        padded = {tensor.name: fitted(tensor, checked, call.spec) for tensor in spec.inputs}
        results = self._kernel(spec).outputs(**padded, donate=donate)
        if not donate and not any(isinstance(array, DeviceArray) for array in given):
            # What is bound is on the device, and the caller is not.
            results = tuple(map(np.asarray, results))
        outputs = tuple(
            in_shape(result, tensor.largest_shape)
            for result, tensor in zip(results, call.spec.outputs, strict=True)
        )
        return outputs[0] if len(outputs) == 1 else outputs

    def _chosen(self, sizes: Sizes) -> tuple[Sizes, Spec]:
        for bucket, spec in self._buckets:
            if all(size <= bucket[name] for name, size in sizes.items()):
                return bucket, spec
        most = {name: max(sizes[name] for sizes, _ in self._buckets) for name in sizes}
        raise ArgumentError(f"buckets: expected at most {_said(most)}, got {_said(sizes)}")

    def _call(self, sizes: Sizes) -> Signature:
        """What a call of these sizes takes."""
        key = tuple(sizes.values())
        if key not in self._calls:
            if len(self._calls) >= MOST_REMEMBERED:
                self._calls.clear()
            self._calls[key] = Signature(self.spec.replace(**sizes))
        return self._calls[key]

    def _find(self, spec: Spec) -> Artifact | None:
        return find(GraphRequest(spec, self._target), Store(self._root))

    def _kernel(self, spec: Spec) -> Kernel:
        if spec not in self._kernels:
            artifact = build(GraphRequest(spec, self._target), Store(self._root))
            self._kernels[spec] = load_artifact(artifact, self._device, self._root)
        return self._kernels[spec]


def _checked_sizes(name: str, given: object) -> tuple[int, ...]:
    if name not in _NAMES:
        raise SpecError(f"buckets: expected sizes of {', '.join(_NAMES)}, got {shown(name)}")
    sizes = plain(given)
    if not isinstance(sizes, tuple) or not sizes or any(type(s) is not int for s in sizes):
        raise SpecError(f"{name}: expected a list of whole numbers, got {shown(given)}")
    return tuple(sorted({*sizes}))


def _axis(spec: Spec, name: str) -> tuple[TensorType, int]:
    """The first input that has a size, and its axis; SpecError where none has."""
    if name in spec.field_names() and not getattr(spec, "dynamic", ()):
        attention: Any = getattr(spec, "attention", spec)
        larger = spec.replace(**{name: getattr(attention, name) + 1})
        for tensor, other in zip(spec.inputs, larger.inputs, strict=True):
            for axis, sizes in enumerate(zip(tensor.shape, other.shape, strict=True)):
                if len({*sizes}) > 1:
                    return tensor, axis
    raise SpecError(f"buckets: expected static sizes of {spec.op}, got {name}, which is none")


def _size_of(arrays: Mapping[str, Any], tensor: TensorType, axis: int) -> int:
    """A size of a call; ArgumentError for an array that cannot have it."""
    array = arrays[tensor.name]
    if not isinstance(array, np.ndarray | DeviceArray) or len(array.shape) != len(tensor.shape):
        got = list(array.shape) if hasattr(array, "shape") else type(array).__name__
        raise ArgumentError(f"{tensor.name}: expected an array like {tensor}, got {got}")
    return int(array.shape[axis])


def _said(sizes: Sizes) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes.items())
