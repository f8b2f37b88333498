"""The common part of all families' matrix instructions."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.fields import VGPR
from irattn.lab.emulator.isa.floats import widened
from irattn.lab.emulator.isa.kinds import BF16, F16
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.bytes import byte_float
from irattn.lab.emulator.ops.effects import Left, Source
from irattn.lab.emulator.ops.operands import Operands


def vector_register(ops: Operands, name: str) -> int:
    """The number of the vector register where an operand begins."""
    number = ops.field(name) - VGPR
    if number < 0:
        raise UnknownInstructionError("a matrix operand that is no vector register")
    return number


class Element(NamedTuple):
    """An element of matrices: of `bits`, which `widen` makes f32 of."""

    name: str
    bits: int
    widen: Callable[[np.ndarray], np.ndarray]


def float_element(ops: Operands, name: str) -> Element:
    """A kind of floats by its name: f16, bf16, fp8 or bf8."""
    if name in ("fp8", "bf8"):
        return Element(name, 8, byte_float(ops, name).decode)
    kind = {"f16": F16, "bf16": BF16}[name]
    return Element(name, 16, partial(widened, kind=kind))


def integer_element(bits: int, *, signed: bool) -> Element:
    """Integers of some bits, with a sign or not."""
    half = 1 << bits - 1

    def widen(codes: np.ndarray) -> np.ndarray:
        numbers = codes.astype(np.int32)
        return ((numbers ^ half) - half if signed else numbers).astype(np.float32)

    return Element(f"{'i' if signed else 'u'}{bits}", bits, widen)


def elements(st: Waves, register: int, count: int, bits: int) -> np.ndarray:
    """The elements in registers as codes: [registers, waves, lanes, elements of a register].

    Those of 6 bits are all those of a lane: [1, waves, lanes, elements].
    """
    words = st.v[register : register + count]
    if bits == 32:
        return words[..., None]
    if bits == 16:
        return st.u16[register : register + count]
    parts = words.view(np.uint8).reshape(*words.shape, 4)
    if bits == 8:
        return parts
    if bits == 6:
        # They lie side by side in all words of a lane, across their borders.
        stream = np.unpackbits(np.moveaxis(parts, 0, -2), axis=-1, bitorder="little")
        codes = stream.reshape(*words.shape[1:], -1, bits) @ (1 << np.arange(bits))
        return codes.astype(np.uint8)[None]
    nibbles = np.stack([parts & 15, parts >> 4], axis=-1)
    return nibbles.reshape(*words.shape, 8)


def total(product: np.ndarray, addend: Any, *, clamps: bool) -> np.ndarray:
    """Whole numbers added to int32: cut off, or kept in range."""
    exact: np.ndarray = product.astype(np.int64) + addend
    if clamps:
        exact = np.clip(exact, -(2**31), 2**31 - 1)
    return exact.astype(np.int32)


def worked_out_once(
    ops: Operands, what: str, registers: range, work_out: Callable[[Waves], np.ndarray]
) -> Source:
    """A matrix, worked out once while nobody changes its registers; `what` tells it from others."""
    key = what, registers.start
    left, reads = Left(matrices=frozenset((key,))), frozenset(registers)
    if key in ops.left.matrices:
        return Source(get=lambda st: st.matrices[key], reads=reads, leaves=left)

    def get(st: Waves) -> np.ndarray:
        st.matrices[key] = matrix = work_out(st)
        return matrix

    return Source(get=get, reads=reads, leaves=left)
