"""What the emulator can execute, said beforehand."""

from irattn.codeobject import Instruction, Kernel, family_of, instructions, mnemonics
from irattn.emulator import lanes, matrix, packed, paired, rules, scalar, scalar_rules, vector
from irattn.emulator.decode import ends_block, supported_step
from irattn.emulator.families import FAMILIES
from irattn.emulator.faults import UnknownInstructionError


def supported(gfx: str) -> list[str]:
    """Mnemonics of arithmetic and control that are executed, without `_e32` and `_e64`.

    Loads and stores follow patterns: see `unsupported_instructions` for whether a kernel can run.
    """
    family = FAMILIES.get(family_of(gfx) or "")
    if family is None:
        return []
    known = {*rules.RULES, *scalar_rules.RULES, *scalar.NO_EFFECT, *vector.mnemonics()}
    known |= {*packed.mnemonics(), *paired.mnemonics()}
    known |= {*lanes.CROSS_LANE, *matrix.mnemonics(), *scalar.mnemonics()}
    found = {name for name in mnemonics(gfx) if family.usual_name(name) in known}
    return sorted({name.removesuffix("_e32").removesuffix("_e64") for name in found})


def unsupported_instructions(kernel: Kernel, gfx: str) -> list[Instruction]:
    """Instructions of a kernel that would stop it."""
    if family_of(gfx) not in FAMILIES:
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
