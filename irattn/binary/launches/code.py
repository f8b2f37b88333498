"""The formats of drivers' executables: files of code, and the kernels in them."""

from collections.abc import Callable
from dataclasses import dataclass

from irattn.binary.launches.elf_kernels import kernels_in_elf
from irattn.binary.launches.plan import KernelEntry
from irattn.binary.launches.ptx_kernels import kernels_in_ptx
from irattn.binary.vmfb import KernelExport, read_cuda_executable, read_hip_executable


@dataclass(frozen=True)
class CodeFormat:
    """How IREE packs code for a driver: the executable's format, and what reads it.

    `read` gives kernels and code, `kernels_in` the kernels of one file of code, which ends in
    `suffix`.
    """

    name: str
    suffix: str
    read: Callable[[bytes], tuple[list[KernelExport], list[bytes]]]
    kernels_in: Callable[[str, bytes, list[KernelExport]], list[KernelEntry]]


# By driver.
FORMATS = {
    "hip": CodeFormat("rocm-hsaco-fb", "hsaco", read_hip_executable, kernels_in_elf),
    "cuda": CodeFormat("cuda-nvptx-fb", "ptx", read_cuda_executable, kernels_in_ptx),
}
