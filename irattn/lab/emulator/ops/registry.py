"""The registry of all opcodes that the emulator executes."""

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.ops.atomics import LDS_ATOMICS, MEMORY_ATOMICS
from irattn.lab.emulator.ops.effects import Effect
from irattn.lab.emulator.ops.lds import LDS
from irattn.lab.emulator.ops.lds_loads import LDS_LOADS
from irattn.lab.emulator.ops.memory import MEMORY
from irattn.lab.emulator.ops.mfma import MFMA
from irattn.lab.emulator.ops.mfma_formats import MFMA_FORMATS
from irattn.lab.emulator.ops.modes import MODES
from irattn.lab.emulator.ops.operands import Factory, Operands
from irattn.lab.emulator.ops.paired import pair
from irattn.lab.emulator.ops.relative import indexed_move
from irattn.lab.emulator.ops.scalar import SCALAR
from irattn.lab.emulator.ops.smfmac import SMFMAC
from irattn.lab.emulator.ops.transposed import TRANSPOSED
from irattn.lab.emulator.ops.vector import VECTOR
from irattn.lab.emulator.ops.wmma import WMMA

# Arithmetic and control, by RDNA3's mnemonics. Pairs are not in it: see `paired.HALVES`.
ARITHMETIC: dict[str, Factory] = {
    **SCALAR,
    **MODES,
    **VECTOR,
    **WMMA,
    **MFMA,
    **MFMA_FORMATS,
    **SMFMAC,
}
FACTORIES: dict[str, Factory] = {
    **ARITHMETIC,
    **MEMORY,
    **MEMORY_ATOMICS,
    **LDS,
    **LDS_ATOMICS,
    **TRANSPOSED,
}


def effect_of(ops: Operands) -> Effect:
    """The effect of an instruction; UnknownInstructionError where the emulator has none."""
    if ops.field("gds"):
        raise UnknownInstructionError("GDS")
    if ops.indexed and ops.instruction.kind in ("vector", "matrix"):
        return indexed_move(ops)
    factories = LDS_LOADS if ops.fills_lds else FACTORIES
    factory = pair if ops.is_pair else factories.get(ops.name)
    if factory is None:
        raise UnknownInstructionError("unknown")
    return factory(ops)
