"""Runs a whole module: the steps that its host program gives to the device."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irattn.codeobject import CodeObject, read_code_object
from irattn.emulator.launch import Counts, launch
from irattn.emulator.memory import Memory
from irattn.emulator.schedule import MOST_BLOCKS
from irattn.errors import EmulatorError
from irattn.vmfb import (
    Buffer,
    HipExport,
    Launch,
    Program,
    Range,
    Size,
    evaluate,
    read_hip_executable,
)


@dataclass(frozen=True)
class Run:
    """The outputs of a module as bytes, uint8 [length], and what each of its kernels executed."""

    outputs: tuple[np.ndarray, ...]
    counts: tuple[Counts, ...]


def run_program(
    program: Program,
    inputs: Sequence[np.ndarray],
    *,
    schedule: str = "lockstep",
    seed: int = 0,
    checks: bool = True,
    most_blocks: int = MOST_BLOCKS,
) -> Run:
    """Execute all steps of a traced program on inputs in order.

    EmulatorError where a kernel does what it must not, or cannot be executed.
    """
    device = _Device(program, inputs, checks)
    counts = []
    for step in program.steps:
        found = device.carry_out(step, schedule, seed, most_blocks)
        if found is not None:
            counts.append(found)
    return Run(tuple(device.output(place) for place in program.outputs), tuple(counts))


class _Device:
    """Buffers of a program in the memory of the emulator."""

    def __init__(self, program: Program, inputs: Sequence[np.ndarray], checks: bool) -> None:
        self.memory = Memory(checks=checks)
        self.dims = {
            (f"input{i}", axis): size
            for i, array in enumerate(inputs)
            for axis, size in enumerate(array.shape)
        }
        self.places: dict[Buffer, int] = {}
        for i, array in enumerate(inputs):
            data = np.ascontiguousarray(array)
            self._place(Buffer("input", i), f"input {i}", data.nbytes, data)
        for buffer in program.allocations:
            self._place(buffer, f"allocation {buffer.index}", self._number(buffer.bytes or 0))
        for i, bits in enumerate(program.constants):
            buffer = Buffer("constant", i, len(bits))
            self._place(buffer, f"constant {i}", len(bits), bits)
        self.kernels: dict[tuple[int, str], tuple[CodeObject, HipExport]] = {}
        for i, executable in enumerate(program.executables):
            if executable.format != "rocm-hsaco-fb":
                raise EmulatorError(
                    f"the module is compiled for {executable.format}, not for an AMD GPU"
                )
            exports, elfs = read_hip_executable(executable.data)
            objects = [read_code_object(elf) for elf in elfs]
            for export in exports:
                self.kernels[i, export.kernel] = objects[export.code_object], export

    def carry_out(self, step: Launch, schedule: str, seed: int, most_blocks: int) -> Counts | None:
        """One step; its counts where it is a dispatch."""
        if step.what == "fill":
            self._fill(step)
            return None
        if step.what == "copy":
            source, target = step.ranges
            self.memory.copy(
                self._address(source), self._address(target), self._number(target.length)
            )
            return None
        code_object, export = self.kernels[step.executable, step.kernel]
        x, y, z = (self._number(size) for size in step.workgroups)
        return launch(
            code_object,
            step.kernel,
            (x, y, z),
            export.workgroup_size,
            self._arguments(step),
            self.memory,
            schedule=schedule,
            seed=seed,
            dynamic_lds=export.dynamic_lds_bytes,
            most_blocks=most_blocks,
        )

    def output(self, place: Range) -> np.ndarray:
        """The bytes of an output; EmulatorError where some were never written."""
        address, size = self._address(place), self._number(place.length)
        if self.memory.checks and not self.memory.written(address, size):
            raise EmulatorError("an output has bytes that no kernel wrote")
        return self.memory.get(address, size)

    def _arguments(self, step: Launch) -> bytes:
        """Pointers to the bindings, then the constants."""
        pointers = np.array([self._address(place) for place in step.ranges], np.uint64)
        constants = np.array([self._number(c) & 0xFFFFFFFF for c in step.constants], np.uint32)
        return pointers.tobytes() + constants.tobytes()

    def _fill(self, step: Launch) -> None:
        (place,) = step.ranges
        size, width = self._number(place.length), self._number(step.pattern_bytes)
        pattern = self._number(step.pattern) & ((1 << 8 * width) - 1)
        data = pattern.to_bytes(width, "little") * (size // width)
        self.memory.put(self._address(place), data)

    def _place(
        self, buffer: Buffer, name: str, size: int, data: np.ndarray | bytes | None = None
    ) -> None:
        self.places[_key(buffer)] = self.memory.allocate(name, size, data)

    def _address(self, place: Range) -> int:
        start = self.places.get(_key(place.buffer))
        if start is None:
            raise EmulatorError(
                f"inputs: the module takes an input {place.buffer.index}, got fewer"
            )
        return start + self._number(place.offset)

    def _number(self, size: Size) -> int:
        return int(evaluate(size, self.dims))


def _key(buffer: Buffer) -> Buffer:
    """A buffer without its size, which inputs do not have."""
    return Buffer(buffer.role, buffer.index)
