"""Matrix instructions: WMMA of RDNA3, a product of 16x16 matrices for each wave."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator.faults import Fault, UnknownInstructionError
from irattn.emulator.operands import VGPR, Operands
from irattn.emulator.wave import Waves

Step = Callable[[Waves], None]

_SIZE = 16
_FLOATS = {
    "v_wmma_f32_16x16x16_f16": ("f16", "f32"),
    "v_wmma_f32_16x16x16_bf16": ("bf16", "f32"),
    "v_wmma_f16_16x16x16_f16": ("f16", "f16"),
    "v_wmma_bf16_16x16x16_bf16": ("bf16", "bf16"),
}


def widened(bits: np.ndarray, kind: str) -> np.ndarray:
    """f16 or bf16, given as uint16, as f32."""
    if kind == "f16":
        return bits.view(np.float16).astype(np.float32)
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def narrowed(values: np.ndarray, kind: str) -> np.ndarray:
    """f32 rounded to f16 or bf16, as uint16."""
    if kind == "f16":
        return values.astype(np.float16).view(np.uint16)
    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


def matrix(ops: Operands) -> Step:
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
            raise Fault("a matrix instruction with lanes that do not execute", ~st.active)
        # [waves, row, column]; the second factor's rows are k.
        columns = np.ascontiguousarray(b(st).transpose(0, 2, 1))
        product = np.matmul(a(st), columns) + c(st)
        by_lane = product.reshape(-1, 8, 2, 16).transpose(1, 0, 2, 3)
        values = by_lane.reshape(8, -1, 2 * _SIZE)
        if result == "f32":
            st.f[register : register + 8] = values
        else:
            st.u16[register : register + 8, :, :, half] = narrowed(values, result)

    return step


def _operand(ops: Operands, name: str, kind: str) -> Callable[[Waves], np.ndarray]:
    """f32 [waves, 16 lanes, 16 numbers]."""
    register = ops.field(name) - VGPR
    if register < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    ops.reads.update(range(register, register + 8))

    def get(st: Waves) -> np.ndarray:
        words = st.v[register : register + 8]
        low, high = words[..., :_SIZE], words[..., _SIZE:]
        if st.around.checks and not np.array_equal(low, high):
            lanes = np.repeat((low != high).any(axis=0), 2, axis=0).reshape(st.count, -1)
            raise Fault(f"the half waves differ in the matrix operand {name}", lanes)
        rows = np.ascontiguousarray(low.transpose(1, 2, 0))
        return widened(rows.view(np.uint16), kind)

    return get


def _accumulator(ops: Operands, kind: str, half: int) -> Callable[[Waves], Any]:
    """C as f32 [waves, 16, 16], or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, "f32" if kind == "f32" else "f16"))
        return lambda st: constant
    register = code - VGPR
    ops.reads.update(range(register, register + 8))

    def get(st: Waves) -> Any:
        if kind == "f32":
            words = st.f[register : register + 8]
        else:
            words = widened(st.u16[register : register + 8, :, :, half], kind)
        rows = words.reshape(8, st.count, 2, _SIZE).transpose(1, 0, 2, 3)
        return rows.reshape(st.count, _SIZE, _SIZE)

    return get


def mnemonics() -> frozenset[str]:
    """What `matrix` knows."""
    return frozenset(_FLOATS)
