"""A package's kernels on devices: load the code of each once, launch it on PyTorch's stream."""

import json
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from irattn.binary.vmfb.formulas import SizeFormula, evaluate, size_from_json
from irattn.core.errors import ArgumentError, DeviceError
from irattn.runtime.direct.code import LoadedCode, load
from irattn.runtime.direct.cuda import Cuda
from irattn.runtime.direct.driver import Driver
from irattn.runtime.direct.hip import Hip
from irattn.runtime.direct.laying import CallLayout, Laying, Output, dims_of
from irattn.runtime.direct.prepared import PreparedCall
from irattn.runtime.direct.steps import Address, Shape
from irattn.runtime.direct.torch_memory import TORCH_NAMES, TorchMemory
from irattn.runtime.hub.variants import DATA, Variant
from irattn.targets.architectures import capability, runs

torch: Any = import_module("torch")

LAUNCH_JSON = "launch.json"
# What is known of calls by their shapes is remembered for so many; then it begins anew.
_MOST_REMEMBERED = 1024


@cache
def driver() -> Driver:
    """The driver that PyTorch is built for."""
    return Hip() if torch.version.hip else Cuda()


class HubKernel:
    """A kernel of the package, `variant`, on all devices; several threads may call it at once.

    `memory` makes what calls need, and cuts outputs.
    """

    def __init__(self, variant: Variant, memory: TorchMemory) -> None:
        self.variant = variant
        self._memory = memory
        self._driver = driver()
        self._loaded: dict[int, tuple[Any, LoadedCode]] = {}
        self._loading = threading.Lock()
        self._prepared: dict[Any, PreparedCall] = {}

    def __call__(self, tensors: Mapping[str, Any]) -> Any:
        """The output, or a tuple of several, of tensors by the names and in the order of the plan.

        Caches are written in place. ArgumentError for a tensor that the kernel does not take.
        """
        given = list(tensors.values())
        key = self._memory.key(given)
        prepared = self._prepared.get(key)
        if prepared is None:
            prepared = self._prepare([*tensors], given)
            if len(self._prepared) >= _MOST_REMEMBERED:
                self._prepared.clear()
            self._prepared[key] = prepared
        return prepared.run(given, self._memory.stream(prepared.number))

    def _prepare(self, names: list[str], given: Sequence[Any]) -> PreparedCall:
        place = (self._driver.dlpack_type, given[0].get_device())
        number = self._driver.number_of(place)
        plan, code = self._code(number)
        check_tensors(plan, names, given)
        layout = laid_out(plan, [tuple(tensor.shape) for tensor in given])
        return PreparedCall(plan.name, self._memory, code, layout, names)

    def _code(self, number: int) -> tuple[Any, LoadedCode]:
        with self._loading:
            if number not in self._loaded:
                folder = DATA / self._folder(self._driver.arch(number), number)
                plan, files = read(folder)
                stream = self._memory.stream(number)
                self._loaded[number] = plan, load(self._driver, number, plan, files, stream)
            return self._loaded[number]

    def _folder(self, arch: str, number: int) -> str:
        """The folder of the code for a device, of several the one for the latest."""
        folders = self.variant.folders
        fitting = [target for target in folders if runs(target, arch)]
        if not fitting:
            raise DeviceError(
                f"device {self._driver.name} {number}: expected one of {', '.join(folders)}, which "
                f"the package has code for, got {arch}"
            )
        return folders[max(fitting, key=capability) if len(fitting) > 1 else fitting[0]]


def read(folder: Path) -> tuple[Any, dict[str, bytes]]:
    """A launch plan, of which the objects of `launch.json` are plain ones, and its files."""
    plan = json.loads((folder / LAUNCH_JSON).read_text(), object_hook=_made)
    held = [one.file for one in (*plan.code_objects, *plan.buffers) if one.file]
    return plan, {name: (folder / name).read_bytes() for name in held}


def _made(data: dict[str, Any]) -> Any:
    return size_from_json(data["formula"]) if "formula" in data else SimpleNamespace(**data)


def laid_out(plan: Any, shapes: Sequence[Shape]) -> CallLayout:
    """The layout of a call with inputs of these shapes, all as the function takes them."""
    laying = Laying(plan, len(shapes))
    for i in range(len(shapes)):
        laying.take(i, Address(i))
    dims = dims_of(shapes)
    outputs = [
        Output(tuple(evaluate(size, dims) for size in one.shape), one.dtype) for one in plan.outputs
    ]
    laying.size(shapes, outputs)
    for output, (place, _) in zip(outputs, laying.outputs(), strict=True):
        laying.give(output, place)
    return laying.finish()


def check_tensors(plan: Any, names: Sequence[str], given: Sequence[Any]) -> None:
    """ArgumentError for a tensor of another type or shape, elsewhere, or not dense."""
    expected = [one.name for one in plan.inputs]
    if list(names) != expected:
        raise ArgumentError(f"expected {', '.join(expected)}, got {', '.join(names)}")
    dims = dims_of([tuple(tensor.shape) for tensor in given])
    _check_sizes(plan, names, dims)
    for one, tensor in zip(plan.inputs, given, strict=True):
        kind = getattr(torch, TORCH_NAMES[one.dtype])
        if tensor.dtype != kind:
            raise ArgumentError(f"{one.name}: expected {kind}, got {tensor.dtype}")
        if tensor.get_device() != given[0].get_device():
            where = given[0].device
            raise ArgumentError(f"{one.name}: expected a tensor on {where}, got {tensor.device}")
        if not _fits(one.shape, tensor.shape):
            words = ["any" if isinstance(size, SizeFormula) else size for size in one.shape]
            raise ArgumentError(
                f"{one.name}: expected [{', '.join(map(str, words))}], got {list(tensor.shape)}"
            )
        if not tensor.is_contiguous():
            raise ArgumentError(
                f"{one.name}: expected elements that lie row by row; give {one.name}.contiguous()"
            )


def _check_sizes(plan: Any, names: Sequence[str], dims: Mapping[tuple[str, int], int]) -> None:
    """Axes of one size are equally long, and no longer than kernels take."""
    for size in plan.sizes:
        (first, axis), *others = (tuple(place) for place in size.axes)
        length = dims.get((first, axis), 0)
        name = names[int(first.removeprefix("input"))]
        if not 1 <= length <= size.most:
            raise ArgumentError(
                f"{name}: expected 1 to {size.most} along axis {axis}, got {length}"
            )
        for other in others:
            if dims.get(other) != length:
                found = names[int(other[0].removeprefix("input"))]
                raise ArgumentError(
                    f"{found}: expected {length} along axis {other[1]} as in {name}, got "
                    f"{dims.get(other)}"
                )


def _fits(sizes: Sequence[Any], shape: Sequence[int]) -> bool:
    """Whether axes have the sizes that calls do not choose."""
    return len(sizes) == len(shape) and all(
        isinstance(size, SizeFormula) or size == length
        for size, length in zip(sizes, shape, strict=True)
    )
