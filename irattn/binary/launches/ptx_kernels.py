"""Kernels of PTX, NVIDIA's assembly as text, as launches need them.

PTX declares each kernel as `.entry NAME(.param .u64 …, .param .u32 …)`: a pointer for each binding,
then the constants (PTX ISA, "Kernel Function Parameters").
"""

import re

from irattn.binary.launches.plan import Argument, KernelEntry
from irattn.binary.vmfb import KernelExport
from irattn.core.errors import ArtifactError

_POINTER_BYTES, _CONSTANT_BYTES = 8, 4
_WARP = 32

_ENTRY = re.compile(r"\.entry\s+([\w$.]+)\s*\((.*?)\)", re.DOTALL)
_PARAMETER = re.compile(r"\.param\s+\.[bus](\d+)\b")


def kernels_in_ptx(file: str, ptx: bytes, exports: list[KernelExport]) -> list[KernelEntry]:
    """The exported kernels of a PTX text; ArtifactError where it declares other parameters."""
    entries = dict(_ENTRY.findall(ptx.decode()))
    return [_kernel_entry(file, one, entries.get(one.kernel)) for one in exports]


def _kernel_entry(file: str, export: KernelExport, parameters: str | None) -> KernelEntry:
    if parameters is None:
        raise ArtifactError(f"kernel {export.kernel}: its PTX does not have it")
    arguments = _arguments(export)
    declared = [int(bits) // 8 for bits in _PARAMETER.findall(parameters)]
    if declared != [argument.size for argument in arguments]:
        raise ArtifactError(
            f"kernel {export.kernel}: expected {export.binding_count} pointers and "
            f"{export.constant_count} constants of 32 bits, its PTX takes parameters of "
            f"{declared} bytes"
        )
    return KernelEntry(
        name=export.kernel,
        symbol=export.kernel,
        code_object=file,
        workgroup_size=export.workgroup_size,
        wave_size=_WARP,
        static_lds=0,
        dynamic_lds=export.dynamic_lds_bytes,
        scratch=0,
        kernarg_bytes=sum(argument.size for argument in arguments),
        kernarg_alignment=_POINTER_BYTES,
        arguments=arguments,
    )


def _arguments(export: KernelExport) -> tuple[Argument, ...]:
    """Bindings, then constants, each after the other: 32 bits need no room between them."""
    pointers = export.binding_count * _POINTER_BYTES
    return (
        *(
            Argument("binding", i, i * _POINTER_BYTES, _POINTER_BYTES)
            for i in range(export.binding_count)
        ),
        *(
            Argument("constant", i, pointers + i * _CONSTANT_BYTES, _CONSTANT_BYTES)
            for i in range(export.constant_count)
        ),
    )
