"""Runs a compiled function from the description of its launches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.binary.codeobject import CodeObject, read_code_object
from irattn.binary.launches import (
    Copy,
    Dispatch,
    Fill,
    KernelEntry,
    LaunchPlan,
    LaunchStep,
    Place,
    PlacedTensor,
)
from irattn.binary.vmfb import Size, evaluate
from irattn.core.dtypes import dtype
from irattn.core.errors import EmulatorError
from irattn.core.progress import steps
from irattn.lab.emulator.launch import launch
from irattn.lab.emulator.machine.memory import Memory
from irattn.lab.emulator.measure.counts import Counts


@dataclass(frozen=True)
class Run:
    """The outputs of a function, which of their elements were written, and what was executed."""

    outputs: tuple[np.ndarray, ...]
    written: tuple[np.ndarray, ...]
    counts: tuple[Counts, ...]

    def is_same(self, other: "Run") -> bool:
        """Whether all outputs are equal bit for bit, NaN and the signs of zeros too."""
        pairs = zip(self.outputs, other.outputs, strict=True)
        return all(one.tobytes() == two.tobytes() for one, two in pairs)


def run_plan(
    plan: LaunchPlan,
    files: Mapping[str, bytes],
    inputs: Mapping[str, np.ndarray],
    *,
    checks: bool = True,
    some: Mapping[int, Callable[[int], np.ndarray]] | None = None,
    **how: Any,
) -> Run:
    """Execute all steps of a plan; `files` are those that it names, `inputs` go by name.

    `checks` and `how` go to `launch`, and so does for a step by its number what `some` has, which
    chooses workgroups: then outputs may lack elements. EmulatorError where a kernel does what it
    must not, or cannot be executed.
    """
    device = _Device(plan, files, inputs, checks)
    chosen = some or {}
    every = steps(plan.steps, lambda step: type(step).__name__.lower())
    counted = [
        device.carry_out(step, {**how, "choose": chosen.get(number)})
        for number, step in enumerate(every)
    ]
    if not chosen:
        device.check_outputs()
    outputs, written = map(device.output, plan.outputs), map(device.written, plan.outputs)
    counts = tuple(count for count in counted if count is not None)
    return Run(tuple(outputs), tuple(written), counts)


class _Device:
    """The buffers of a plan in the memory of the emulator."""

    def __init__(
        self,
        plan: LaunchPlan,
        files: Mapping[str, bytes],
        inputs: Mapping[str, np.ndarray],
        checks: bool,
    ) -> None:
        self.plan = plan
        self.memory = Memory(checks=checks)
        arrays = [_given(operand, inputs) for operand in plan.inputs]
        self.dims = {
            (f"input{i}", axis): size
            for i, array in enumerate(arrays)
            for axis, size in enumerate(array.shape)
        }
        self.places: dict[str, int] = {}
        for buffer in plan.buffers:
            data = files[buffer.file] if buffer.file else None
            size = self._number(buffer.bytes)
            self.places[buffer.id] = self.memory.allocate(f"buffer {buffer.id}", size, data)
        for operand, array in zip(plan.inputs, arrays, strict=True):
            self.memory.put(self._address(operand.place), array.tobytes())
        self.code: dict[str, CodeObject] = {
            code.file: read_code_object(files[code.file]) for code in plan.code_objects
        }

    def carry_out(self, step: LaunchStep, how: Mapping[str, Any]) -> Counts | None:
        """One step; its counts where it is a dispatch."""
        if isinstance(step, Dispatch):
            return self._dispatch(step, how)
        if isinstance(step, Copy):
            size = self._number(step.target.length)
            self.memory.copy(self._address(step.source), self._address(step.target), size)
        else:
            self._fill(step)
        return None

    def check_outputs(self) -> None:
        """EmulatorError where some bytes of an output were never written."""
        if not self.memory.checks:
            return
        for operand in self.plan.outputs:
            if not self.memory.written(*self._extent(operand)).all():
                raise EmulatorError("an output has bytes that no kernel wrote")

    def output(self, operand: PlacedTensor) -> np.ndarray:
        """An output."""
        data = self.memory.get(*self._extent(operand))
        return data.view(dtype(operand.dtype).numpy).reshape(self._shape(operand))

    def written(self, operand: PlacedTensor) -> np.ndarray:
        """Which elements of an output were written."""
        element = dtype(operand.dtype).numpy.itemsize
        written = self.memory.written(*self._extent(operand)).reshape(-1, element)
        return written.all(axis=1).reshape(self._shape(operand))

    def _shape(self, operand: PlacedTensor) -> tuple[int, ...]:
        return tuple(map(self._number, operand.shape))

    def _extent(self, operand: PlacedTensor) -> tuple[int, int]:
        """Address and size in bytes."""
        return self._address(operand.place), self._number(operand.place.length)

    def _dispatch(self, step: Dispatch, how: Mapping[str, Any]) -> Counts:
        kernel = self.plan.kernel(step.kernel)
        x, y, z = map(self._number, step.grid)
        return launch(
            self.code[kernel.code_object],
            kernel.name,
            (x, y, z),
            kernel.workgroup_size,
            self._arguments(kernel, step),
            self.memory,
            dynamic_lds=kernel.dynamic_lds,
            **how,
        )

    def _arguments(self, kernel: KernelEntry, step: Dispatch) -> bytes:
        """The kernarg segment but for hidden arguments, which the launch adds."""
        segment = bytearray(kernel.kernarg_bytes)
        for argument in kernel.arguments:
            if argument.index is None:
                continue
            if argument.kind == "binding":
                value = self._address(step.bindings[argument.index])
            else:
                value = self._number(step.constants[argument.index])
            bits = value & ((1 << 8 * argument.size) - 1)
            end = argument.offset + argument.size
            segment[argument.offset : end] = bits.to_bytes(argument.size, "little")
        return bytes(segment)

    def _fill(self, step: Fill) -> None:
        pattern = step.pattern & ((1 << 8 * step.pattern_bytes) - 1)
        count = self._number(step.target.length) // step.pattern_bytes
        data = pattern.to_bytes(step.pattern_bytes, "little") * count
        self.memory.put(self._address(step.target), data)

    def _address(self, place: Place) -> int:
        return self.places[place.buffer] + self._number(place.offset)

    def _number(self, size: Size) -> int:
        return int(evaluate(size, self.dims))


def _given(operand: PlacedTensor, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
    if operand.name not in inputs:
        raise EmulatorError(
            f"inputs: the function takes {operand.name}, got {', '.join(inputs) or 'none'}"
        )
    return np.ascontiguousarray(inputs[operand.name])
