"""Vector instructions whose operands do not follow the common form."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa import fused
from irattn.lab.emulator.isa.fields import VGPR
from irattn.lab.emulator.isa.kinds import F16, F32, I32, I64, U16, U32, U64, Kind
from irattn.lab.emulator.machine.waves import VCC, Waves
from irattn.lab.emulator.ops.effects import Effect, chosen, computed, effect, nobody_knows, nothing
from irattn.lab.emulator.ops.flows import by_lanes, upward
from irattn.lab.emulator.ops.operands import Factory, Operands
from irattn.lab.emulator.ops.packed import dot2
from irattn.lab.emulator.ops.packed_f32 import move_accumulator


def _select(ops: Operands, *, bits: Kind, number: Kind) -> Effect:
    """V_CNDMASK: of two sources; where they have signs, they are taken for numbers."""
    kind = number if ops.field("neg") or ops.field("abs") else bits
    no, yes = ops.source(0, kind), ops.source(1, kind)
    one, target = chosen(ops.carry_in(), yes, no), ops.target(kind)
    return by_lanes(effect(lambda st: target.put(st, one.get(st)), one, target), (target, [one]))


def _literal_fma(ops: Operands, *, kind: Kind, fma: Callable[..., Any], multiplies: bool) -> Effect:
    """FMAMK and MADMK multiply by the literal, FMAAK and MADAK add it."""
    sources = [ops.source(i, kind) for i in range(2)]
    literal, target = np.array([[ops.literal(kind)]]), ops.target(kind)
    if multiplies:
        return computed(lambda a, b: fma(a, literal, b), sources, target)
    return computed(lambda a, b: fma(a, b, literal), sources, target)


def _mad_64(ops: Operands, *, narrow: Kind, wide: Kind) -> Effect:
    a, b, c = ops.source(0, narrow), ops.source(1, narrow), ops.source(2, wide)
    target, carry = ops.target(wide), ops.mask_target(ops.field("sdst"))
    dtype, signed = wide.numpy, wide is I64

    def act(st: Waves) -> None:
        product = np.asarray(a.get(st), dtype) * np.asarray(b.get(st), dtype)
        addend = c.get(st)
        total = product + addend
        carry.put(st, _sign_of_sum(product, addend, total) if signed else total < addend)
        target.put(st, total)

    return upward(effect(act, a, b, c, target, carry), target, a, b, c)


def _sign_of_sum(a: np.ndarray, b: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Whether the sum of two int64 is negative, before it is cut to 64 bits: `total`."""
    overflows = ((a ^ total) & (b ^ total)) < 0
    return np.where(overflows, a < 0, total < 0)


def _with_carry(
    ops: Operands, *, sign: int, reverses: bool = False, takes_carry: bool = False
) -> Effect:
    """Additions, or subtractions where `sign` is -1, that give a carry; some take one."""
    a, b = ops.source(0, U32), ops.source(1, U32)
    if reverses:
        a, b = b, a
    carries = [ops.carry_in()] if takes_carry else []
    target = ops.target(U32)
    out = ops.mask_target(ops.field("sdst") if ops.has("sdst") else VCC)
    if ops.factor:
        raise UnknownInstructionError("a factor of integers")
    clamps = ops.field("clmp")

    def act(st: Waves) -> None:
        total = np.asarray(a.get(st), np.int64) + sign * np.asarray(b.get(st), np.int64)
        for carry in carries:
            total = total + sign * carry.get(st)
        out.put(st, (total < 0) | (total > 0xFFFFFFFF))
        if clamps:
            total = np.clip(total, 0, 0xFFFFFFFF)
        target.put(st, (total & 0xFFFFFFFF).astype(np.uint32))

    return effect(act, a, b, *carries, target, out)


def any_bits(ops: Operands, *, kind: Kind) -> Effect:
    """V_BITOP3: any function of three bits; its table is in the fields of the modifiers."""
    table = ops.field("omod") << 6 | ops.field("abs") << 3 | ops.field("neg")
    chosen_halves = ops.field("opsel") if kind is U16 else 0
    sources = [ops.value(ops.field(f"src{i}"), kind, chosen_halves >> i & 1) for i in range(3)]

    def combined(*given: Any) -> Any:
        given = np.broadcast_arrays(*given)
        result = np.zeros(given[0].shape, kind.numpy)
        for case in (case for case in range(8) if table >> case & 1):
            bits = [a if case >> 2 - i & 1 else ~a for i, a in enumerate(given)]
            result |= bits[0] & bits[1] & bits[2]
        return result

    target = ops.target(kind)
    made = computed(combined, sources, target)
    if kind is U32:
        return by_lanes(made, (target, sources))
    # The guide does not say what becomes of the other half.
    other = replace(target, shift=16 - target.shift)
    return by_lanes(replace(made, open=True), (target, sources), (other, [nobody_knows(kind)]))


def _swap(ops: Operands) -> Effect:
    a, b = ops.source(0, U32), ops.vector(ops.field("vdst"), U32)
    there, back = ops.target(U32), ops.vector_target(ops.field("src0") - VGPR, U32)

    def act(st: Waves) -> None:
        first, second = a.get(st).copy(), b.get(st).copy()
        there.put(st, first)
        back.put(st, second)

    return effect(act, a, b, there, back)


IRREGULAR: dict[str, Factory] = {
    "v_nop": nothing,
    "v_cndmask_b32": partial(_select, bits=U32, number=F32),
    "v_cndmask_b16": partial(_select, bits=U16, number=F16),
    **{
        f"v_{name}_{kind.name}": partial(_literal_fma, kind=kind, fma=fma, multiplies=multiplies)
        for name, kind, fma, multiplies in (
            ("fmamk", F32, fused.fma, True),
            ("fmaak", F32, fused.fma, False),
            ("madmk", F32, fused.mad, True),
            ("madak", F32, fused.mad, False),
            ("fmamk", F16, fused.fma16, True),
            ("fmaak", F16, fused.fma16, False),
        )
    },
    "v_mad_u64_u32": partial(_mad_64, narrow=U32, wide=U64),
    "v_mad_i64_i32": partial(_mad_64, narrow=I32, wide=I64),
    "v_swap_b32": _swap,
    "v_accvgpr_mov_b32": partial(move_accumulator, reads=True, writes=True),
    "v_dot2acc_f32_f16": partial(dot2, is_bf16=False),
    "v_dot2acc_f32_bf16": partial(dot2, is_bf16=True),
}
# A clamp keeps these within 32 bits.
CARRIES: dict[str, Factory] = {
    "v_add_co_u32": partial(_with_carry, sign=1),
    "v_sub_co_u32": partial(_with_carry, sign=-1),
    "v_subrev_co_u32": partial(_with_carry, sign=-1, reverses=True),
    "v_add_co_ci_u32": partial(_with_carry, sign=1, takes_carry=True),
    "v_sub_co_ci_u32": partial(_with_carry, sign=-1, takes_carry=True),
    "v_subrev_co_ci_u32": partial(_with_carry, sign=-1, reverses=True, takes_carry=True),
}
