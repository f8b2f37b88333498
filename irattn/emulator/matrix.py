"""Matrix instructions: WMMA of RDNA3 and RDNA4, products of 16x16 matrices for each wave."""

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


class _Replicated:
    """RDNA3: lane l and lane l + 16 hold the same row of A and the same column of B.

    C and D have a column in each lane: the even rows in lanes 0 to 15, the odd ones in lanes 16 to
    31, 16-bit numbers in one half of a register that the instruction chooses.
    """

    operand = 8

    @staticmethod
    def rows(st: Waves, register: int, name: str) -> np.ndarray:
        """A by rows or B by columns, as words [waves, 16, 8]."""
        words = st.v[register : register + 8]
        low, high = words[..., :_SIZE], words[..., _SIZE:]
        if st.around.checks and not np.array_equal(low, high):
            lanes = np.repeat((low != high).any(axis=0), 2, axis=0).reshape(st.count, -1)
            raise Fault(f"the half waves differ in the matrix operand {name}", lanes)
        return low.transpose(1, 2, 0)

    @staticmethod
    def registers(kind: str) -> int:
        """How many registers C and D take."""
        return 8

    @staticmethod
    def seen(st: Waves, register: int, kind: str, half: int) -> np.ndarray:
        """C or D as the registers have it, f32 or uint16, to be filled: [waves, 8, 2, 16]."""
        view = st.f if kind == "f32" else st.u16[..., half]
        return view[register : register + 8].reshape(8, -1, 2, _SIZE).transpose(1, 0, 2, 3)


class _Split:
    """RDNA4: lane l holds the first eight numbers of a row or column, lane l + 16 the others.

    C and D have a column in each lane: rows 0 to 7 in lanes 0 to 15, the others in lanes 16 to 31,
    16-bit numbers two to a register.
    """

    operand = 4

    @staticmethod
    def rows(st: Waves, register: int, name: str) -> np.ndarray:
        """A by rows or B by columns, as words [waves, 16, 8]."""
        words = st.v[register : register + 4].reshape(4, -1, 2, _SIZE)
        return words.transpose(1, 3, 2, 0).reshape(-1, _SIZE, 8)

    @staticmethod
    def registers(kind: str) -> int:
        """How many registers C and D take."""
        return 8 if kind == "f32" else 4

    @staticmethod
    def seen(st: Waves, register: int, kind: str, half: int) -> np.ndarray:
        """C or D as the registers have it, f32 or uint16, to be filled: rows from the third last."""
        if kind == "f32":
            return st.f[register : register + 8].reshape(8, -1, 2, _SIZE).transpose(1, 2, 0, 3)
        halves = st.u16[register : register + 4].reshape(4, -1, 2, _SIZE, 2)
        return halves.transpose(1, 2, 0, 4, 3)


_LAYOUTS: dict[str, Any] = {"rdna3": _Replicated, "rdna4": _Split}


def matrix(ops: Operands) -> Step:
    """D = A B + C."""
    if ops.name not in _FLOATS:
        raise UnknownInstructionError("unknown")
    kind, result = _FLOATS[ops.name]
    if ops.field("neg") or ops.field("neg_hi") or ops.field("clmp"):
        raise UnknownInstructionError("a matrix instruction with modifiers")
    layout = _LAYOUTS[ops.family.name]
    a, b = _operand(ops, "src0", kind, layout), _operand(ops, "src1", kind, layout)
    half = ops.field("opsel") >> 2 & 1
    if half and layout is _Split:
        raise UnknownInstructionError("a matrix instruction with modifiers")
    c = _accumulator(ops, result, half, layout)
    register = ops.field("vdst")
    ops.writes.update(range(register, register + layout.registers(result)))

    def step(st: Waves) -> None:
        if st.active is not True:
            raise Fault("a matrix instruction with lanes that do not execute", ~st.active)
        # [waves, row, column]; the second factor's rows are k.
        columns = np.ascontiguousarray(b(st).transpose(0, 2, 1))
        product = np.matmul(a(st), columns) + c(st)
        values = product if result == "f32" else narrowed(product, result)
        target = layout.seen(st, register, result, half)
        target[...] = values.reshape(target.shape)

    return step


def _operand(
    ops: Operands, name: str, kind: str, layout: Any
) -> Callable[[Waves], np.ndarray]:
    """f32 [waves, 16 rows or columns, 16 numbers]."""
    register = ops.field(name) - VGPR
    if register < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    ops.reads.update(range(register, register + layout.operand))

    def get(st: Waves) -> np.ndarray:
        rows = np.ascontiguousarray(layout.rows(st, register, name))
        return widened(rows.view(np.uint16), kind)

    return get


def _accumulator(
    ops: Operands, kind: str, half: int, layout: Any
) -> Callable[[Waves], Any]:
    """C as f32 [waves, 16, 16], or a constant."""
    code = ops.field("src2")
    if code < VGPR:
        constant = np.float32(ops.constant(code, "f32" if kind == "f32" else "f16"))
        return lambda st: constant
    register = code - VGPR
    ops.reads.update(range(register, register + layout.registers(kind)))

    def get(st: Waves) -> Any:
        rows = layout.seen(st, register, kind, half).reshape(-1, _SIZE, _SIZE)
        return rows if kind == "f32" else widened(rows, kind)

    return get


def mnemonics() -> frozenset[str]:
    """What `matrix` knows."""
    return frozenset(_FLOATS)
