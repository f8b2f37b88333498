"""Reads compiled modules (.vmfb) without the runtime: their archive, host program and executables.

The archive is a ZIP of stored members: a FlatBuffer with the host program as bytecode of IREE's
virtual machine, and the executables that it loads. The layout is that of IREE's schemas
(`bytecode_module_def.fbs`, `hip_executable_def.fbs`, `cuda_executable_def.fbs`).
"""

from irattn.binary.vmfb.executables import (
    Executable,
    KernelExport,
    read_cuda_executable,
    read_hip_executable,
)
from irattn.binary.vmfb.formulas import (
    Size,
    SizeFormula,
    combine,
    evaluate,
    size_from_json,
    size_to_json,
)
from irattn.binary.vmfb.host import launches_when_loaded, trace
from irattn.binary.vmfb.host_program import HostBuffer, HostProgram, HostStep, Range
from irattn.binary.vmfb.module import (
    ASYNC_SUFFIX,
    BETWEEN_SUFFIX,
    BYTECODE_VERSION,
    INTO_SUFFIX,
    CompiledModule,
    Function,
    read_module,
)

__all__ = [
    "ASYNC_SUFFIX",
    "BETWEEN_SUFFIX",
    "BYTECODE_VERSION",
    "INTO_SUFFIX",
    "CompiledModule",
    "Executable",
    "Function",
    "HostBuffer",
    "HostProgram",
    "HostStep",
    "KernelExport",
    "Range",
    "Size",
    "SizeFormula",
    "combine",
    "evaluate",
    "launches_when_loaded",
    "read_cuda_executable",
    "read_hip_executable",
    "read_module",
    "size_from_json",
    "size_to_json",
    "trace",
]
