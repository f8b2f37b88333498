"""Scalar instructions: one value for a wave, as arrays [waves]."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError, UnknownInstructionError
from irattn.emulator.isa.comparisons import CONSTANT_COMPARISONS, SCALAR_COMPARISONS, Comparison
from irattn.emulator.isa.formulas import Formula
from irattn.emulator.isa.fused import fma
from irattn.emulator.isa.idle import IDLE
from irattn.emulator.isa.kinds import F32, I32, U32, U64, Kind
from irattn.emulator.isa.scalar_formulas import PAIRS, SCALAR_FORMULAS, overflow_add
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.schedule import WORKGROUP_BARRIER
from irattn.emulator.machine.waves import EXEC, Waves
from irattn.emulator.ops.operands import Factory, Operands

_DEALLOCATE_VGPRS = 3


def _by_formula(ops: Operands, *, formula: Formula) -> Action:
    get = [ops.scalar(ops.field(f"ssrc{i}"), kind) for i, kind in enumerate(formula.sources)]
    if formula.accumulates:
        get.append(ops.scalar(ops.field("sdst"), formula.result))
    put = ops.scalar_target(ops.field("sdst"), formula.result)
    compute, scc = formula.compute, formula.scc
    if len(get) == 1 and scc is None:
        only = get[0]
        return lambda st: put(st, compute(only(st)))

    def act(st: Waves) -> None:
        given = [source(st) for source in get]
        result = compute(*given)
        if scc is not None:
            st.scc = np.broadcast_to(scc(result, *given), st.scc.shape).copy()
        put(st, result)

    return act


def _compare(ops: Operands, *, comparison: Comparison) -> Action:
    holds = comparison.holds
    a, b = (ops.scalar(ops.field(f"ssrc{i}"), kind) for i, kind in enumerate(comparison.sources))

    def act(st: Waves) -> None:
        st.scc = np.broadcast_to(holds(a(st), b(st)), st.scc.shape).copy()

    return act


def _compare_constant(ops: Operands, *, comparison: Comparison) -> Action:
    """S_CMPK: a register is compared with a 16-bit constant."""
    holds, kind = comparison.holds, comparison.sources[0]
    a = ops.scalar(ops.field("sdst"), kind)
    number = ops.signed("simm16") if kind is I32 else ops.field("simm16")
    constant = np.array([number]).astype(kind.numpy)

    def act(st: Waves) -> None:
        st.scc = np.broadcast_to(holds(a(st), constant), st.scc.shape).copy()

    return act


def _save_exec(ops: Operands, *, combine: Callable[[Any, Any], Any], kind: Kind) -> Action:
    """Keep exec, and combine it with a mask: `D = EXEC; EXEC = S0 op EXEC`."""
    get, put = ops.scalar(ops.field("ssrc0"), kind), ops.scalar_target(ops.field("sdst"), kind)
    execute = ops.scalar(EXEC, kind)
    put_exec = ops.scalar_target(EXEC, kind)

    def act(st: Waves) -> None:
        given, before = get(st).copy(), execute(st).copy()
        result = combine(given, before)
        put(st, before)
        put_exec(st, result)
        st.scc = np.broadcast_to(result != 0, st.scc.shape).copy()

    return act


def _constant(ops: Operands) -> np.ndarray:
    """The signed 16-bit constant of S_MOVK and the like."""
    return np.array([ops.signed("simm16")], np.int32)


def _move_constant(ops: Operands) -> Action:
    number, put = _constant(ops), ops.scalar_target(ops.field("sdst"), I32)
    return lambda st: put(st, number)


def _multiply_by_constant(ops: Operands) -> Action:
    number, get = _constant(ops), ops.scalar(ops.field("sdst"), I32)
    put = ops.scalar_target(ops.field("sdst"), I32)
    return lambda st: put(st, get(st) * number)


def _move_constant_if(ops: Operands) -> Action:
    number, get = _constant(ops), ops.scalar(ops.field("sdst"), I32)
    put = ops.scalar_target(ops.field("sdst"), I32)
    return lambda st: put(st, np.where(st.scc, number, get(st)))


def _add_constant(ops: Operands) -> Action:
    number, get = _constant(ops), ops.scalar(ops.field("sdst"), I32)
    put = ops.scalar_target(ops.field("sdst"), I32)

    def act(st: Waves) -> None:
        before = get(st).copy()
        result = before + number
        st.scc = overflow_add(result, before, number)
        put(st, result)

    return act


def _carried(ops: Operands, *, sign: int) -> Action:
    """Sums, or differences where `sign` is -1, that take a carry and give one."""
    a, b = (ops.scalar(ops.field(f"ssrc{i}")) for i in range(2))
    put = ops.scalar_target(ops.field("sdst"))

    def act(st: Waves) -> None:
        total = a(st).astype(np.int64) + sign * (b(st).astype(np.int64) + st.scc)
        st.scc = (total < 0) | (total > 0xFFFFFFFF)
        put(st, (total & 0xFFFFFFFF).astype(np.uint32))

    return act


def _select(ops: Operands, *, kind: Kind) -> Action:
    a, b = (ops.scalar(ops.field(f"ssrc{i}"), kind) for i in range(2))
    put = ops.scalar_target(ops.field("sdst"), kind)
    return lambda st: put(st, np.where(st.scc, a(st), b(st)))


def _conditional_move(ops: Operands, *, kind: Kind) -> Action:
    a, put = ops.scalar(ops.field("ssrc0"), kind), ops.scalar_target(ops.field("sdst"), kind)
    before = ops.scalar(ops.field("sdst"), kind)
    return lambda st: put(st, np.where(st.scc, a(st), before(st)))


def _bit_test(ops: Operands, *, wanted: int) -> Action:
    a, b = (ops.scalar(ops.field(f"ssrc{i}")) for i in range(2))

    def act(st: Waves) -> None:
        st.scc = np.broadcast_to((a(st) >> (b(st) & 31) & 1) == wanted, st.scc.shape).copy()

    return act


def _bit_set(ops: Operands, *, sets: bool) -> Action:
    a, before = ops.scalar(ops.field("ssrc0")), ops.scalar(ops.field("sdst"))
    put = ops.scalar_target(ops.field("sdst"))

    def act(st: Waves) -> None:
        bit = np.uint32(1) << (a(st) & 31)
        put(st, before(st) | bit if sets else before(st) & ~bit)

    return act


def _message(ops: Operands) -> Action:
    if ops.field("simm16") != _DEALLOCATE_VGPRS:
        raise UnknownInstructionError(f"message {ops.field('simm16')}")
    return lambda st: None


def _own_address(ops: Operands) -> Action:
    put = ops.scalar_target(ops.field("sdst"), U64)
    after = np.uint64(ops.instruction.at + ops.instruction.size)
    return lambda st: put(st, np.array([st.around.code_address], np.uint64) + after)


def _literal_fma(ops: Operands, *, multiplies: bool) -> Action:
    """S_FMAMK multiplies by the literal, S_FMAAK adds it."""
    a, b = (ops.scalar(ops.field(f"ssrc{i}"), F32) for i in range(2))
    literal, put = np.array([ops.literal(F32)]), ops.scalar_target(ops.field("sdst"), F32)
    if multiplies:
        return lambda st: put(st, fma(a(st), literal, b(st)))
    return lambda st: put(st, fma(a(st), b(st), literal))


def _signal(ops: Operands) -> Action:
    """The first half of a barrier: to have come. S_BARRIER_WAIT is the other."""
    if ops.constant(ops.field("ssrc0"), I32) != WORKGROUP_BARRIER:
        raise UnknownInstructionError("a barrier other than the workgroup's")

    def act(st: Waves) -> None:
        if st.signalled.any():
            lanes = np.broadcast_to(st.signalled[:, None], (st.count, st.lanes))
            raise FaultError("a barrier is signalled a second time", lanes)
        st.signalled = np.ones(st.count, bool)

    return act


def _nothing(ops: Operands) -> Action:
    return lambda st: None


SCALAR: dict[str, Factory] = {
    **{name: partial(_by_formula, formula=formula) for name, formula in SCALAR_FORMULAS.items()},
    **{
        f"s_cmp_{name}": partial(_compare, comparison=comparison)
        for name, comparison in SCALAR_COMPARISONS.items()
    },
    **{
        f"s_cmpk_{name}": partial(_compare_constant, comparison=comparison)
        for name, comparison in CONSTANT_COMPARISONS.items()
    },
    **{
        f"s_{name}_saveexec_b{kind.bits}": partial(_save_exec, combine=pair, kind=kind)
        for name, pair in PAIRS.items()
        for kind in (U32, U64)
    },
    **{f"s_cselect_b{kind.bits}": partial(_select, kind=kind) for kind in (U32, U64)},
    **{f"s_cmov_b{kind.bits}": partial(_conditional_move, kind=kind) for kind in (U32, U64)},
    "s_movk_i32": _move_constant,
    "s_addk_i32": _add_constant,
    "s_mulk_i32": _multiply_by_constant,
    "s_cmovk_i32": _move_constant_if,
    "s_addc_u32": partial(_carried, sign=1),
    "s_subb_u32": partial(_carried, sign=-1),
    "s_bitcmp0_b32": partial(_bit_test, wanted=0),
    "s_bitcmp1_b32": partial(_bit_test, wanted=1),
    "s_bitset0_b32": partial(_bit_set, sets=False),
    "s_bitset1_b32": partial(_bit_set, sets=True),
    "s_sendmsg": _message,
    "s_getpc_b64": _own_address,
    "s_fmamk_f32": partial(_literal_fma, multiplies=True),
    "s_fmaak_f32": partial(_literal_fma, multiplies=False),
    "s_barrier_signal": _signal,
    **dict.fromkeys(IDLE, _nothing),
}
