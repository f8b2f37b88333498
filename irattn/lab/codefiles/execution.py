"""Executes a kernel of a code object in the emulator, as a description says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from irattn.binary.codeobject import CodeObject, KernelCode
from irattn.binary.inspection.figures import Occupancy
from irattn.binary.inspection.occupancy import occupancy, static_lds
from irattn.core.errors import ArtifactError, UsageError
from irattn.lab.codefiles.description import (
    DTYPES,
    Argument,
    BufferArgument,
    Description,
    ValueArgument,
)
from irattn.lab.emulator import Counts, Memory, launch
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.profiling import Executed
from irattn.runtime.costs import check_memory
from irattn.targets import get as get_target

_POINTER = 8


@dataclass(frozen=True)
class BufferAfter:
    """The contents of a buffer after a launch: `changed` says how many bytes the kernel changed."""

    name: str
    dtype: str
    data: np.ndarray
    changed: int


@dataclass(frozen=True)
class ExecutedFile:
    """One launch: what it executed, the buffers after it, and how many waves a SIMD holds."""

    code_object: CodeObject
    counts: Counts
    buffers: tuple[BufferAfter, ...]
    occupancy: Occupancy | None


def execute_file(code_objects: Sequence[CodeObject], description: Description) -> ExecutedFile:
    """Launch a kernel once; its outputs are saved where the description says so.

    UsageError where the kernel does not take these arguments, EmulatorError where it does what it
    must not.
    """
    code_object, kernel = _chosen(code_objects, description.kernel)
    memory, rng = Memory(), np.random.default_rng(description.seed)
    buffers = [one for one in description.arguments if isinstance(one, BufferArgument)]
    check_memory("the buffers", sum(prod(one.shape) * 4 * _element(one) for one in buffers))
    before = {one.buffer: _initial(one, description.folder, rng) for one in buffers}
    if len(before) < len(buffers):
        raise UsageError("arguments: two buffers have one name")
    places = {one.buffer: _place(memory, one, before[one.buffer]) for one in buffers}
    counts = launch(
        code_object,
        kernel.name,
        description.grid,
        description.workgroup,
        _packed(kernel, description.arguments, places),
        memory,
        dynamic_lds=description.dynamic_lds,
        measure=True,
    )
    after = tuple(_after(memory, one, places[one.buffer], before[one.buffer]) for one in buffers)
    for argument, written in zip(buffers, after, strict=True):
        if argument.save:
            np.save(description.folder / argument.save, written.data)
    lds_bytes = static_lds(kernel) + description.dynamic_lds
    room = occupancy(kernel, code_object.gfx, description.workgroup, lds_bytes)
    return ExecutedFile(code_object, counts, after, room)


def estimated(run: ExecutedFile) -> Executed:
    """A launch with the model's figures for it."""
    target = get_target(run.code_object.gfx)
    return Executed(run.counts, estimate(run.counts, target, run.occupancy))


def _chosen(code_objects: Sequence[CodeObject], name: str | None) -> tuple[CodeObject, KernelCode]:
    kernels = {k.name: (one, k) for one in code_objects for k in one.kernels}
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    if name not in kernels:
        raise UsageError(f"kernel: expected one of {', '.join(kernels)}, got {name}")
    return kernels[name]


def _initial(argument: BufferArgument, folder: Path, rng: np.random.Generator) -> np.ndarray | None:
    """The contents of a buffer before the launch; None for nothing."""
    kind, shape = DTYPES[argument.dtype], argument.shape
    if argument.init == "unwritten":
        return None
    if argument.init == "random":
        return rng.standard_normal(shape).astype(kind)
    if argument.init == "range":
        return np.arange(prod(shape)).reshape(shape).astype(kind)
    if argument.init in ("zeros", "ones"):
        return np.full(shape, argument.init == "ones").astype(kind)
    return _loaded(folder / argument.init, argument)


def _loaded(path: Path, argument: BufferArgument) -> np.ndarray:
    try:
        given: np.ndarray = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ArtifactError(f"{path}: {error}") from error
    kind = DTYPES[argument.dtype]
    if given.shape != argument.shape or given.dtype.itemsize != kind.itemsize:
        raise UsageError(
            f"buffer {argument.buffer}: expected {argument.dtype} {list(argument.shape)}, got "
            f"{given.dtype} {list(given.shape)} in {path}"
        )
    return np.ascontiguousarray(given).view(kind)


def _element(argument: BufferArgument) -> int:
    return DTYPES[argument.dtype].itemsize


def _place(memory: Memory, argument: BufferArgument, data: np.ndarray | None) -> int:
    size = prod(argument.shape) * DTYPES[argument.dtype].itemsize
    return memory.allocate(
        f"buffer {argument.buffer}", size, None if data is None else data.tobytes()
    )


def _packed(kernel: KernelCode, arguments: Sequence[Argument], places: Mapping[str, int]) -> bytes:
    """The kernarg segment: where the kernel's note has its arguments, else one after the other."""
    own = [one for one in kernel.arguments if not one.is_hidden]
    if own and len(own) != len(arguments):
        raise UsageError(f"arguments: kernel {kernel.name} takes {len(own)}, got {len(arguments)}")
    segment = bytearray(kernel.number(".kernarg_segment_size"))
    end = 0
    for i, argument in enumerate(arguments):
        value = _bytes_of(argument, places)
        offset, size = end + -end % len(value), len(value)
        if own:
            offset, size = own[i].offset, own[i].size
        if size != len(value):
            raise UsageError(
                f"arguments[{i}]: kernel {kernel.name} takes {size} bytes, got {len(value)}"
            )
        end = offset + size
        segment.extend(bytes(max(0, end - len(segment))))
        segment[offset:end] = value
    return bytes(segment)


def _bytes_of(argument: Argument, places: Mapping[str, int]) -> bytes:
    if isinstance(argument, ValueArgument):
        return np.array(argument.value).astype(DTYPES[argument.dtype]).tobytes()
    return places[argument.buffer].to_bytes(_POINTER, "little")


def _after(
    memory: Memory, argument: BufferArgument, place: int, before: np.ndarray | None
) -> BufferAfter:
    kind = DTYPES[argument.dtype]
    now = memory.get(place, prod(argument.shape) * kind.itemsize)
    old = np.zeros_like(now) if before is None else np.frombuffer(before.tobytes(), np.uint8)
    data = now.view(kind).reshape(argument.shape)
    return BufferAfter(argument.buffer, argument.dtype, data, int(np.count_nonzero(now != old)))
