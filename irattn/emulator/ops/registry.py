"""The registry of all opcodes that the emulator executes."""

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.ops.atomics import LDS_ATOMICS, MEMORY_ATOMICS
from irattn.emulator.ops.effects import Effect
from irattn.emulator.ops.lds import LDS
from irattn.emulator.ops.lds_loads import LDS_LOADS
from irattn.emulator.ops.memory import MEMORY
from irattn.emulator.ops.mfma import MFMA
from irattn.emulator.ops.modes import MODES
from irattn.emulator.ops.operands import Factory, Operands
from irattn.emulator.ops.paired import pair
from irattn.emulator.ops.scalar import SCALAR
from irattn.emulator.ops.transposed import TRANSPOSED
from irattn.emulator.ops.vector import VECTOR
from irattn.emulator.ops.wmma import WMMA

# Arithmetic and control, by RDNA3's mnemonics. Pairs are not in it: see `paired.HALVES`.
ARITHMETIC: dict[str, Factory] = {**SCALAR, **MODES, **VECTOR, **WMMA, **MFMA}
FACTORIES: dict[str, Factory] = {
    **ARITHMETIC,
    **MEMORY,
    **MEMORY_ATOMICS,
    **LDS,
    **LDS_ATOMICS,
    **TRANSPOSED,
}


def effect_of(ops: Operands) -> Effect:
    """What an instruction does; UnknownInstructionError where the emulator does not know it."""
    if ops.field("gds"):
        raise UnknownInstructionError("GDS")
    factories = LDS_LOADS if ops.fills_lds else FACTORIES
    factory = pair if ops.is_pair else factories.get(ops.name)
    if factory is None:
        raise UnknownInstructionError("unknown")
    return factory(ops)
