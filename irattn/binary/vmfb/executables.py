"""Executables that a module loads: for GPUs, machine code or PTX and the kernels to launch."""

from dataclasses import dataclass

from flatbuffers import number_types

from irattn.binary.vmfb.flat import FlatTable, refuse_damage
from irattn.core.errors import ArtifactError

# Of a binding's flags: the kernel does not write it.
_READ_ONLY = 1

# Beyond what any GPU launches.
_MOST_ITEMS, _MOST_LDS_BYTES = 1 << 10, 1 << 18

# Before its FlatBuffer an executable has a header of IREE's: identifier, version, size.
_HEADER_BYTES = 64


@dataclass(frozen=True)
class Executable:
    """One executable as the host program creates it: format, e.g. `rocm-hsaco-fb`, and bytes."""

    format: str
    data: bytes


@dataclass(frozen=True)
class KernelExport:
    """A kernel of a GPU's executable, and how many arguments of each kind it takes.

    `read_only` says of each binding that the kernel does not write it.
    """

    kernel: str
    code_object: int
    workgroup_size: tuple[int, int, int]
    dynamic_lds_bytes: int
    constant_count: int
    read_only: tuple[bool, ...]

    @property
    def binding_count(self) -> int:
        """The number of buffers that a kernel takes."""
        return len(self.read_only)


def read_hip_executable(data: bytes) -> tuple[list[KernelExport], list[bytes]]:
    """The kernels of a `rocm-hsaco-fb` executable in the order of their ordinals, and the ELFs."""
    return _read(data, b"HIP1", "HIP")


def read_cuda_executable(data: bytes) -> tuple[list[KernelExport], list[bytes]]:
    """The kernels of a `cuda-nvptx-fb` executable in the order of their ordinals, and the PTX."""
    return _read(data, b"CDA1", "CUDA")


@refuse_damage
def _read(data: bytes, identifier: bytes, name: str) -> tuple[list[KernelExport], list[bytes]]:
    """Kernels and code of an executable: IREE lays those of HIP and of CUDA out alike."""
    if data[:4] != identifier:
        raise ArtifactError(f"the executable is damaged: it is not a {name} executable")
    root = FlatTable.root(data[_HEADER_BYTES:])
    exports = [_export(table) for table in root.tables(0)]
    return exports, [table.data(0) for table in root.tables(1)]


def _export(table: FlatTable) -> KernelExport:
    kernel = table.text(1)
    x, y, z = table.one_struct(2, "<III") or (1, 1, 1)
    if not 1 <= x * y * z <= _MOST_ITEMS:
        raise ArtifactError(
            f"kernel {kernel}: expected a workgroup of at most {_MOST_ITEMS} items, got {x} x {y} "
            f"x {z}"
        )
    dynamic_lds = table.number(3, number_types.Uint32Flags)
    if dynamic_lds > _MOST_LDS_BYTES:
        raise ArtifactError(
            f"kernel {kernel}: expected at most {_MOST_LDS_BYTES} bytes of LDS, got {dynamic_lds}"
        )
    return KernelExport(
        kernel=kernel,
        code_object=table.number(0, number_types.Uint32Flags),
        workgroup_size=(x, y, z),
        dynamic_lds_bytes=dynamic_lds,
        constant_count=table.number(4, number_types.Uint32Flags),
        read_only=tuple(bool(flags & _READ_ONLY) for (flags,) in table.structs(5, "<Q")),
    )
