"""Paired instructions (VOPD): two in one, both of which read before one writes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa import arithmetic, fused
from irattn.emulator.isa.kinds import F32, U32, Kind
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import VCC, Waves
from irattn.emulator.ops.operands import Getter, Operands

_DUAL: dict[str, Callable[..., Any]] = {
    "mul_f32": np.multiply,
    "add_f32": np.add,
    "sub_f32": np.subtract,
    "subrev_f32": lambda a, b: b - a,
    "max_f32": arithmetic.greater,
    "min_f32": arithmetic.lesser,
    "add_nc_u32": np.add,
    "and_b32": np.bitwise_and,
    "lshlrev_b32": lambda a, b: b << (a & 31),
}


def dual(ops: Operands) -> Action:
    parts = ops.instruction.name.removeprefix("v_dual_").split("_v_dual_")
    first, second = (ops.family.usual_name(f"v_dual_{p}").removeprefix("v_dual_") for p in parts)
    x = ops.field("vdstx")
    # Its lowest bit is the other one than in X.
    y = ops.field("vdsty") << 1 | (x & 1 ^ 1)
    compute_x, kind_x = _half(ops, first, "x", x)
    compute_y, kind_y = _half(ops, second, "y", y)
    put_x, put_y = ops.vector_target(x, kind_x), ops.vector_target(y, kind_y)

    def act(st: Waves) -> None:
        value_x, value_y = compute_x(st), compute_y(st)
        put_x(st, value_x)
        put_y(st, value_y)

    return act


def _half(ops: Operands, name: str, part: str, target: int) -> tuple[Getter, Kind]:
    kind = U32 if name.endswith(("u32", "b32")) else F32
    a = ops.value(ops.field(f"src{part}0"), kind)
    if name == "mov_b32":
        # The other half may overwrite the register before this one is written.
        return lambda st: a(st).copy(), kind
    b = ops.vector(ops.field(f"vsrc{part}1"), kind)
    if name == "cndmask_b32":
        chosen = ops.mask_source(VCC)
        return lambda st: np.where(chosen(st), b(st), a(st)), kind
    if name in ("fmac_f32", "fmaak_f32", "fmamk_f32"):
        literal = np.array([[ops.literal(kind)]])
        if name == "fmac_f32":
            c = ops.vector(target, kind)
            return lambda st: fused.fma(a(st), b(st), c(st)), kind
        if name == "fmaak_f32":
            return lambda st: fused.fma(a(st), b(st), literal), kind
        return lambda st: fused.fma(a(st), literal, b(st)), kind
    if name not in _DUAL:
        raise UnknownInstructionError("unknown")
    compute = _DUAL[name]
    return lambda st: compute(a(st), b(st)), kind


def mnemonics() -> frozenset[str]:
    """What can be one half of a pair."""
    fused = ("mov_b32", "cndmask_b32", "fmac_f32", "fmaak_f32", "fmamk_f32")
    return frozenset(f"v_dual_{name}" for name in (*_DUAL, *fused))
