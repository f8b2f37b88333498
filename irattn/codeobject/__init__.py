"""AMD code objects: the kernels in an executable, what they need, and their instructions."""

from irattn.codeobject.elf import CodeObject, Kernel, read_code_object
from irattn.codeobject.isa import Instruction, has_tables, instructions
from irattn.codeobject.work import matrix_flops, matrix_flops_per_wave

__all__ = [
    "CodeObject",
    "Instruction",
    "Kernel",
    "has_tables",
    "instructions",
    "matrix_flops",
    "matrix_flops_per_wave",
    "read_code_object",
]
