"""Make the launch plan of an artifact from its module.

As IREE's drivers for HIP and CUDA have it (`stream_command_buffer.c`): a kernel takes one pointer
for each binding, the buffer's address plus the offset, and then its 32-bit constants.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from irattn.binary.compiled import Compiled
from irattn.binary.launches.code import FORMATS, CodeFormat
from irattn.binary.launches.plan import (
    CodeFile,
    Copy,
    DeviceBuffer,
    Dispatch,
    DynamicAxes,
    Fill,
    KernelEntry,
    LaunchPlan,
    LaunchStep,
    Place,
    PlacedTensor,
)
from irattn.binary.launches.rules import rule_of
from irattn.binary.manifest import VMFB, sha256
from irattn.binary.vmfb import (
    HostBuffer,
    HostProgram,
    HostStep,
    KernelExport,
    Range,
    Size,
    SizeFormula,
    combine,
    read_module,
    trace,
)
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, UsageError
from irattn.core.tensors import DynamicSize, TensorType
from irattn.specs import Spec
from irattn.targets import get as get_target

_KERNEL_NAME = re.compile(r"[A-Za-z_$][\w.$]*", re.ASCII)
_FILL_BYTES = (1, 2, 4)


def launch_plan(artifact: Compiled) -> LaunchPlan:
    """The plan by which the function of an artifact is launched.

    UsageError where it is not for a GPU, ArtifactError where its module is not understood.
    """
    return _Planner.of(artifact).plan()


def launch_files(artifact: Compiled) -> dict[str, bytes]:
    """The files that `launch_plan` names: code objects and constants. Raises as it does."""
    return _Planner.of(artifact).files()


def launch_plan_and_files(artifact: Compiled) -> tuple[LaunchPlan, dict[str, bytes]]:
    """Both, for whoever carries the plan out. Raises as `launch_plan` does."""
    planner = _Planner.of(artifact)
    return planner.plan(), planner.files()


@dataclass(frozen=True)
class _Planner:
    """An artifact, the spec of its function, and what its host program does."""

    artifact: Compiled
    spec: Spec
    program: HostProgram
    form: CodeFormat

    @classmethod
    def of(cls, artifact: Compiled) -> "_Planner":
        target = get_target(artifact.target)
        form = FORMATS.get(target.driver)
        if form is None:
            raise UsageError(
                f"{artifact.path}: compiled for {target.name}, which has no code for a GPU; "
                "compile it for one, e.g. with --target gfx1100"
            )
        program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
        formats = {executable.format for executable in program.executables} - {form.name}
        if formats:
            raise ArtifactError(f"{artifact.path}: has executables of format {min(formats)}")
        return cls(artifact, artifact.spec.compiled, program, form)

    def plan(self) -> LaunchPlan:
        manifest = self.artifact.manifest
        kernels = tuple(self._kernels())
        steps = tuple(map(self._step, self.program.steps))
        _check_names(kernels)
        _check_dispatches(kernels, steps)
        return LaunchPlan(
            name=manifest.name,
            identifier=self.identifier,
            entry_point=manifest.entry_points[0],
            gfx=manifest.target,
            compiler_version=manifest.compiler_version,
            vmfb_sha256=manifest.sha256[VMFB],
            sizes=_dynamic_axes(self.spec.inputs),
            inputs=tuple(self._inputs()),
            outputs=tuple(self._outputs()),
            buffers=tuple(self._buffers()),
            code_objects=tuple(CodeFile(name, len(c), sha256(c)) for name, c, _ in self.code()),
            kernels=kernels,
            steps=steps,
            barriers=self.program.barriers,
        )

    @property
    def identifier(self) -> str:
        """The identifier that file names begin with: the artifact's name as C takes it."""
        name = re.sub(r"\W", "_", self.artifact.manifest.name, flags=re.ASCII)
        return f"irattn_{name}" if name[0].isdigit() else name

    def code(self) -> Iterator[tuple[str, bytes, list[KernelExport]]]:
        """File name, bytes and exported kernels of each code object."""
        count = 0
        for executable in self.program.executables:
            exports, codes = self.form.read(executable.data)
            for number, code in enumerate(codes):
                here = [export for export in exports if export.code_object == number]
                yield f"{self.identifier}-{count}.{self.form.suffix}", code, here
                count += 1

    def files(self) -> dict[str, bytes]:
        """Code objects and constants by file name."""
        return {**{name: code for name, code, _ in self.code()}, **self.constants()}

    def constants(self) -> dict[str, bytes]:
        """File name and bytes of each constant."""
        return {
            f"{self.identifier}-constant{i}.bin": data
            for i, data in enumerate(self.program.constants)
        }

    def _kernels(self) -> Iterator[KernelEntry]:
        for file, code, exports in self.code():
            yield from self.form.kernels_in(file, code, exports)

    def _inputs(self) -> Iterator[PlacedTensor]:
        for i, tensor in enumerate(self.spec.inputs):
            shape = tuple(
                SizeFormula("dim", (f"input{i}", axis)) if isinstance(size, DynamicSize) else size
                for axis, size in enumerate(tensor.shape)
            )
            place = Place(f"input{i}", 0, _bytes(shape, tensor.dtype))
            yield PlacedTensor(
                tensor.name,
                tensor.dtype,
                shape,
                place,
                limits=tensor.limits,
                rule=rule_of(tensor),
                overwritten=tensor.name in self.spec.updates.values(),
            )

    def _outputs(self) -> Iterator[PlacedTensor]:
        inputs = self.spec.inputs
        first = {size.name: SizeFormula("dim", size.axes[0]) for size in _dynamic_axes(inputs)}
        for tensor, place in zip(self.spec.outputs, self.program.outputs, strict=True):
            shape = tuple(
                first[size.name] if isinstance(size, DynamicSize) else size for size in tensor.shape
            )
            is_input = place.buffer.role == "input"
            updates = inputs[place.buffer.index].name if is_input else None
            yield PlacedTensor(
                tensor.name, tensor.dtype, shape, self._place(place), updates=updates
            )

    def _buffers(self) -> Iterator[DeviceBuffer]:
        for tensor in self._inputs():
            yield DeviceBuffer(tensor.place.buffer, "input", tensor.place.length)
        for buffer in self.program.allocations:
            role = "output" if self._id(buffer).startswith("output") else "transient"
            yield DeviceBuffer(self._id(buffer), role, buffer.bytes or 0)
        for i, (file, data) in enumerate(self.constants().items()):
            yield DeviceBuffer(f"constant{i}", "constant", len(data), file, sha256(data))

    def _id(self, buffer: HostBuffer) -> str:
        """`input`, `output`, `transient` or `constant` and a number of its own."""
        if buffer.role != "allocation":
            return f"{buffer.role}{buffer.index}"
        returned = {place.buffer for place in self.program.outputs}
        alike = [b for b in self.program.allocations if (b in returned) == (buffer in returned)]
        return f"{'output' if buffer in returned else 'transient'}{alike.index(buffer)}"

    def _place(self, place: Range) -> Place:
        return Place(self._id(place.buffer), place.offset, place.length)

    def _step(self, launch: HostStep) -> LaunchStep:
        places = tuple(map(self._place, launch.ranges))
        if launch.what == "dispatch":
            return Dispatch(launch.kernel, launch.workgroups, places, launch.constants)
        if launch.what == "copy":
            return Copy(*places)
        if not isinstance(launch.pattern, int) or launch.pattern_bytes not in _FILL_BYTES:
            raise ArtifactError(
                f"a fill has the pattern {launch.pattern} of {launch.pattern_bytes} bytes; "
                "expected a number of 1, 2 or 4 bytes"
            )
        (target,) = places
        return Fill(target, launch.pattern, int(launch.pattern_bytes))


