"""Kernels of AMD code objects, as launches need them: from the module and the code's own note."""

from irattn.binary.codeobject import CodeObject, KernelArgument, KernelCode, read_code_object
from irattn.binary.launches.plan import Argument, KernelEntry
from irattn.binary.vmfb import KernelExport
from irattn.core.errors import ArtifactError


def kernels_in_elf(file: str, elf: bytes, exports: list[KernelExport]) -> list[KernelEntry]:
    """The exported kernels of a code object; ArtifactError where its note tells another thing."""
    code_object = read_code_object(elf)
    return [_kernel_entry(file, one, _find(code_object, one.kernel)) for one in exports]


def _find(code_object: CodeObject, name: str) -> KernelCode:
    kernel = next((kernel for kernel in code_object.kernels if kernel.name == name), None)
    if kernel is None:
        raise ArtifactError(f"kernel {name}: its code object does not have it")
    return kernel


def _kernel_entry(file: str, export: KernelExport, kernel: KernelCode) -> KernelEntry:
    return KernelEntry(
        name=kernel.name,
        symbol=kernel.symbol,
        code_object=file,
        workgroup_size=export.workgroup_size,
        wave_size=kernel.number(".wavefront_size"),
        static_lds=kernel.number(".group_segment_fixed_size"),
        dynamic_lds=export.dynamic_lds_bytes,
        scratch=kernel.number(".private_segment_fixed_size"),
        kernarg_bytes=kernel.number(".kernarg_segment_size"),
        kernarg_alignment=kernel.number(".kernarg_segment_align"),
        arguments=_arguments(export, kernel),
    )


def _arguments(export: KernelExport, kernel: KernelCode) -> tuple[Argument, ...]:
    """Bindings, constants and hidden ones, in this order, as the note and the module agree."""
    noted = kernel.arguments
    bindings, plain = export.binding_count, export.binding_count + export.constant_count
    expected = [("global_buffer", 8)] * bindings + [("by_value", 4)] * export.constant_count
    explicit = [(argument.kind, argument.size) for argument in noted[:plain]]
    hidden = noted[plain:]
    if explicit != expected or any(not a.is_hidden for a in hidden):
        raise ArtifactError(
            f"kernel {kernel.name}: expected {bindings} bindings and {export.constant_count} "
            f"constants, got {', '.join(a.kind for a in noted) or 'none'}"
        )
    return (
        *(_argument("binding", i, argument) for i, argument in enumerate(noted[:bindings])),
        *(_argument("constant", i, argument) for i, argument in enumerate(noted[bindings:plain])),
        *(_argument(argument.kind, None, argument) for argument in hidden),
    )


def _argument(kind: str, index: int | None, noted: KernelArgument) -> Argument:
    return Argument(kind, index, noted.offset, noted.size)
