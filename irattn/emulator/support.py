"""What the emulator can execute, said beforehand."""

from irattn.codeobject import Instruction, Kernel, instructions
from irattn.emulator import (
    lanes,
    mfma,
    packed,
    paired,
    rules,
    scalar,
    scalar_rules,
    vector,
    wmma,
)
from irattn.emulator.decode import ends_block, supported_step
from irattn.emulator.families import Family, family_of
from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.operands import Operands

# Where accumulation registers begin does not matter for whether they can be used.
_ANYWHERE = 256


def supported(gfx: str) -> list[str]:
    """Mnemonics of arithmetic and control that are executed, without `_e32` and `_e64`.

    Loads and stores follow patterns: see `unsupported_instructions` for whether a kernel can run.
    """
    family = family_of(gfx)
    if family is None:
        return []
    names = {*rules.RULES, *scalar_rules.RULES, *scalar.NO_EFFECT, *vector.mnemonics()}
    names |= {*packed.mnemonics(), *lanes.CROSS_LANE, *scalar.mnemonics()}
    if family.names:
        names |= mfma.mnemonics()
    else:
        names |= {*paired.mnemonics(), *wmma.mnemonics()}
    own = {plain: name for name, plain in family.names.items()}
    return sorted(own.get(name, name) for name in names)


def unsupported_instructions(kernel: Kernel, gfx: str) -> list[Instruction]:
    """Instructions of a kernel that would stop it."""
    family = family_of(gfx)
    decoded = list(instructions(kernel.code, gfx))
    if family is None:
        return decoded
    return [found for found in decoded if not _is_known(found, family)]


def _is_known(instruction: Instruction, family: Family) -> bool:
    if ends_block(instruction.name):
        return True
    try:
        supported_step(Operands(instruction, family, _ANYWHERE))
    except UnknownInstructionError:
        return False
    return True
