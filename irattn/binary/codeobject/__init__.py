"""AMD code objects: the kernels in an executable, what they need, and their instructions."""

from irattn.binary.codeobject.assembly import assembly
from irattn.binary.codeobject.elf import CodeObject, KernelCode, read_code_object
from irattn.binary.codeobject.isa import (
    Instruction,
    has_tables,
    instructions,
    isa_of,
    mnemonics,
    opcodes,
)
from irattn.binary.codeobject.note import KernelArgument
from irattn.binary.codeobject.work import matrix_flops, matrix_flops_per_wave

__all__ = [
    "CodeObject",
    "Instruction",
    "KernelArgument",
    "KernelCode",
    "assembly",
    "has_tables",
    "instructions",
    "isa_of",
    "matrix_flops",
    "matrix_flops_per_wave",
    "mnemonics",
    "opcodes",
    "read_code_object",
]
