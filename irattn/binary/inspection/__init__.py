"""Read what compiled code does and costs from its own files: nothing is compiled or run."""

from irattn.binary.inspection.artifact import Inspection, inspect_artifact
from irattn.binary.inspection.module import (
    disassemble,
    disassemble_kernels,
    inspect_module,
    kernel_figures,
    kernels_of,
)

__all__ = [
    "Inspection",
    "disassemble",
    "disassemble_kernels",
    "inspect_artifact",
    "inspect_module",
    "kernel_figures",
    "kernels_of",
]
