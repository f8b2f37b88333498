"""A device for host programs that computes nothing: it takes notes of what it is told."""

from dataclasses import dataclass, replace
from typing import Any

from irattn.binary.vmfb.executables import Executable
from irattn.binary.vmfb.formulas import Size, SizeFormula
from irattn.binary.vmfb.given import check, check_given, grouped
from irattn.binary.vmfb.host_program import (
    CommandBuffer,
    HostBuffer,
    HostStep,
    Range,
    RecordedRange,
    part_of,
)
from irattn.core.errors import ArtifactError

_MOST_WORKGROUPS = 2**31 - 1


@dataclass(frozen=True)
class _Kernel:
    executable: int
    name: str


@dataclass(frozen=True)
class TensorView:
    """A tensor: where it lies, and the name of an argument."""

    range: Range
    name: str = ""


class NotingDevice:
    """Answers the imports of a host program as a device would, and notes what it is told."""

    def __init__(self) -> None:
        self.executables: list[Executable] = []
        self.allocations: list[HostBuffer] = []
        self.constants: list[bytes] = []
        self.steps: list[HostStep] = []
        self.barriers: list[int] = []

    def call(self, name: str, arguments: list[Any], segments: list[int]) -> list[Any]:
        method = "_" + name.removeprefix("hal.").replace(".", "_")
        if method.startswith("__") or method not in vars(NotingDevice):
            raise ArtifactError(f"the host program calls {name!r:.80}, which irattn does not know")
        answer, given = vars(NotingDevice)[method], grouped(arguments, segments)
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

    def _buffer_view_buffer(self, view: TensorView) -> list[Any]:
        return [view.range.buffer]

    def _buffer_view_dim(self, view: TensorView, axis: int) -> list[Any]:
        return [SizeFormula("dim", (view.name, axis))]

    def _buffer_view_create(
        self, buffer: HostBuffer | Range, offset: Size, length: Size, *shape: Any
    ) -> list[Any]:
        return [TensorView(part_of(buffer, offset, length), "")]

    def _buffer_subspan(self, buffer: HostBuffer | Range, offset: Size, length: Size) -> list[Any]:
        return [part_of(buffer, offset, length)]

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
        return [CommandBuffer()]

    def _command_buffer_finalize(self, commands: CommandBuffer) -> list[Any]:
        return []

    def _command_buffer_execution_barrier(self, commands: CommandBuffer, *_: Any) -> list[Any]:
        commands.steps.append(None)
        return []

    def _command_buffer_dispatch(
        self,
        commands: CommandBuffer,
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
        return commands.add(step, *(RecordedRange(*row[1:]) for row in _rows(bindings, 5)))

    def _command_buffer_fill_buffer(
        self,
        commands: CommandBuffer,
        buffer: HostBuffer | Range | None,
        offset: Size,
        length: Size,
        slot: int,
        pattern: Size,
        pattern_bytes: Size,
        flags: int,
    ) -> list[Any]:
        step = HostStep("fill", pattern=pattern, pattern_bytes=pattern_bytes)
        return commands.add(step, RecordedRange(slot, buffer, offset, length))

    def _command_buffer_copy_buffer(
        self,
        commands: CommandBuffer,
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
            RecordedRange(source_slot, source, source_offset, length),
            RecordedRange(target_slot, target, target_offset, length),
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
        alone = CommandBuffer()
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
        alone = CommandBuffer()
        self._command_buffer_copy_buffer(
            alone, 0, 0, source, source_offset, target, target_offset, length, flags
        )
        return self.carry_out(alone, [])

    def _device_queue_execute(
        self, device: Any, affinity: int, wait: Any, signal: Any, commands: CommandBuffer, *_: Any
    ) -> list[Any]:
        return self.carry_out(commands, [])

    def _device_queue_execute_indirect(
        self,
        device: Any,
        affinity: int,
        wait: Any,
        signal: Any,
        commands: CommandBuffer,
        flags: int,
        bindings: list[Any],
    ) -> list[Any]:
        return self.carry_out(commands, [part_of(*row) for row in _rows(bindings, 3)])

    def carry_out(self, commands: CommandBuffer, table: list[Range]) -> list[Any]:
        for step in (*commands.steps, None):
            if step is not None:
                launch, places = step
                ranges = tuple(place.resolve(table) for place in places)
                self.steps.append(replace(launch, ranges=ranges))
            elif self.steps and self.barriers[-1:] != [len(self.steps)]:
                self.barriers.append(len(self.steps))
        return []


def _launchable(count: Size) -> Size:
    """A number of workgroups without the bound that every launch has anyway."""
    if not isinstance(count, SizeFormula) or count.operation != "min":
        return count
    chosen: Size = count.operands[0]
    return chosen if count.operands[1] == _MOST_WORKGROUPS else count


def _rows(flat: list[Any], width: int) -> list[list[Any]]:
    return [flat[i : i + width] for i in range(0, len(flat), width)]
