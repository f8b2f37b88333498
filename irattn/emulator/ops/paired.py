"""Paired instructions (VOPD): two in one, both of which read before one writes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa import arithmetic, fused
from irattn.emulator.isa.kinds import F32, U32, Kind
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import VCC, Waves
from irattn.emulator.ops.operands import Getter, Operands

# Of a half, `x` or `y`, with its destination: its result, and the kind of that.
Half = Callable[[Operands, str, int], tuple[Getter, Kind]]


def pair(ops: Operands) -> Action:
    """Two instructions in one."""
    x = ops.field("vdstx")
    # Its lowest bit is the other one than in X.
    y = ops.field("vdsty") << 1 | (x & 1 ^ 1)
    first, second = (HALVES.get(name, _unknown) for name in ops.halves)
    compute_x, kind_x = first(ops, "x", x)
    compute_y, kind_y = second(ops, "y", y)
    put_x, put_y = ops.vector_target(x, kind_x), ops.vector_target(y, kind_y)

    def act(st: Waves) -> None:
        value_x, value_y = compute_x(st), compute_y(st)
        put_x(st, value_x)
        put_y(st, value_y)

    return act


def _unknown(ops: Operands, part: str, target: int) -> tuple[Getter, Kind]:
    raise UnknownInstructionError("unknown")


def _first(ops: Operands, part: str, kind: Kind) -> Getter:
    return ops.value(ops.field(f"src{part}0"), kind)


def _second(ops: Operands, part: str, kind: Kind) -> Getter:
    return ops.vector(ops.field(f"vsrc{part}1"), kind)


def _of_two(
    ops: Operands, part: str, target: int, *, compute: Callable[[Any, Any], Any], kind: Kind
) -> tuple[Getter, Kind]:
    a, b = _first(ops, part, kind), _second(ops, part, kind)
    return lambda st: compute(a(st), b(st)), kind


def _move(ops: Operands, part: str, target: int) -> tuple[Getter, Kind]:
    a = _first(ops, part, U32)
    # The other half may overwrite the register before this one is written.
    return lambda st: a(st).copy(), U32


def _select(ops: Operands, part: str, target: int) -> tuple[Getter, Kind]:
    no, yes = _first(ops, part, U32), _second(ops, part, U32)
    chosen = ops.mask_source(VCC)
    return lambda st: np.where(chosen(st), yes(st), no(st)), U32


def _accumulate(ops: Operands, part: str, target: int) -> tuple[Getter, Kind]:
    a, b = _first(ops, part, F32), _second(ops, part, F32)
    c = ops.vector(target, F32)
    return lambda st: fused.fma(a(st), b(st), c(st)), F32


def _literal_fma(ops: Operands, part: str, target: int, *, multiplies: bool) -> tuple[Getter, Kind]:
    """FMAMK multiplies by the literal, FMAAK adds it."""
    a, b = _first(ops, part, F32), _second(ops, part, F32)
    literal = np.array([[ops.literal(F32)]])
    if multiplies:
        return lambda st: fused.fma(a(st), literal, b(st)), F32
    return lambda st: fused.fma(a(st), b(st), literal), F32


HALVES: dict[str, Half] = {
    **{
        f"v_dual_{name}": partial(_of_two, compute=compute, kind=kind)
        for name, compute, kind in (
            ("mul_f32", np.multiply, F32),
            ("add_f32", np.add, F32),
            ("sub_f32", np.subtract, F32),
            ("subrev_f32", lambda a, b: b - a, F32),
            ("max_f32", arithmetic.greater, F32),
            ("min_f32", arithmetic.lesser, F32),
            ("add_nc_u32", np.add, U32),
            ("and_b32", np.bitwise_and, U32),
            ("lshlrev_b32", lambda a, b: b << (a & 31), U32),
        )
    },
    "v_dual_mov_b32": _move,
    "v_dual_cndmask_b32": _select,
    "v_dual_fmac_f32": _accumulate,
    "v_dual_fmaak_f32": partial(_literal_fma, multiplies=False),
    "v_dual_fmamk_f32": partial(_literal_fma, multiplies=True),
}
