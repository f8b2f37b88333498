"""Matrix instructions: WMMA of RDNA3 and RDNA4, products of 16x16 matrices for each wave."""

from functools import partial

import numpy as np

from irattn.emulator.faults import FaultError, UnknownInstructionError
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.isa.floats import narrowed, widened
from irattn.emulator.isa.kinds import BF16, F16, F32, Kind
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.effects import Effect, Source, Touches, effect
from irattn.emulator.ops.matrices import vector_register, worked_out_once
from irattn.emulator.ops.operands import Factory, Operands

_SIZE = 16


class _Replicated:
    """RDNA3: lane l and lane l + 16 hold the same row of A and the same column of B.

    C and D have a column in each lane: the even rows in lanes 0 to 15, the odd ones in lanes 16 to
    31, 16-bit numbers in one half of a register that the instruction chooses.
    """

    operand = 8
    halves_chosen = True

    @staticmethod
    def factor(st: Waves, register: int, name: str) -> np.ndarray:
        """A as uint16 [waves, k, row], or B as [waves, k, column], k split."""
        words = st.v[register : register + 8]
        low, high = words[..., :_SIZE], words[..., _SIZE:]
        if st.around.checks and not np.array_equal(low, high):
            lanes = np.tile((low != high).any(axis=0), (1, 2))
            raise FaultError(f"the half waves differ in the matrix operand {name}", lanes)
        return st.u16[register : register + 8, :, :_SIZE].transpose(1, 0, 3, 2)

    @staticmethod
    def result(kind: Kind) -> int:
        """How many registers C and D take."""
        return 8

    @staticmethod
    def by_register(product: np.ndarray, kind: Kind) -> np.ndarray:
        """Rows 2 i and 2 i + 1 are register i, in the two half waves."""
        return product.reshape(-1, 8, 2, _SIZE).transpose(1, 0, 2, 3)

    @staticmethod
    def halves(st: Waves, register: int, half: int) -> np.ndarray:
        """C or D of 16 bits, in the form of `by_register`, to read and write."""
        return st.u16[register : register + 8, :, :, half].reshape(8, -1, 2, _SIZE)


class _Split:
    """RDNA4: lane l holds the first eight numbers of a row or column, lane l + 16 the others.

    C and D have a column in each lane: rows 0 to 7 in lanes 0 to 15, the others in lanes 16 to 31,
    16-bit numbers two to a register.
    """

    operand = 4
    halves_chosen = False

    @staticmethod
    def factor(st: Waves, register: int, name: str) -> np.ndarray:
        """A as uint16 [waves, k, row], or B as [waves, k, column], k split."""
        halves = st.u16[register : register + 4].reshape(4, -1, 2, _SIZE, 2)
        return halves.transpose(1, 2, 0, 4, 3)

    @staticmethod
    def result(kind: Kind) -> int:
        """How many registers C and D take."""
        return 8 if kind is F32 else 4

    @staticmethod
    def by_register(product: np.ndarray, kind: Kind) -> np.ndarray:
        """Row i, or rows 2 i and 2 i + 1, are register i of the lower lanes; 8 more, the upper."""
        if kind is F32:
            return product.reshape(-1, 2, 8, _SIZE).transpose(2, 0, 1, 3)
        return product.reshape(-1, 2, 4, 2, _SIZE).transpose(2, 0, 1, 4, 3)

    @staticmethod
    def halves(st: Waves, register: int, half: int) -> np.ndarray:
        """C or D of 16 bits, in the form of `by_register`, to read and write."""
        return st.u16[register : register + 4].reshape(4, -1, 2, _SIZE, 2)


_Layout = type[_Replicated] | type[_Split]
_LAYOUTS: dict[str, _Layout] = {"rdna3": _Replicated, "rdna4": _Split}


def _wmma(ops: Operands, *, kind: Kind, result: Kind) -> Effect:
    """D = A B + C, with A and B of one kind, and C and D of one."""
    layout = _LAYOUTS[ops.family.name]
    half = ops.field("opsel") >> 2 & 1
    if ops.field("neg") or ops.field("neg_hi") or ops.field("clmp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    if half and not layout.halves_chosen:
        raise UnknownInstructionError("a matrix instruction that chooses halves")
    a, b = _factor(ops, "src0", kind, layout), _factor(ops, "src1", kind, layout)
    c = _addend(ops, result, half, layout)
    register = ops.field("vdst")
    written = Touches(writes=frozenset(range(register, register + layout.result(result))))

    def act(st: Waves) -> None:
        if st.active is not True:
            raise FaultError("a matrix instruction with lanes that do not execute", ~st.active)
        product = np.matmul(a.get(st).swapaxes(1, 2), b.get(st))
        rows = layout.by_register(product, result)
        if result is F32:
            np.add(rows, c.get(st), out=_singles(st, register))
        else:
            layout.halves(st, register, half)[...] = narrowed(rows + c.get(st), result)

    return effect(act, a, b, c, written)


def _singles(st: Waves, register: int) -> np.ndarray:
    """C or D as f32 [8 registers, waves, 2 half waves, 16], to read and write."""
    return st.f[register : register + 8].reshape(8, st.count, 2, _SIZE)


def _factor(ops: Operands, name: str, kind: Kind, layout: _Layout) -> Source:
    """A as f32 [waves, k, row], or B as [waves, k, column]."""
    register = vector_register(ops, name)

    def work_out(st: Waves) -> np.ndarray:
        halves = layout.factor(st, register, name)
        return widened(halves, kind).reshape(st.count, _SIZE, _SIZE)

    registers = range(register, register + layout.operand)
    return worked_out_once(ops, f"{name} {kind.name}", registers, work_out)


def _addend(ops: Operands, kind: Kind, half: int, layout: _Layout) -> Source:
    """C as f32 in the form of `by_register`, or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, F32 if kind is F32 else F16))
        return Source(get=lambda st: constant)
    register = code - VGPR
    reads = frozenset(range(register, register + layout.result(kind)))
    if kind is F32:
        return Source(get=lambda st: _singles(st, register), reads=reads)
    return Source(get=lambda st: widened(layout.halves(st, register, half), kind), reads=reads)


WMMA: dict[str, Factory] = {
    f"v_wmma_{result.name}_16x16x16_{kind.name}": partial(_wmma, kind=kind, result=result)
    for kind, result in ((F16, F32), (BF16, F32), (F16, F16), (BF16, BF16))
}
