"""Matrix instructions: WMMA of RDNA3 and RDNA4, products of 16x16 matrices for each wave."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError, UnknownInstructionError
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.isa.floats import narrowed, widened
from irattn.emulator.isa.kinds import BF16, F16, F32, Kind
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import Waves
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
        return 8 if kind == F32 else 4

    @staticmethod
    def by_register(product: np.ndarray, kind: Kind) -> np.ndarray:
        """Row i, or rows 2 i and 2 i + 1, are register i of the lower lanes; 8 more, the upper."""
        if kind == F32:
            return product.reshape(-1, 2, 8, _SIZE).transpose(2, 0, 1, 3)
        return product.reshape(-1, 2, 4, 2, _SIZE).transpose(2, 0, 1, 4, 3)

    @staticmethod
    def halves(st: Waves, register: int, half: int) -> np.ndarray:
        """C or D of 16 bits, in the form of `by_register`, to read and write."""
        return st.u16[register : register + 4].reshape(4, -1, 2, _SIZE, 2)


_Layout = type[_Replicated] | type[_Split]
_LAYOUTS: dict[str, _Layout] = {"rdna3": _Replicated, "rdna4": _Split}


def _wmma(ops: Operands, *, kind: Kind, result: Kind) -> Action:
    """D = A B + C, with A and B of one kind, and C and D of one."""
    layout = _LAYOUTS[ops.family.name]
    half = ops.field("opsel") >> 2 & 1
    if ops.field("neg") or ops.field("neg_hi") or ops.field("clmp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    if half and not layout.halves_chosen:
        raise UnknownInstructionError("a matrix instruction that chooses halves")
    a, b = _operand(ops, "src0", kind, layout), _operand(ops, "src1", kind, layout)
    c = _accumulator(ops, result, half, layout)
    register = ops.field("vdst")
    ops.writes.update(range(register, register + layout.result(result)))

    def act(st: Waves) -> None:
        if st.active is not True:
            raise FaultError("a matrix instruction with lanes that do not execute", ~st.active)
        product = layout.by_register(np.matmul(a(st).swapaxes(1, 2), b(st)), result)
        if result == F32:
            np.add(product, c(st), out=_singles(st, register))
        else:
            layout.halves(st, register, half)[...] = narrowed(product + c(st), result)

    return act


def _singles(st: Waves, register: int) -> np.ndarray:
    """C or D as f32 [8 registers, waves, 2 half waves, 16], to read and write."""
    return st.f[register : register + 8].reshape(8, st.count, 2, _SIZE)


def _operand(
    ops: Operands, name: str, kind: Kind, layout: _Layout
) -> Callable[[Waves], np.ndarray]:
    """A as f32 [waves, k, row], or B as [waves, k, column]."""
    register = ops.field(name) - VGPR
    if register < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    ops.reads.update(range(register, register + layout.operand))
    key = (f"{name} {kind.name}", register)
    ops.leaves_matrices.add(key)
    if key in ops.reuses_matrices:
        return lambda st: st.matrices[key]

    def get(st: Waves) -> np.ndarray:
        halves = layout.factor(st, register, name)
        found = widened(halves, kind).reshape(st.count, _SIZE, _SIZE)
        st.matrices[key] = found
        return found

    return get


def _accumulator(ops: Operands, kind: Kind, half: int, layout: _Layout) -> Callable[[Waves], Any]:
    """C as f32 in the form of `by_register`, or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, F32 if kind == F32 else F16))
        return lambda st: constant
    register = code - VGPR
    ops.reads.update(range(register, register + layout.result(kind)))
    if kind == F32:
        return lambda st: _singles(st, register)
    return lambda st: widened(layout.halves(st, register, half), kind)


WMMA: dict[str, Factory] = {
    f"v_wmma_{result.name}_16x16x16_{kind.name}": partial(_wmma, kind=kind, result=result)
    for kind, result in ((F16, F32), (BF16, F32), (F16, F16), (BF16, BF16))
}
