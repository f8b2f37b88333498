"""What the emulator can execute, said beforehand."""

from irattn.codeobject import Instruction, Kernel, instructions
from irattn.emulator import arithmetic, lanes, matrix, scalar, vector
from irattn.emulator.decode import ends_block, supported_step
from irattn.emulator.faults import UnknownInstructionError


def supported(gfx: str) -> list[str]:
    """Mnemonics of arithmetic and control that are executed, without `_e32` and `_e64`.

    Loads and stores follow patterns: see `unsupported_instructions` for whether a kernel can run.
    """
    if not gfx.startswith("gfx11"):
        return []
    names = {*arithmetic.RULES, *scalar.RULES, *scalar.NO_EFFECT, *vector.mnemonics()}
    names |= {*lanes.CROSS_LANE, *matrix.mnemonics(), *scalar.mnemonics()}
    return sorted(names)


def unsupported_instructions(kernel: Kernel, gfx: str) -> list[Instruction]:
    """Instructions of a kernel that would stop it."""
    if not gfx.startswith("gfx11"):
        return list(instructions(kernel.code, gfx))
    return [found for found in instructions(kernel.code, gfx) if not _is_known(found)]


def _is_known(instruction: Instruction) -> bool:
    if ends_block(instruction.name):
        return True
    try:
        supported_step(instruction)
    except UnknownInstructionError:
        return False
    return True
