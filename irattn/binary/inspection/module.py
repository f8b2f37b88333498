"""Read the figures of a compiled module: its steps, kernels, registers and memory."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from irattn.binary.codeobject import (
    CodeObject,
    Instruction,
    KernelCode,
    assembly,
    has_tables,
    instructions,
    matrix_flops_per_wave,
    read_code_object,
)
from irattn.binary.inspection.figures import (
    INSTRUCTION_CLASSES,
    KernelFigures,
    ModuleFigures,
    StepFigures,
)
from irattn.binary.inspection.occupancy import occupancy, static_lds
from irattn.binary.vmfb import (
    ASYNC_SUFFIX,
    CompiledModule,
    HostBuffer,
    HostProgram,
    HostStep,
    KernelExport,
    Size,
    SizeFormula,
    read_hip_executable,
    read_module,
    trace,
)
from irattn.core.errors import ArtifactError

_AMD_FORMAT = "rocm-hsaco-fb"


@dataclass(frozen=True)
class _Code:
    """A kernel and, where the tables are there, its instructions.

    `dynamic_lds` are the bytes of LDS that a launch adds.
    """

    kernel: KernelCode
    gfx: str
    workgroup_size: tuple[int, int, int]
    dynamic_lds: int
    read_only: tuple[bool, ...]
    instructions: list[Instruction] | None

    @property
    def waves(self) -> int:
        """Waves of a workgroup."""
        lanes = math.prod(self.workgroup_size)
        return -(-lanes // self.kernel.number(".wavefront_size"))


def inspect_module(vmfb: bytes) -> ModuleFigures:
    """The figures of a compiled module with one function."""
    module = read_module(vmfb)
    entry_point = _entry_point(module)
    program = trace(module, entry_point)
    codes = kernels_of(program)
    outputs = {place.buffer for place in program.outputs}
    transient: list[Size] = [
        buffer.bytes or 0 for buffer in program.allocations if buffer not in outputs
    ]
    return ModuleFigures(
        bytecode_version=".".join(map(str, module.bytecode_version)),
        signature=module.function(entry_point).declaration,
        steps=tuple(_step(launch, codes, program) for launch in program.steps),
        transient_bytes=_plain(_sum(transient)),
        kernels=tuple(_figures(code) for code in codes.values()),
    )


def disassemble(vmfb: bytes) -> dict[str, Iterator[str]]:
    """The machine code of each AMD kernel: offset in the kernel, mnemonic and operands."""
    module = read_module(vmfb)
    codes = kernels_of(trace(module, _entry_point(module)))
    return {name: _lines(code) for name, code in codes.items()}


def kernel_figures(
    code_object: CodeObject, dynamic_lds: Mapping[str, int] | None = None
) -> tuple[KernelFigures, ...]:
    """The figures of the kernels in a code object of any compiler.

    `dynamic_lds` says by a kernel's name how many bytes of LDS its launch adds.
    """
    return tuple(map(_figures, _codes(code_object, dynamic_lds or {})))


def disassemble_kernels(code_object: CodeObject) -> dict[str, Iterator[str]]:
    """The machine code of each kernel in a code object, as `disassemble` tells it."""
    return {code.kernel.name: _lines(code) for code in _codes(code_object, {})}


def _codes(code_object: CodeObject, dynamic_lds: Mapping[str, int]) -> list[_Code]:
    return [
        _decoded(
            kernel,
            code_object.gfx,
            _stated_workgroup(kernel),
            dynamic_lds.get(kernel.name, 0),
            (),
        )
        for kernel in code_object.kernels
    ]


def _stated_workgroup(kernel: KernelCode) -> tuple[int, int, int]:
    """The workgroup that a kernel requires, or the largest that it can be launched with."""
    return kernel.required_workgroup or (kernel.number(".max_flat_workgroup_size"), 1, 1)


def _lines(code: _Code) -> Iterator[str]:
    lanes = code.kernel.number(".wavefront_size")
    for instruction in code.instructions or []:
        name, _, operands = assembly(instruction, lanes).partition(" ")
        yield f"{instruction.at:#06x}  {name:28} {operands}".rstrip()


def kernels_of(program: HostProgram) -> dict[str, _Code]:
    """The AMD kernels of a program by name; empty for other targets."""
    codes: dict[str, _Code] = {}
    for executable in program.executables:
        if executable.format != _AMD_FORMAT:
            continue
        exports, elfs = read_hip_executable(executable.data)
        code_objects = [read_code_object(elf) for elf in elfs]
        for export in exports:
            if export.code_object >= len(code_objects):
                raise ArtifactError(f"kernel {export.kernel}: its code object is not there")
            code_object = code_objects[export.code_object]
            codes[export.kernel] = _code(code_object, export)
    return codes


def _code(code_object: CodeObject, export: KernelExport) -> _Code:
    name = export.kernel
    kernel = next((kernel for kernel in code_object.kernels if kernel.name == name), None)
    if kernel is None:
        raise ArtifactError(f"kernel {name}: its code object does not have it")
    return _decoded(
        kernel,
        code_object.gfx,
        export.workgroup_size,
        export.dynamic_lds_bytes,
        export.read_only,
    )


def _decoded(
    kernel: KernelCode,
    gfx: str,
    workgroup_size: tuple[int, int, int],
    dynamic_lds: int,
    read_only: tuple[bool, ...],
) -> _Code:
    try:
        decoded = list(instructions(kernel.code, gfx)) if has_tables(gfx) else None
    except ArtifactError as error:
        raise ArtifactError(f"kernel {kernel.name}: {error}") from error
    return _Code(kernel, gfx, workgroup_size, dynamic_lds, read_only, decoded)


def _entry_point(module: CompiledModule) -> str:
    # The same function for a queue is no other.
    names = [n for n in module.exports if not n.startswith("__") and ASYNC_SUFFIX not in n]
    if len(names) != 1:
        raise ArtifactError(
            f"the compiled module exports {', '.join(names) or 'nothing'}; expected one function"
        )
    return names[0]


def _step(launch: HostStep, codes: dict[str, _Code], program: HostProgram) -> StepFigures:
    code = codes.get(launch.kernel)
    reads, writes = _traffic(launch, code, program)
    if launch.what != "dispatch":
        size = _plain(launch.ranges[-1].length)
        return StepFigures(launch.what, None, None, size, None, reads, writes)
    x, y, z = launch.workgroups
    return StepFigures(
        what="dispatch",
        kernel=launch.kernel,
        workgroups=(_plain(x), _plain(y), _plain(z)),
        bytes=None,
        matrix_flops=_matrix_flops(launch, code) if code else None,
        reads=reads,
        writes=writes,
    )


def _traffic(
    launch: HostStep, code: _Code | None, program: HostProgram
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The buffers that a step reads, and those that it writes."""
    buffers = [place.buffer for place in launch.ranges]
    if launch.what != "dispatch":
        is_read = [True] * (len(buffers) - 1) + [False]
    elif code is not None:
        is_read = list(code.read_only)
        if len(is_read) != len(buffers):
            raise ArtifactError(
                f"kernel {launch.kernel}: takes {len(is_read)} buffers, is launched with "
                f"{len(buffers)}"
            )
    else:
        # Code for a CPU does not say it.
        is_read = [buffer.role != "allocation" for buffer in buffers]
    sides: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for buffer, reads in zip(buffers, is_read, strict=True):
        sides[not reads].update(dict.fromkeys(_ids(buffer, program)))
    return tuple(sides[0]), tuple(sides[1])


