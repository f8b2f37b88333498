"""Matrix instructions of CDNA: MFMA, a product of 16x16 or 32x32 matrices for each wave.

The layout is that of AMD's matrix instruction calculator. With n rows and columns, lane l holds row
(A) or column (B) l % n, and there the numbers k = l // n * K / (64 / n) and following. C and D have
column l % n in lane l; their rows go to four registers at a time, four to each group of lanes.
"""

from functools import partial

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.isa.floats import flushed, widened
from irattn.emulator.isa.kinds import BF16, F16, F32, Kind
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.effects import Effect, Source, Touches, effect
from irattn.emulator.ops.matrices import vector_register, worked_out_once
from irattn.emulator.ops.operands import Factory, Operands

_LANES = 64
# K by rows or columns and kind, of all chips from gfx90a to gfx950.
_DEPTHS = {
    (16, F32): (4,),
    (32, F32): (2,),
    (16, F16): (16, 32),
    (32, F16): (8, 16),
    (16, BF16): (8, 16, 32),
    (32, BF16): (4, 8, 16),
}


def _mfma(ops: Operands, *, size: int, depth: int, kind: Kind) -> Effect:
    """D = A B + C. All lanes take part, whatever exec says. Modifiers are refused."""
    if ops.field("cbsz") or ops.field("abid") or ops.field("blgp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    groups, count = _LANES // size, size * size // _LANES
    a, b = (_factor(ops, name, kind, size, depth) for name in ("src0", "src1"))
    c = _addend(ops, count, groups, size)
    register = ops.field("vdst")
    register = ops.accumulator(register) if ops.field("acc_cd") else register
    written = frozenset(range(register, register + count))
    read = sorted(a.reads | b.reads | c.reads)
    flushes = _flushes(ops, kind)

    def act(st: Waves) -> None:
        if st.around.checks and st.active is not True:
            for number in read:
                st.written.check_lanes(number, np.ones((st.count, st.lanes), bool))
        product = np.matmul(a.get(st).swapaxes(1, 2), b.get(st))
        rows = product.reshape(st.count, count // 4, groups, 4, size)
        result = st.f[register : register + count].reshape(count // 4, 4, st.count, groups, size)
        addend = flushed(c.get(st)) if flushes else c.get(st)
        np.add(rows.transpose(1, 3, 0, 2, 4), addend, out=result)
        if flushes:
            result[...] = flushed(result)
        st.written.vector.update(written)

    return effect(act, a, b, c, Touches(writes=written))


def _flushes(ops: Operands, kind: Kind) -> bool:
    """Whether denormal numbers count as zero, whatever the mode says."""
    return kind is not F32 and ops.family.flushes_products


def _factor(ops: Operands, name: str, kind: Kind, size: int, depth: int) -> Source:
    """A as f32 [waves, k, row], or B as [waves, k, column]."""
    register = vector_register(ops, name)
    if ops.field("acc") >> ("src0", "src1").index(name) & 1:
        register = ops.accumulator(register)
    groups = _LANES // size
    parts = 1 if kind is F32 else 2
    words = depth // groups // parts
    flushes = _flushes(ops, kind)

    def work_out(st: Waves) -> np.ndarray:
        view = st.f if kind is F32 else st.u16
        given = view[register : register + words].reshape(words, st.count, groups, size, parts)
        matrix = given.transpose(1, 2, 0, 4, 3)
        matrix = matrix.copy() if kind is F32 else widened(matrix, kind)
        if flushes:
            matrix = flushed(matrix, kind)
        return matrix.reshape(st.count, depth, size)

    what = f"{name} {kind.name} {size}x{depth}"
    return worked_out_once(ops, what, range(register, register + words), work_out)


def _addend(ops: Operands, count: int, groups: int, size: int) -> Source:
    """C as f32 [registers / 4, 4, waves, groups of lanes, column], or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, F32))
        return Source(get=lambda st: constant)
    register = code - VGPR
    register = ops.accumulator(register) if ops.field("acc_cd") else register
    return Source(
        get=lambda st: st.f[register : register + count].reshape(
            count // 4, 4, st.count, groups, size
        ),
        reads=frozenset(range(register, register + count)),
    )


MFMA: dict[str, Factory] = {
    f"v_mfma_f32_{size}x{size}x{depth}_{kind.name}": partial(
        _mfma, size=size, depth=depth, kind=kind
    )
    for (size, kind), depths in _DEPTHS.items()
    for depth in depths
}
# CDNA2 has these beside older ones of half the depth.
for _shape in ("16x16x16", "32x32x8"):
    MFMA[f"v_mfma_f32_{_shape}_bf16_1k"] = MFMA[f"v_mfma_f32_{_shape}_bf16"]
