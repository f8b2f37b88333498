"""Packed f32 instructions of CDNA, and moves to and from accumulation registers.

Packed instructions are two operations on pairs of registers. Each source chooses, for each of the
two, which register of its pair it gives.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa import fused
from irattn.lab.emulator.isa.fields import VGPR, ZERO
from irattn.lab.emulator.isa.kinds import F32, U32, Kind
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Source, computed, effect, nobody_knows
from irattn.lab.emulator.ops.flows import by_lanes
from irattn.lab.emulator.ops.operands import Factory, Operands


def _arithmetic(ops: Operands, *, count: int, compute: Callable[..., Any]) -> Effect:
    if ops.field("clmp"):
        raise UnknownInstructionError("a packed instruction with a clamp")
    chosen = ops.field("opsel"), ops.field("opsel_hi") | ops.field("opsel_hi2") << 2
    negative = ops.field("neg"), ops.field("neg_hi")
    sources = [
        [_source(ops, i, F32, bits >> i & 1, signs >> i & 1) for i in range(count)]
        for bits, signs in zip(chosen, negative, strict=True)
    ]
    return _into_pair(ops, F32, sources, compute)


def _move(ops: Operands) -> Effect:
    """V_PK_MOV_B32: one register of each source's pair."""
    sources = [[_source(ops, i, U32, ops.field("opsel") >> i & 1, 0)] for i in range(2)]
    return _into_pair(ops, U32, sources, np.copy)


def _source(ops: Operands, position: int, kind: Kind, second: int, negative: int) -> Source:
    code = ops.field(f"src{position}")
    if ZERO < code < VGPR and second:
        # The high half of a constant: compilers take it where nobody looks.
        return nobody_knows(kind)
    # Both halves of the constant 0 are 0.
    source = ops.value(code if code == ZERO else code + second, kind)
    get = source.get
    return replace(source, get=lambda st: -get(st)) if negative else source


def _into_pair(
    ops: Operands, kind: Kind, sources: Sequence[Sequence[Source]], compute: Callable[..., Any]
) -> Effect:
    """Two results in neighbouring registers: both are there before one is written."""
    register = ops.field("vdst")
    targets = [ops.vector_target(register + i, kind) for i in range(2)]
    gets = [[source.get for source in part] for part in sources]

    def act(st: Waves) -> None:
        values = [compute(*(get(st) for get in part)) for part in gets]
        for target, value in zip(targets, values, strict=True):
            target.put(st, value)

    made = effect(act, *sources[0], *sources[1], *targets)
    return by_lanes(made, *zip(targets, sources, strict=True))


def move_accumulator(ops: Operands, *, reads: bool = False, writes: bool = False) -> Effect:
    """Moves that read, write or do both with an accumulation register."""
    code, register = ops.field("src0"), ops.field("vdst")
    if reads:
        code = VGPR + ops.accumulator(code - VGPR)
    if writes:
        register = ops.accumulator(register)
    return computed(lambda value: value, [ops.value(code, U32)], ops.vector_target(register, U32))


PACKED_F32: dict[str, Factory] = {
    "v_pk_add_f32": partial(_arithmetic, count=2, compute=np.add),
    "v_pk_mul_f32": partial(_arithmetic, count=2, compute=np.multiply),
    "v_pk_fma_f32": partial(_arithmetic, count=3, compute=fused.fma),
    "v_pk_mov_b32": _move,
    "v_accvgpr_read": partial(move_accumulator, reads=True),
    "v_accvgpr_write": partial(move_accumulator, writes=True),
}