def _ids(buffer: HostBuffer, program: HostProgram) -> list[str]:
    """The names of a buffer in steps: `input0`, `output0`, `constant0` or `transient0`."""
    if buffer.role != "allocation":
        return [f"{buffer.role}{buffer.index}"]
    outputs = [f"output{i}" for i, place in enumerate(program.outputs) if place.buffer == buffer]
    return outputs or [f"transient{buffer.index}"]


def _matrix_flops(launch: HostStep, code: _Code) -> float | None:
    """FLOPs of the matrix instructions of a launch; None where they cannot be told."""
    if code.instructions is None:
        return None
    by_wave = matrix_flops_per_wave(code.instructions)
    if not by_wave:
        return by_wave
    workgroups = [size for size in launch.workgroups if isinstance(size, int)]
    if len(workgroups) < len(launch.workgroups):
        return None
    return by_wave * code.waves * math.prod(workgroups)


def _figures(code: _Code) -> KernelFigures:
    kernel = code.kernel
    lds_bytes = static_lds(kernel) + code.dynamic_lds
    return KernelFigures(
        name=kernel.name,
        vgprs=kernel.number(".vgpr_count"),
        agprs=kernel.number(".agpr_count"),
        sgprs=kernel.number(".sgpr_count"),
        vgpr_spills=kernel.number(".vgpr_spill_count"),
        sgpr_spills=kernel.number(".sgpr_spill_count"),
        scratch_bytes=kernel.number(".private_segment_fixed_size"),
        lds_bytes=lds_bytes,
        wave_size=kernel.number(".wavefront_size"),
        workgroup_size=code.workgroup_size,
        code_bytes=len(kernel.code),
        code_sha256=hashlib.sha256(kernel.code).hexdigest(),
        occupancy=occupancy(kernel, code.gfx, code.workgroup_size, lds_bytes),
        instructions=_histogram(code.instructions),
    )


def _histogram(decoded: list[Instruction] | None) -> dict[str, int] | None:
    if decoded is None:
        return None
    counts = Counter(instruction.kind for instruction in decoded)
    return {kind: counts[kind] for kind in INSTRUCTION_CLASSES}


def _sum(sizes: list[Size]) -> Size:
    numbers = sum(size for size in sizes if isinstance(size, int))
    total: Size = numbers
    for size in sizes:
        if isinstance(size, SizeFormula):
            total = SizeFormula("add", (total, size)) if total else size
    return total


def _plain(size: Size) -> int | str:
    return size if isinstance(size, int) else str(size).removeprefix("(").removesuffix(")")