def _dynamic_axes(inputs: tuple[TensorType, ...]) -> tuple[DynamicAxes, ...]:
    """The sizes that a call chooses, in the order in which inputs have them first."""
    sizes: dict[str, DynamicSize] = {}
    axes: dict[str, list[tuple[str, int]]] = {}
    for i, tensor in enumerate(inputs):
        for axis, size in enumerate(tensor.shape):
            if isinstance(size, DynamicSize):
                sizes.setdefault(size.name, size)
                axes.setdefault(size.name, []).append((f"input{i}", axis))
    return tuple(
        DynamicAxes(name, size.most, size.multiple, tuple(axes[name]))
        for name, size in sizes.items()
    )


def _bytes(shape: tuple[Size, ...], name: str) -> Size:
    numbers = [size for size in shape if isinstance(size, int)]
    total: Size = math.prod(numbers) * dtype(name).numpy.itemsize
    for size in shape:
        if isinstance(size, SizeFormula):
            total = combine("mul", size, total)
    return total


def _check_names(kernels: tuple[KernelEntry, ...]) -> None:
    names = [kernel.name for kernel in kernels]
    if len(set(names)) < len(names):
        raise ArtifactError("two kernels of the module have the same name")
    for name in names:
        if not _KERNEL_NAME.fullmatch(name):
            raise ArtifactError(f"kernel {name!r}: its name is no symbol of an assembler")


def _check_dispatches(kernels: tuple[KernelEntry, ...], steps: tuple[LaunchStep, ...]) -> None:
    """Each dispatch gives its kernel what that takes."""
    taken = {
        kernel.name: Counter(argument.kind for argument in kernel.arguments) for kernel in kernels
    }
    for step in steps:
        if not isinstance(step, Dispatch):
            continue
        takes = taken.get(step.kernel)
        given = (len(step.bindings), len(step.constants))
        if takes is None or (takes["binding"], takes["constant"]) != given:
            raise ArtifactError(
                f"the host program launches kernel {step.kernel} with {given[0]} bindings and "
                f"{given[1]} constants, and the executable has no such kernel"
            )
