"""Find what a module's host program has the device do: buffers, and steps in order.

The program is followed with a device of our own that only takes notes.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from irattn.binary.vmfb.bytecode import Machine, argument_kinds
from irattn.binary.vmfb.executables import Executable
from irattn.binary.vmfb.formulas import Size, SizeFormula, combine
from irattn.binary.vmfb.given import check, check_given, grouped
from irattn.binary.vmfb.module import BYTECODE_VERSION, CompiledModule
from irattn.core.errors import ArtifactError

_MOST_WORKGROUPS = 2**31 - 1


@dataclass(frozen=True)
class HostBuffer:
    """Device memory: an `input` by position; an `allocation` or a `constant` by order.

    The size of an input is that of its tensor.
    """

    role: str
    index: int
    bytes: Size | None = None


@dataclass(frozen=True)
class Range:
    """Part of a buffer, in bytes."""

    buffer: HostBuffer
    offset: Size
    length: Size


@dataclass(frozen=True)
class HostStep:
    """One step: a `dispatch` of a kernel, a `fill` with a pattern, or a `copy`.

    `executable` is the place of the kernel's executable; `constants` are 32-bit numbers that the
    kernel takes after its bindings. A fill has its target in `ranges`, a copy source and target.
    """

    what: str
    ranges: tuple[Range, ...] = ()
    kernel: str = ""
    executable: int = 0
    workgroups: tuple[Size, Size, Size] = (1, 1, 1)
    constants: tuple[Size, ...] = ()
    pattern: Size = 0
    pattern_bytes: Size = 0


@dataclass(frozen=True)
class HostProgram:
    """A host program: what it loads, and what it does when its function is called.

    `barriers` are the numbers of steps after which everything before must have ended.
    """

    executables: tuple[Executable, ...]
    steps: tuple[HostStep, ...]
    barriers: tuple[int, ...]
    allocations: tuple[HostBuffer, ...]
    constants: tuple[bytes, ...]
    outputs: tuple[Range, ...]


@dataclass(frozen=True)
class _Kernel:
    executable: int
    name: str


@dataclass(frozen=True)
class _View:
    """A tensor: where it lies, and the name of an argument."""

    range: Range
    name: str = ""


@dataclass(frozen=True)
class _Place:
    """A range of a buffer, or of one that is given when the command buffer is executed."""

    slot: int
    buffer: HostBuffer | Range | None
    offset: Size
    length: Size

    def resolve(self, table: list[Range]) -> Range:
        within = table[self.slot] if self.buffer is None else self.buffer
        return _part(within, self.offset, self.length)


@dataclass
class _CommandBuffer:
    """A recorded command buffer: steps with their places, None for a barrier."""

    steps: list[tuple[HostStep, list[_Place]] | None] = field(default_factory=list)

    def add(self, step: HostStep, *places: _Place) -> list[Any]:
        self.steps.append((step, list(places)))
        return []


def trace(module: CompiledModule, entry_point: str) -> HostProgram:
    """Follow an exported function of a module; ArtifactError where it is not understood."""
    device, machine = _loaded(module)
    function = module.function(entry_point)
    inputs = [
        _View(Range(HostBuffer("input", i), 0, 0), f"input{i}")
        for i in range(len(argument_kinds(function.calling_convention)))
    ]
    outputs = machine.call(function, list(inputs))
    for view in outputs:
        check("what the function returns", view, _View)
    return HostProgram(
        tuple(device.executables),
        tuple(device.steps),
        tuple(device.barriers),
        tuple(device.allocations),
        tuple(device.constants),
        tuple(view.range for view in outputs),
    )


def launches_when_loaded(module: CompiledModule) -> bool:
    """Whether loading a module launches kernels, for what no input changes.

    ArtifactError where the module is not understood.
    """
    device, _ = _loaded(module)
    return bool(device.steps)


def _loaded(module: CompiledModule) -> tuple["_Device", Machine]:
    """A device that a module is loaded on, and what carries out the module's functions there."""
    if module.bytecode_version != BYTECODE_VERSION:
        version = ".".join(map(str, module.bytecode_version))
        raise ArtifactError(
            f"the module has bytecode version {version}; irattn reads "
            f"{'.'.join(map(str, BYTECODE_VERSION))}"
        )
    device = _Device()
    machine = Machine(module, device.call)
    if "__init" in module.exports:
        machine.call(module.function("__init"), [])
    return device, machine


