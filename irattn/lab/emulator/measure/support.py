"""Says which instructions the emulator can execute, before it does."""

from functools import lru_cache

from irattn.binary.codeobject import Instruction, KernelCode, instructions, mnemonics
from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.families import Family, known_family
from irattn.lab.emulator.isa.fields import ANYWHERE
from irattn.lab.emulator.isa.names import without_length
from irattn.lab.emulator.machine.descriptor import is_ieee
from irattn.lab.emulator.machine.schedule import ends_block
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.paired import HALVES
from irattn.lab.emulator.ops.registry import ARITHMETIC, effect_of


def emulates(gfx: str) -> bool:
    """Whether the code of a gfx is emulated, where its instruction tables are."""
    return known_family(gfx) is not None


def supported(gfx: str) -> list[str]:
    """Mnemonics of arithmetic and control that are executed, without `_e32` and `_e64`.

    Loads and stores follow patterns: see `unsupported_instructions` for whether a kernel can run.
    """
    family = known_family(gfx)
    if family is None:
        return []
    known = {*ARITHMETIC, *HALVES}
    executed = {name for name in mnemonics(gfx) if family.usual_name(name) in known}
    return sorted(set(map(without_length, executed)))


def unsupported_instructions(kernel: KernelCode, gfx: str) -> list[Instruction]:
    """Instructions of a kernel that would stop it."""
    family = known_family(gfx)
    decoded = list(instructions(kernel.code, gfx))
    if family is None:
        return decoded
    ieee = is_ieee(kernel, gfx)
    return [one for one in decoded if not _is_known(one, family, ieee=ieee)]


@lru_cache(maxsize=2**14)
def executes(instruction: Instruction, gfx: str) -> bool:
    """Whether the emulator knows an instruction of a gfx; tables ask for all of them."""
    family = known_family(gfx)
    return family is not None and _is_known(instruction, family)


def _is_known(instruction: Instruction, family: Family, *, ieee: bool = False) -> bool:
    if ends_block(instruction.name):
        return True
    try:
        effect_of(Operands(instruction, family, ANYWHERE, ieee=ieee))
    except UnknownInstructionError:
        return False
    return True
