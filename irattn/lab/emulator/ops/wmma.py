"""Matrix instructions: WMMA of RDNA3 and RDNA4, products of 16x16 matrices for each wave."""

from functools import partial

import numpy as np

from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.fields import VGPR
from irattn.lab.emulator.isa.floats import narrowed, widened
from irattn.lab.emulator.isa.kinds import BF16, F16, F32, I32, Kind
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Source, Touches, effect
from irattn.lab.emulator.ops.matrices import (
    Element,
    elements,
    float_element,
    integer_element,
    total,
    vector_register,
    worked_out_once,
)
from irattn.lab.emulator.ops.operands import Factory, Operands

_SIZE = 16


class _Replicated:
    """RDNA3: lane l and lane l + 16 hold the same row of A and the same column of B.

    C and D have a column in each lane: the even rows in lanes 0 to 15, the odd ones in lanes 16 to
    31, 16-bit numbers in one half of a register that the instruction chooses.
    """

    per_lane = 16
    halves_chosen = True

    @staticmethod
    def factor(st: Waves, register: int, count: int, bits: int, name: str) -> np.ndarray:
        """A as codes [waves, k, row], or B as [waves, k, column], k split."""
        words = st.v[register : register + count]
        low, high = words[..., :_SIZE], words[..., _SIZE:]
        if st.around.checks and not np.array_equal(low, high):
            lanes = np.tile((low != high).any(axis=0), (1, 2))
            raise FaultError(f"the half waves differ in the matrix operand {name}", lanes)
        return elements(st, register, count, bits)[:, :, :_SIZE].transpose(1, 0, 3, 2)

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

    per_lane = 8
    halves_chosen = False

    @staticmethod
    def factor(st: Waves, register: int, count: int, bits: int, name: str) -> np.ndarray:
        """A as codes [waves, k, row], or B as [waves, k, column], k split."""
        held = elements(st, register, count, bits)
        return held.reshape(count, -1, 2, _SIZE, 32 // bits).transpose(1, 2, 0, 4, 3)

    @staticmethod
    def result(kind: Kind) -> int:
        """How many registers C and D take."""
        return 8 if kind.bits == 32 else 4

    @staticmethod
    def by_register(product: np.ndarray, kind: Kind) -> np.ndarray:
        """Row i, or rows 2 i and 2 i + 1, are register i of the lower lanes; 8 more, the upper."""
        if kind.bits == 32:
            return product.reshape(-1, 2, 8, _SIZE).transpose(2, 0, 1, 3)
        return product.reshape(-1, 2, 4, 2, _SIZE).transpose(2, 0, 1, 4, 3)

    @staticmethod
    def halves(st: Waves, register: int, half: int) -> np.ndarray:
        """C or D of 16 bits, in the form of `by_register`, to read and write."""
        return st.u16[register : register + 4].reshape(4, -1, 2, _SIZE, 2)


_Layout = type[_Replicated] | type[_Split]
_LAYOUTS: dict[str, _Layout] = {"rdna3": _Replicated, "rdna4": _Split}


def _wmma(ops: Operands, *, first: str, second: str, result: Kind) -> Effect:
    """D = A B + C of floats, with C and D of one kind."""
    if ops.field("neg") or ops.field("neg_hi") or ops.field("clmp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    return _product(ops, (float_element(ops, first), float_element(ops, second)), result)


def _integer_wmma(ops: Operands, *, bits: int) -> Effect:
    """D = A B + C of integers; fields say which factors have signs."""
    if ops.field("neg") & 4 or ops.field("neg_hi"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    signs = [bool(ops.field("neg") >> i & 1) for i in range(2)]
    a, b = (integer_element(bits, signed=signed) for signed in signs)
    return _product(ops, (a, b), I32)


def _product(ops: Operands, factors: tuple[Element, Element], result: Kind) -> Effect:
    layout = _LAYOUTS[ops.family.isa]
    half, clamps = ops.field("opsel") >> 2 & 1, bool(ops.field("clmp"))
    if half and not (layout.halves_chosen and result.bits == 16):
        raise UnknownInstructionError("a matrix instruction that chooses halves")
    a, b = (_factor(ops, f"src{i}", one, layout) for i, one in enumerate(factors))
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
        elif result is I32:
            _singles(st, register).view(np.int32)[...] = total(rows, c.get(st), clamps=clamps)
        else:
            layout.halves(st, register, half)[...] = narrowed(rows + c.get(st), result)

    return effect(act, a, b, c, written)


def _singles(st: Waves, register: int) -> np.ndarray:
    """C or D as f32 [8 registers, waves, 2 half waves, 16], to read and write."""
    return st.f[register : register + 8].reshape(8, st.count, 2, _SIZE)


def _factor(ops: Operands, name: str, element: Element, layout: _Layout) -> Source:
    """A as f32 [waves, k, row], or B as [waves, k, column]."""
    register, bits = vector_register(ops, name), element.bits
    count = layout.per_lane * bits // 32

    def work_out(st: Waves) -> np.ndarray:
        codes = layout.factor(st, register, count, bits, name)
        return element.widen(codes).reshape(st.count, _SIZE, _SIZE)

    registers = range(register, register + count)
    return worked_out_once(ops, f"{name} {element.name}", registers, work_out)


def _addend(ops: Operands, kind: Kind, half: int, layout: _Layout) -> Source:
    """C as f32 or int32 in the form of `by_register`, or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = ops.constant(code, kind if kind.bits == 32 else F16)
        number = np.int64(constant) if kind is I32 else np.float32(constant)
        return Source(get=lambda st: number)
    register = code - VGPR
    reads = frozenset(range(register, register + layout.result(kind)))
    if kind.bits == 32:
        dtype = kind.numpy
        return Source(get=lambda st: _singles(st, register).view(dtype), reads=reads)
    return Source(get=lambda st: widened(layout.halves(st, register, half), kind), reads=reads)


WMMA: dict[str, Factory] = {
    **{
        f"v_wmma_{result.name}_16x16x16_{name}": partial(
            _wmma, first=name, second=name, result=result
        )
        for name, result in (("f16", F32), ("bf16", F32), ("f16", F16), ("bf16", BF16))
    },
    **{
        f"v_wmma_f32_16x16x16_{first}_{second}": partial(
            _wmma, first=first, second=second, result=F32
        )
        for first in ("fp8", "bf8")
        for second in ("fp8", "bf8")
    },
    "v_wmma_i32_16x16x16_iu8": partial(_integer_wmma, bits=8),
    "v_wmma_i32_16x16x16_iu4": partial(_integer_wmma, bits=4),
}
