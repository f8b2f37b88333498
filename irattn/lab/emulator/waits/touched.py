"""The registers that an instruction reads and writes, known to the emulator or not."""

from typing import Any

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.machine.branches import OF_VCC
from irattn.lab.emulator.machine.waves import SGPRS, VCC
from irattn.lab.emulator.ops.effects import Touches
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.registry import effect_of

Keys = frozenset[int]

_VGPR = 256
_TARGETS = ("vdst", "sdst", "vdstx", "vdsty")
# Of memory instructions: what a load writes, and a store reads.
_DATA = ("vdata", "sdata")


def touched(ops: Operands) -> Touches:
    """The registers that an instruction reads and writes; the tables tell those of unknown ones."""
    if ops.instruction.name in OF_VCC:
        return Touches(s_reads=frozenset(range(VCC, VCC + ops.family.wave_size // 32)))
    try:
        return effect_of(ops)
    except UnknownInstructionError:
        return _by_tables(ops)


def matrix_registers(ops: Operands) -> dict[str, Keys]:
    """The vector registers of a matrix instruction by the names of its operands.

    A sparse one adds to its result, `src2` here, and its index counts with the factors.
    """
    registers = {}
    for bit, name in enumerate(("src0", "src1", "src2", "vdst")):
        is_accumulator = ops.field("acc_cd") if bit > 1 else ops.field("acc") >> bit & 1
        registers[name] = vector_operand(ops, name, is_accumulator=bool(is_accumulator))
    if ops.is_sparse:
        registers["src0"] |= vector_operand(ops, "src2", is_accumulator=False)
        registers["src2"] = registers["vdst"]
    return registers


def vector_operand(ops: Operands, name: str, *, is_accumulator: bool) -> Keys:
    """The vector registers of an operand, as many as the tables say."""
    first = ops.accumulator(-_VGPR) if is_accumulator else -_VGPR
    codes = _registers(getattr(_decoded(ops), name))
    return frozenset(code + first for code in codes if code >= _VGPR)


def _decoded(ops: Operands) -> Any:
    return ops.instruction.encoding.from_bytes(ops.instruction.raw.to_bytes(16, "little"))


def _by_tables(ops: Operands) -> Touches:
    if ops.instruction.kind == "matrix":
        operands = matrix_registers(ops)
        target = operands.pop("vdst")
        return Touches(reads=frozenset().union(*operands.values()), writes=target)
    decoded = _decoded(ops)
    reads: set[int] = set()
    writes: set[int] = set()
    for name in decoded.op_regs:
        value = getattr(decoded, name, None)
        for side, is_there in ((writes, _is_written(ops, name)), (reads, _is_read(ops, name))):
            side.update(_registers(value) if is_there else ())
    return Touches(
        reads=frozenset(r - _VGPR for r in reads if r >= _VGPR),
        writes=frozenset(r - _VGPR for r in writes if r >= _VGPR),
        s_reads=frozenset(r for r in reads if r < SGPRS),
        s_writes=frozenset(r for r in writes if r < SGPRS),
    )


def _registers(operand: Any) -> range:
    """The codes of an operand's registers; none where it is no register."""
    first, count = getattr(operand, "offset", SGPRS), getattr(operand, "sz", 1)
    is_register = first < SGPRS or first >= _VGPR
    return range(first, first + count) if is_register else range(0)


def _is_written(ops: Operands, name: str) -> bool:
    return name in _TARGETS or (name in _DATA and "store" not in ops.name)


def _is_read(ops: Operands, name: str) -> bool:
    return name not in _TARGETS and (name not in _DATA or "load" not in ops.name)
