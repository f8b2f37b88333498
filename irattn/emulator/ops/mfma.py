"""Matrix instructions of CDNA: MFMA, a product of 16x16 or 32x32 matrices for each wave.

The layout is that of AMD's matrix instruction calculator. With n rows and columns, lane l holds row
(A) or column (B) l % n, and there the numbers k = l // n * K / (64 / n) and following. C and D have
column l % n in lane l; their rows go to four registers at a time, four to each group of lanes.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.isa.floats import flushed, widened
from irattn.emulator.isa.kinds import BF16, F16, F32, Kind
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import Waves
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


def _mfma(ops: Operands, *, size: int, depth: int, kind: Kind) -> Action:
    """D = A B + C. All lanes take part, whatever exec says. Modifiers are refused."""
    if ops.field("cbsz") or ops.field("abid") or ops.field("blgp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    groups, count = _LANES // size, size * size // _LANES
    a, b = (_factor(ops, name, kind, size, depth) for name in ("src0", "src1"))
    c = _addend(ops, count, groups, size)
    register = ops.field("vdst")
    register = ops.accumulator(register) if ops.field("acc_cd") else register
    written = range(register, register + count)
    ops.writes.update(written)
    read = sorted(ops.reads)
    flushes = _flushes(ops, kind)

    def act(st: Waves) -> None:
        if st.around.checks and st.active is not True:
            for number in read:
                st.check_lanes(number, np.ones((st.count, st.lanes), bool))
        rows = np.matmul(a(st).swapaxes(1, 2), b(st)).reshape(st.count, count // 4, groups, 4, size)
        target = st.f[register : register + count].reshape(count // 4, 4, st.count, groups, size)
        addend = flushed(c(st)) if flushes else c(st)
        np.add(rows.transpose(1, 3, 0, 2, 4), addend, out=target)
        if flushes:
            target[...] = flushed(target)
        st.done.update(written)

    return act


def _flushes(ops: Operands, kind: Kind) -> bool:
    """Whether denormal numbers count as zero, whatever the mode says."""
    return kind != F32 and ops.family.flushes_products


def _register_of(ops: Operands, name: str) -> int:
    """The vector register where a factor begins."""
    number = ops.field(name) - VGPR
    if number < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    chosen = ops.field("acc") >> ("src0", "src1").index(name) & 1
    return ops.accumulator(number) if chosen else number


def _factor(
    ops: Operands, name: str, kind: Kind, size: int, depth: int
) -> Callable[[Waves], np.ndarray]:
    """A as f32 [waves, k, row], or B as [waves, k, column]."""
    register = _register_of(ops, name)
    groups = _LANES // size
    parts = 1 if kind == F32 else 2
    words = depth // groups // parts
    ops.reads.update(range(register, register + words))
    flushes = _flushes(ops, kind)
    key = (f"{name} {kind.name} {size}x{depth}", register)
    ops.leaves_matrices.add(key)
    if key in ops.reuses_matrices:
        return lambda st: st.matrices[key]

    def get(st: Waves) -> np.ndarray:
        view = st.f if kind == F32 else st.u16
        given = view[register : register + words].reshape(words, st.count, groups, size, parts)
        matrix = given.transpose(1, 2, 0, 4, 3)
        matrix = matrix.copy() if kind == F32 else widened(matrix, kind)
        if flushes:
            matrix = flushed(matrix, kind)
        matrix = matrix.reshape(st.count, depth, size)
        st.matrices[key] = matrix
        return matrix

    return get


def _addend(ops: Operands, count: int, groups: int, size: int) -> Callable[[Waves], Any]:
    """C as f32 [registers / 4, 4, waves, groups of lanes, column], or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, F32))
        return lambda st: constant
    register = code - VGPR
    register = ops.accumulator(register) if ops.field("acc_cd") else register
    ops.reads.update(range(register, register + count))
    return lambda st: st.f[register : register + count].reshape(
        count // 4, 4, st.count, groups, size
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
