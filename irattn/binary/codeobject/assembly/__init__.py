"""Instructions as LLVM's assembler and disassembler write them.

Each encoding has one function that writes its operands in order; which of them an opcode has is
in AMD's tables. LLVM's AMDGPUInstPrinter.cpp is what they follow.
"""

from collections.abc import Callable

from irattn.binary.codeobject.assembly import matrices, memory, scalar, vector
from irattn.binary.codeobject.assembly.fields import EncodedFields
from irattn.binary.codeobject.assembly.mnemonics import mnemonic
from irattn.binary.codeobject.isa import Instruction
from irattn.core.errors import ArtifactError

__all__ = ["assembly"]

_OPERANDS: dict[str, Callable[[EncodedFields], str]] = {
    **dict.fromkeys(("SOP1", "SOP2", "SOPC"), scalar.scalar),
    "SOPK": scalar.with_immediate,
    "SOPP": scalar.program,
    "SMEM": scalar.memory,
    **dict.fromkeys(("VOP1", "VOP2", "VOPC"), vector.short),
    **dict.fromkeys(("VOP3", "VOP3SD"), vector.long),
    "VOP3P": vector.packed,
    "VOP3PX2": matrices.matrices,
    "VINTERP": vector.interpolated,
    "DS": memory.lds,
    **dict.fromkeys(("FLAT", "GLOBAL", "SCRATCH", "VFLAT", "VGLOBAL", "VSCRATCH"), memory.flat),
    **dict.fromkeys(("MUBUF", "VBUFFER"), memory.buffer),
}


def assembly(instruction: Instruction, lanes: int | None = None) -> str:
    """An instruction as LLVM's disassembler writes it; a branch names the offset it goes to.

    `lanes` of a wave, by default 32 on RDNA and 64 on CDNA, say how wide masks of lanes are.
    ArtifactError for one with an operand that there is not.
    """
    usual = 32 if instruction.isa.startswith("rdna") else 64
    try:
        return _written(EncodedFields(instruction, lanes or usual))
    except ArtifactError as error:
        raise ArtifactError(
            f"{instruction.name} at {instruction.at:#x} is no instruction: {error}"
        ) from None


def _written(fields: EncodedFields) -> str:
    if fields.encoding == "VOPD":
        return vector.dual(fields)
    if fields.form == "MFMA":
        return f"{mnemonic(fields)} {matrices.matrices(fields)}"
    return f"{mnemonic(fields)} {_OPERANDS[fields.encoding](fields)}".rstrip()
