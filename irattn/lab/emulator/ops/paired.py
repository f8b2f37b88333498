"""Paired instructions (VOPD): two in one, both of which read before one writes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa import fused
from irattn.lab.emulator.isa.floats import widened
from irattn.lab.emulator.isa.formulas import Formula
from irattn.lab.emulator.isa.kinds import BF16, F16, F32, U32, Kind
from irattn.lab.emulator.isa.unknown import MOVE, VECTOR, Unknown
from irattn.lab.emulator.isa.vector_formulas import VECTOR_FORMULAS
from irattn.lab.emulator.machine.waves import VCC, Waves
from irattn.lab.emulator.ops.effects import Effect, Source, chosen, combined, effect
from irattn.lab.emulator.ops.flows import by_lanes
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.packed import dot_of

# Of a half, `x` or `y`, with its destination: its result, and the kind of that.
Half = Callable[[Operands, str, int], tuple[Source, Kind]]


def pair(ops: Operands) -> Effect:
    """Two instructions in one."""
    x = ops.field("vdstx")
    # Its lowest bit is the other one than in X.
    y = ops.field("vdsty") << 1 | (x & 1 ^ 1)
    first, second = (HALVES.get(name, _unknown) for name in ops.halves)
    source_x, kind_x = first(ops, "x", x)
    source_y, kind_y = second(ops, "y", y)
    target_x, target_y = ops.vector_target(x, kind_x), ops.vector_target(y, kind_y)

    def act(st: Waves) -> None:
        value_x, value_y = source_x.get(st), source_y.get(st)
        target_x.put(st, value_x)
        target_y.put(st, value_y)

    made = effect(act, source_x, source_y, target_x, target_y)
    return by_lanes(made, (target_x, [source_x], MOVE), (target_y, [source_y], MOVE))


def _unknown(ops: Operands, part: str, register: int) -> tuple[Source, Kind]:
    raise UnknownInstructionError("unknown")


def _first(ops: Operands, part: str, kind: Kind) -> Source:
    return ops.value(ops.field(f"src{part}0"), kind)


def _second(ops: Operands, part: str, kind: Kind) -> Source:
    return ops.vector(ops.field(f"vsrc{part}1"), kind)


def _of_two(
    ops: Operands,
    part: str,
    register: int,
    *,
    compute: Callable[[Any, Any], Any],
    kind: Kind,
    unknown: Unknown | None = None,
) -> tuple[Source, Kind]:
    a, b = _first(ops, part, kind), _second(ops, part, kind)
    source, bits = combined(compute, a, b), unknown
    if bits is None:
        return source, kind
    return replace(
        source, unwritten=lambda st: bits(a.get(st), b.get(st), a.missing(st), b.missing(st))
    ), kind


def _extreme(ops: Operands, part: str, register: int, *, formula: Formula) -> tuple[Source, Kind]:
    compute = formula.in_mode(ieee=ops.ieee)
    return _of_two(ops, part, register, compute=compute, kind=F32)


def _move(ops: Operands, part: str, register: int) -> tuple[Source, Kind]:
    # The other half may overwrite the register before this one is written.
    one = _first(ops, part, U32)
    return replace(combined(np.copy, one), unwritten=one.missing), U32


def _select(ops: Operands, part: str, register: int) -> tuple[Source, Kind]:
    no, yes = _first(ops, part, U32), _second(ops, part, U32)
    return chosen(ops.mask_source(VCC), yes, no), U32


def _accumulate(ops: Operands, part: str, register: int) -> tuple[Source, Kind]:
    a, b = _first(ops, part, F32), _second(ops, part, F32)
    return combined(fused.fma, a, b, ops.vector(register, F32)), F32


def _literal_fma(
    ops: Operands, part: str, register: int, *, multiplies: bool
) -> tuple[Source, Kind]:
    """FMAMK multiplies by the literal, FMAAK adds it."""
    a, b = _first(ops, part, F32), _second(ops, part, F32)
    literal = np.array([[ops.literal(F32)]])
    if multiplies:
        return combined(lambda x, y: fused.fma(x, literal, y), a, b), F32
    return combined(lambda x, y: fused.fma(x, y, literal), a, b), F32


def _dot(ops: Operands, part: str, register: int, *, kind: Kind) -> tuple[Source, Kind]:
    """Two products of halves, added to the destination."""
    if 240 <= ops.field(f"src{part}0") <= 248:
        raise UnknownInstructionError("a float constant of a dot product in a pair")
    a, b = _first(ops, part, U32), _second(ops, part, U32)
    dot = dot_of(ops, kind)

    def compute(x: Any, y: Any, z: Any) -> Any:
        return dot(_halves(x, kind), _halves(y, kind), z)

    return combined(compute, a, b, ops.vector(register, F32)), F32


def _halves(words: Any, kind: Kind) -> list[Any]:
    """The low and the high half of words, as f32."""
    return [widened((words >> np.uint32(i)).astype(np.uint16), kind) for i in (0, 16)]


HALVES: dict[str, Half] = {
    **{
        f"v_dual_{name}": partial(
            _of_two, compute=compute, kind=kind, unknown=VECTOR.get(f"v_{name}")
        )
        for name, compute, kind in (
            ("mul_f32", np.multiply, F32),
            ("add_f32", np.add, F32),
            ("sub_f32", np.subtract, F32),
            ("subrev_f32", lambda a, b: b - a, F32),
            ("add_nc_u32", np.add, U32),
            ("and_b32", np.bitwise_and, U32),
            ("lshlrev_b32", lambda a, b: b << (a & 31), U32),
        )
    },
    **{
        f"v_dual_{name}_f32": partial(_extreme, formula=VECTOR_FORMULAS[f"v_{name}_f32"])
        for name in ("min", "max")
    },
    "v_dual_mov_b32": _move,
    "v_dual_cndmask_b32": _select,
    "v_dual_fmac_f32": _accumulate,
    "v_dual_dot2acc_f32_f16": partial(_dot, kind=F16),
    "v_dual_dot2acc_f32_bf16": partial(_dot, kind=BF16),
    "v_dual_fmaak_f32": partial(_literal_fma, multiplies=False),
    "v_dual_fmamk_f32": partial(_literal_fma, multiplies=True),
}
