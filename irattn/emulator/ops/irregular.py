"""Vector instructions whose operands do not follow the common form."""

from collections.abc import Callable

import numpy as np

from irattn.emulator.isa import arithmetic, fused
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.isa.kinds import F16, F32, I32, I64, KINDS, U16, U32, U64
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import VCC, Waves
from irattn.emulator.ops.operands import Operands
from irattn.emulator.ops.packed import dot2
from irattn.emulator.ops.packed_f32 import move_accumulator


def _select(ops: Operands) -> Action:
    kind = U16 if ops.name.endswith("b16") else U32
    kind = {U16: F16, U32: F32}[kind] if ops.field("neg") or ops.field("abs") else kind
    no, yes = ops.source(0, kind), ops.source(1, kind)
    chosen, put = ops.carry_in(), ops.target(kind)
    return lambda st: put(st, np.where(chosen(st), yes(st), no(st)))


def _literal_fma(ops: Operands) -> Action:
    """FMAMK and MADMK multiply by the literal, FMAAK and MADAK add it."""
    kind, is_fused = KINDS[ops.name[-3:]], ops.name.startswith("v_fma")
    a, c = ops.source(0, kind), ops.source(1, kind)
    literal, put = np.array([[ops.literal(kind)]]), ops.target(kind)
    fma = (fused.fma if is_fused else fused.mad) if kind == F32 else fused.fma16
    if ops.name.startswith(("v_fmamk", "v_madmk")):
        return lambda st: put(st, fma(a(st), literal, c(st)))
    return lambda st: put(st, fma(a(st), c(st), literal))


def _mad_64(ops: Operands) -> Action:
    signed = ops.name.endswith("i32")
    wide, narrow = (I64, I32) if signed else (U64, U32)
    a, b, c = ops.source(0, narrow), ops.source(1, narrow), ops.source(2, wide)
    put, carry = ops.target(wide), ops.mask_target(ops.field("sdst"))
    dtype = wide.numpy

    def act(st: Waves) -> None:
        product, addend = np.asarray(a(st), dtype) * np.asarray(b(st), dtype), c(st)
        total = product + addend
        carry(st, _sign_of_sum(product, addend, total) if signed else total < addend)
        put(st, total)

    return act


def _sign_of_sum(a: np.ndarray, b: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Whether the sum of two int64 is negative, before it is cut to 64 bits: `total`."""
    overflows = ((a ^ total) & (b ^ total)) < 0
    return np.where(overflows, a < 0, total < 0)


def _with_carry(ops: Operands) -> Action:
    """Additions and subtractions that give a carry, and some that take one."""
    words = ops.name.split("_")
    a, b = ops.source(0, U32), ops.source(1, U32)
    if words[1] == "subrev":
        a, b = b, a
    carry = ops.carry_in() if "ci" in words else None
    put = ops.target(U32)
    out = ops.mask_target(ops.field("sdst") if ops.has("sdst") else VCC)
    sign = 1 if words[1] == "add" else -1

    def act(st: Waves) -> None:
        total = np.asarray(a(st), np.int64) + sign * np.asarray(b(st), np.int64)
        if carry is not None:
            total = total + sign * carry(st)
        out(st, (total < 0) | (total > 0xFFFFFFFF))
        put(st, (total & 0xFFFFFFFF).astype(np.uint32))

    return act


def _div_scale(ops: Operands) -> Action:
    get = [ops.source(i, F32) for i in range(3)]
    put, scaled = ops.target(F32), ops.mask_target(ops.field("sdst"))

    def act(st: Waves) -> None:
        value, mask = arithmetic.div_scale(*(source(st) for source in get))
        scaled(st, mask)
        put(st, value)

    return act


def _div_fmas(ops: Operands) -> Action:
    a, b, c = (ops.source(i, F32) for i in range(3))
    scaled, put = ops.mask_source(VCC), ops.target(F32)
    return lambda st: put(st, arithmetic.div_fmas(a(st), b(st), c(st), scaled(st)))


def _any_bits(ops: Operands) -> Action:
    """V_BITOP3: any function of three bits; its table is in the fields of the modifiers."""
    table = ops.field("omod") << 6 | ops.field("abs") << 3 | ops.field("neg")
    get = [ops.value(ops.field(f"src{i}"), U32) for i in range(3)]
    put = ops.target(U32)

    def act(st: Waves) -> None:
        given = np.broadcast_arrays(*(source(st) for source in get))
        result = np.zeros(given[0].shape, np.uint32)
        for case in (case for case in range(8) if table >> case & 1):
            bits = [a if case >> 2 - i & 1 else ~a for i, a in enumerate(given)]
            result |= bits[0] & bits[1] & bits[2]
        put(st, result)

    return act


def _nothing(ops: Operands) -> Action:
    return lambda st: None


def _swap(ops: Operands) -> Action:
    a, b = ops.source(0, U32), ops.vector(ops.field("vdst"), U32)
    put = ops.target(U32)
    back = ops.vector_target(ops.field("src0") - VGPR, U32)

    def act(st: Waves) -> None:
        first, second = a(st).copy(), b(st).copy()
        put(st, first)
        back(st, second)

    return act


IRREGULAR: dict[str, Callable[[Operands], Action]] = {
    "v_nop": _nothing,
    "v_cndmask_b32": _select,
    "v_cndmask_b16": _select,
    "v_fmamk_f32": _literal_fma,
    "v_fmaak_f32": _literal_fma,
    "v_madmk_f32": _literal_fma,
    "v_madak_f32": _literal_fma,
    "v_fmamk_f16": _literal_fma,
    "v_fmaak_f16": _literal_fma,
    "v_mad_u64_u32": _mad_64,
    "v_mad_i64_i32": _mad_64,
    "v_div_scale_f32": _div_scale,
    "v_div_fmas_f32": _div_fmas,
    "v_swap_b32": _swap,
    "v_bitop3_b32": _any_bits,
    "v_accvgpr_mov_b32": move_accumulator,
    "v_dot2acc_f32_f16": dot2,
}
for _name in ("add_co", "sub_co", "subrev_co", "add_co_ci", "sub_co_ci", "subrev_co_ci"):
    IRREGULAR[f"v_{_name}_u32"] = _with_carry