class _Device:
    """Answers the imports of a host program as a device would, and notes what it is told."""

    def __init__(self) -> None:
        self.executables: list[Executable] = []
        self.allocations: list[HostBuffer] = []
        self.constants: list[bytes] = []
        self.steps: list[HostStep] = []
        self.barriers: list[int] = []

    def call(self, name: str, arguments: list[Any], segments: list[int]) -> list[Any]:
        method = "_" + name.removeprefix("hal.").replace(".", "_")
        if method.startswith("__") or method not in vars(_Device):
            raise ArtifactError(f"the host program calls {name!r:.80}, which irattn does not know")
        answer, given = vars(_Device)[method], grouped(arguments, segments)
        check_given(name, answer, given)
        results: list[Any] = answer(self, *given)
        return results

    # Devices: there is one, and it is what the program looks for.

    def _devices_count(self) -> list[Any]:
        return [1]

    def _devices_get(self, index: int) -> list[Any]:
        return [self]

    def _device_query_i64(self, device: Any, category: bytes, key: bytes) -> list[Any]:
        return [1, 1]

    def _device_allocator(self, device: Any) -> list[Any]:
        return [self]

    def _executable_create(
        self, device: Any, affinity: int, format: bytes, data: bytes, constants: Any
    ) -> list[Any]:
        self.executables.append(Executable(format.decode(), data))
        return [len(self.executables) - 1]

    def _executable_lookup_function(self, executable: int, name: bytes) -> list[Any]:
        return [_Kernel(executable, name.decode())]

    # Tensors and memory.

    def _buffer_view_assert(self, *arguments: Any) -> list[Any]:
        return []

    def _buffer_assert(self, *arguments: Any) -> list[Any]:
        return []

    def _buffer_view_buffer(self, view: _View) -> list[Any]:
        return [view.range.buffer]

    def _buffer_view_dim(self, view: _View, axis: int) -> list[Any]:
        return [SizeFormula("dim", (view.name, axis))]

    def _buffer_view_create(
        self, buffer: HostBuffer | Range, offset: Size, length: Size, *shape: Any
    ) -> list[Any]:
        return [_View(_part(buffer, offset, length), "")]

    def _buffer_subspan(self, buffer: HostBuffer | Range, offset: Size, length: Size) -> list[Any]:
        return [_part(buffer, offset, length)]

    def _device_queue_alloca(self, device: Any, *arguments: Any) -> list[Any]:
        size = arguments[-2]
        check("the size of an allocation", size, Size)
        buffer = HostBuffer("allocation", len(self.allocations), size)
        self.allocations.append(buffer)
        return [buffer]

    def _device_queue_dealloca(self, *arguments: Any) -> list[Any]:
        return []

    def _allocator_import(self, *arguments: Any) -> list[Any]:
        data, offset, length = arguments[-3:]
        for value, kind in ((data, bytes), (offset, int), (length, int)):
            check("what is imported", value, kind)
        self.constants.append(data[offset : offset + length])
        return [HostBuffer("constant", len(self.constants) - 1, length)]

    # Order: steps run one after the other, so that fences have nothing to say.

    def _fence_create(self, *arguments: Any) -> list[Any]:
        return [None]

    def _fence_join(self, *arguments: Any) -> list[Any]:
        return [None]

    def _fence_await(self, *arguments: Any) -> list[Any]:
        return [0]

    # Command buffers.

    def _command_buffer_create(self, *arguments: Any) -> list[Any]:
        return [_CommandBuffer()]

    def _command_buffer_finalize(self, commands: _CommandBuffer) -> list[Any]:
        return []

    def _command_buffer_execution_barrier(self, commands: _CommandBuffer, *_: Any) -> list[Any]:
        commands.steps.append(None)
        return []

    def _command_buffer_dispatch(
        self,
        commands: _CommandBuffer,
        executable: int,
        kernel: _Kernel,
        x: Size,
        y: Size,
        z: Size,
        flags: int,
        constants: list[Size],
        bindings: list[Any],
    ) -> list[Any]:
        for value in constants:
            check("a constant of a dispatch", value, Size)
        step = HostStep(
            "dispatch",
            kernel=kernel.name,
            executable=kernel.executable,
            workgroups=(_launchable(x), _launchable(y), _launchable(z)),
            constants=tuple(constants),
        )
        return commands.add(step, *(_Place(*row[1:]) for row in _rows(bindings, 5)))

    def _command_buffer_fill_buffer(
        self,
        commands: _CommandBuffer,
        buffer: HostBuffer | Range | None,
        offset: Size,
        length: Size,
        slot: int,
        pattern: Size,
        pattern_bytes: Size,
        flags: int,
    ) -> list[Any]:
        step = HostStep("fill", pattern=pattern, pattern_bytes=pattern_bytes)
        return commands.add(step, _Place(slot, buffer, offset, length))

    def _command_buffer_copy_buffer(
        self,
        commands: _CommandBuffer,
        source_slot: int,
        target_slot: int,
        source: HostBuffer | Range | None,
        source_offset: Size,
        target: HostBuffer | Range | None,
        target_offset: Size,
        length: Size,
        flags: int,
    ) -> list[Any]:
        return commands.add(
            HostStep("copy"),
            _Place(source_slot, source, source_offset, length),
            _Place(target_slot, target, target_offset, length),
        )

    def _device_queue_barrier(self, *arguments: Any) -> list[Any]:
        return []

    def _device_queue_fill(
        self,
        device: Any,
        affinity: int,
        wait: Any,
        signal: Any,
        buffer: HostBuffer | Range,
        offset: Size,
        length: Size,
        pattern: Size,
        pattern_bytes: Size,
        flags: int,
    ) -> list[Any]:
        alone = _CommandBuffer()
        self._command_buffer_fill_buffer(
            alone, buffer, offset, length, 0, pattern, pattern_bytes, flags
        )
        return self.carry_out(alone, [])

    def _device_queue_copy(
        self,
        device: Any,
        affinity: int,
        wait: Any,
        signal: Any,
        source: HostBuffer | Range,
        source_offset: Size,
        target: HostBuffer | Range,
        target_offset: Size,
        length: Size,
        flags: int,
    ) -> list[Any]:
        alone = _CommandBuffer()
        self._command_buffer_copy_buffer(
            alone, 0, 0, source, source_offset, target, target_offset, length, flags
        )
        return self.carry_out(alone, [])

    def _device_queue_execute(
        self, device: Any, affinity: int, wait: Any, signal: Any, commands: _CommandBuffer, *_: Any
    ) -> list[Any]:
        return self.carry_out(commands, [])

    def _device_queue_execute_indirect(
        self,
        device: Any,
        affinity: int,
        wait: Any,
        signal: Any,
        commands: _CommandBuffer,
        flags: int,
        bindings: list[Any],
    ) -> list[Any]:
        return self.carry_out(commands, [_part(*row) for row in _rows(bindings, 3)])

    def carry_out(self, commands: _CommandBuffer, table: list[Range]) -> list[Any]:
        for step in (*commands.steps, None):
            if step is not None:
                launch, places = step
                ranges = tuple(place.resolve(table) for place in places)
                self.steps.append(replace(launch, ranges=ranges))
            elif self.steps and self.barriers[-1:] != [len(self.steps)]:
                self.barriers.append(len(self.steps))
        return []


def _part(within: HostBuffer | Range, offset: Size, length: Size) -> Range:
    """A range of a buffer, or of what is a part of one already."""
    check("a range", within, HostBuffer | Range)
    check("the offset of a range", offset, Size)
    check("the length of a range", length, Size)
    if isinstance(within, Range):
        return Range(within.buffer, combine("add", within.offset, offset), length)
    return Range(within, offset, length)


def _launchable(count: Size) -> Size:
    """A number of workgroups without the bound that every launch has anyway."""
    if not isinstance(count, SizeFormula) or count.operation != "min":
        return count
    chosen: Size = count.operands[0]
    return chosen if count.operands[1] == _MOST_WORKGROUPS else count


def _rows(flat: list[Any], width: int) -> list[list[Any]]:
    return [flat[i : i + width] for i in range(0, len(flat), width)]
