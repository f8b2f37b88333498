"""Matrix instructions: WMMA of RDNA3, a product of 16x16 matrices for each wave."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError, UnknownInstructionError
from irattn.emulator.floats import narrowed, widened
from irattn.emulator.lanes import Step
from irattn.emulator.operands import VGPR, Operands
from irattn.emulator.wave import Waves

_SIZE = 16
_FLOATS = {
    "v_wmma_f32_16x16x16_f16": ("f16", "f32"),
    "v_wmma_f32_16x16x16_bf16": ("bf16", "f32"),
    "v_wmma_f16_16x16x16_f16": ("f16", "f16"),
    "v_wmma_bf16_16x16x16_bf16": ("bf16", "bf16"),
}


def wmma(ops: Operands) -> Step:
    """D = A B + C, with 16 lanes for the rows of A, the columns of B, C and D.

    Lane l and lane l + 16 hold the same row of A and column of B, 16 numbers each. C and D have a
    column for each lane: the even rows in lanes 0 to 15, the odd ones in lanes 16 to 31.
    """
    if ops.name not in _FLOATS:
        raise UnknownInstructionError("unknown")
    kind, result = _FLOATS[ops.name]
    if ops.field("neg") or ops.field("neg_hi") or ops.field("clmp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    a, b = _operand(ops, "src0", kind), _operand(ops, "src1", kind)
    half = ops.field("opsel") >> 2 & 1
    c = _accumulator(ops, result, half)
    register = ops.field("vdst")
    ops.writes.update(range(register, register + 8))

    def step(st: Waves) -> None:
        if st.active is not True:
            raise FaultError("a matrix instruction with lanes that do not execute", ~st.active)
        product = np.matmul(a(st), b(st))
        # Rows 2 i and 2 i + 1 are register i, in the two half waves.
        by_register = product.reshape(-1, 8, 2, _SIZE).transpose(1, 0, 2, 3)
        if result == "f32":
            target = st.f[register : register + 8].reshape(by_register.shape)
            np.add(by_register, c(st), out=target)
        else:
            values = (by_register + c(st)).reshape(8, -1, 2 * _SIZE)
            st.u16[register : register + 8, :, :, half] = narrowed(values, result)

    return step


def _operand(ops: Operands, name: str, kind: str) -> Callable[[Waves], np.ndarray]:
    """A as f32 [waves, row, k], or B as [waves, k, column]."""
    register = ops.field(name) - VGPR
    if register < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    ops.reads.update(range(register, register + 8))
    key = (name, register)
    ops.leaves_matrices.add(key)
    order = (1, 2, 0, 3) if name == "src0" else (1, 0, 3, 2)
    if key in ops.reuses_matrices:
        return lambda st: st.matrices[key]

    def get(st: Waves) -> np.ndarray:
        words = st.v[register : register + 8]
        low, high = words[..., :_SIZE], words[..., _SIZE:]
        if st.around.checks and not np.array_equal(low, high):
            lanes = np.tile((low != high).any(axis=0), (1, 2))
            raise FaultError(f"the half waves differ in the matrix operand {name}", lanes)
        halves = st.u16[register : register + 8, :, :_SIZE].transpose(order)
        found = widened(halves, kind).reshape(st.count, _SIZE, _SIZE)
        st.matrices[key] = found
        return found

    return get


def _accumulator(ops: Operands, kind: str, half: int) -> Callable[[Waves], Any]:
    """C as f32 [8 registers, waves, 2 half waves, 16], or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, "f32" if kind == "f32" else "f16"))
        return lambda st: constant
    register = code - VGPR
    ops.reads.update(range(register, register + 8))
    if kind == "f32":
        return lambda st: st.f[register : register + 8].reshape(8, st.count, 2, _SIZE)

    def get(st: Waves) -> Any:
        words = st.u16[register : register + 8, :, :, half]
        return widened(words, kind).reshape(8, st.count, 2, _SIZE)

    return get


def mnemonics() -> frozenset[str]:
    """What `wmma` knows."""
    return frozenset(_FLOATS)
