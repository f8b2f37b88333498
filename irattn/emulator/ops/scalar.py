"""Scalar instructions: one value for a wave, as arrays [waves]."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator.faults import FaultError, UnknownInstructionError
from irattn.emulator.isa.comparisons import COMPARISONS
from irattn.emulator.isa.formulas import Formula
from irattn.emulator.isa.fused import fma
from irattn.emulator.isa.kinds import F32, I32, KINDS, U32, U64
from irattn.emulator.isa.scalar_formulas import PAIRS, SCALAR, overflow_add
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.schedule import WORKGROUP_BARRIER
from irattn.emulator.machine.waves import EXEC, Waves
from irattn.emulator.ops.modes import MODES
from irattn.emulator.ops.operands import Operands

# Nothing that the emulator models depends on these: timing, caches, the debugger.
NO_EFFECT = frozenset(
    (
        "s_nop",
        "s_clause",
        "s_delay_alu",
        "s_waitcnt",
        "s_waitcnt_depctr",
        "s_waitcnt_vscnt",
        "s_waitcnt_vmcnt",
        "s_waitcnt_expcnt",
        "s_waitcnt_lgkmcnt",
        "s_set_inst_prefetch_distance",
        "s_sleep",
        "s_setprio",
        "s_wait_idle",
        "s_inst_prefetch",
        "s_code_end",
        "s_ttracedata",
        "s_icache_inv",
        "s_dcache_inv",
        "s_gl1_inv",
        # RDNA4.
        "s_wait_loadcnt",
        "s_wait_storecnt",
        "s_wait_dscnt",
        "s_wait_kmcnt",
        "s_wait_expcnt",
        "s_wait_samplecnt",
        "s_wait_bvhcnt",
        "s_wait_loadcnt_dscnt",
        "s_wait_storecnt_dscnt",
        "s_wait_alu",
        "s_prefetch_inst",
        "s_prefetch_inst_pc_rel",
        "s_prefetch_data",
        "s_prefetch_data_pc_rel",
        "s_buffer_prefetch_data",
        "global_inv",
        "global_wb",
        "global_wbinv",
    )
)
_DEALLOCATE_VGPRS = 3
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "lg": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
}


def scalar(ops: Operands) -> Action:
    """What a scalar instruction does."""
    name = ops.name
    if name in SCALAR:
        return _by_formula(ops, SCALAR[name])
    if name.startswith(("s_cmp_", "s_cmpk_")):
        return _comparison(ops)
    if name.endswith(("_saveexec_b32", "_saveexec_b64")):
        return _save_exec(ops)
    if name in _SPECIAL:
        return _SPECIAL[name](ops)
    raise UnknownInstructionError("unknown")


def _by_formula(ops: Operands, formula: Formula) -> Action:
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


def _comparison(ops: Operands) -> Action:
    relation, suffix = ops.name.split("_")[2:]
    kind = KINDS[suffix]
    if kind.is_float and f"{relation}_{suffix}" in COMPARISONS:
        compare = COMPARISONS[f"{relation}_{suffix}"].holds
    elif relation in _RELATIONS and kind in (I32, U32, U64):
        compare = _RELATIONS[relation]
    else:
        raise UnknownInstructionError("unknown")
    if ops.name.startswith("s_cmpk"):
        a = ops.scalar(ops.field("sdst"), kind)
        number = ops.signed("simm16") if kind == I32 else ops.field("simm16")
        constant = np.array([number]).astype(np.int32 if kind == I32 else np.uint32)

        def compare_constant(st: Waves) -> None:
            st.scc = np.broadcast_to(compare(a(st), constant), st.scc.shape).copy()

        return compare_constant
    first, second = (ops.scalar(ops.field(f"ssrc{i}"), kind) for i in range(2))

    def act(st: Waves) -> None:
        st.scc = np.broadcast_to(compare(first(st), second(st)), st.scc.shape).copy()

    return act


def _save_exec(ops: Operands) -> Action:
    """Keep exec, and combine it with a mask: `D = EXEC; EXEC = S0 op EXEC`."""
    word, bits = ops.name.removeprefix("s_").split("_saveexec_")
    combine, kind = PAIRS[word], {"b32": U32, "b64": U64}[bits]
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


def _constant(ops: Operands) -> Action:
    """S_MOVK, S_ADDK, S_MULK and S_CMOVK: a signed 16-bit constant."""
    number = np.array([ops.signed("simm16")], np.int32)
    put = ops.scalar_target(ops.field("sdst"), I32)
    if ops.name == "s_movk_i32":
        return lambda st: put(st, number)
    get = ops.scalar(ops.field("sdst"), I32)
    if ops.name == "s_mulk_i32":
        return lambda st: put(st, get(st) * number)
    if ops.name == "s_cmovk_i32":
        return lambda st: put(st, np.where(st.scc, number, get(st)))

    def add(st: Waves) -> None:
        before = get(st).copy()
        result = before + number
        st.scc = overflow_add(result, before, number)
        put(st, result)

    return add


def _carried(ops: Operands) -> Action:
    sign = 1 if ops.name == "s_addc_u32" else -1
    a, b = (ops.scalar(ops.field(f"ssrc{i}")) for i in range(2))
    put = ops.scalar_target(ops.field("sdst"))

    def act(st: Waves) -> None:
        total = a(st).astype(np.int64) + sign * (b(st).astype(np.int64) + st.scc)
        st.scc = (total < 0) | (total > 0xFFFFFFFF)
        put(st, (total & 0xFFFFFFFF).astype(np.uint32))

    return act


def _select(ops: Operands) -> Action:
    kind = {"32": U32, "64": U64}[ops.name[-2:]]
    a, b = (ops.scalar(ops.field(f"ssrc{i}"), kind) for i in range(2))
    put = ops.scalar_target(ops.field("sdst"), kind)
    return lambda st: put(st, np.where(st.scc, a(st), b(st)))


def _conditional_move(ops: Operands) -> Action:
    kind = {"32": U32, "64": U64}[ops.name[-2:]]
    a, put = ops.scalar(ops.field("ssrc0"), kind), ops.scalar_target(ops.field("sdst"), kind)
    before = ops.scalar(ops.field("sdst"), kind)
    return lambda st: put(st, np.where(st.scc, a(st), before(st)))


def _bit_test(ops: Operands) -> Action:
    a, b = (ops.scalar(ops.field(f"ssrc{i}")) for i in range(2))
    wanted = int(ops.name[8])

    def act(st: Waves) -> None:
        st.scc = np.broadcast_to((a(st) >> (b(st) & 31) & 1) == wanted, st.scc.shape).copy()

    return act


def _bit_set(ops: Operands) -> Action:
    a, before = ops.scalar(ops.field("ssrc0")), ops.scalar(ops.field("sdst"))
    put = ops.scalar_target(ops.field("sdst"))
    sets = ops.name == "s_bitset1_b32"

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


def _literal_fma(ops: Operands) -> Action:
    """S_FMAMK multiplies by the literal, S_FMAAK adds it."""
    a, b = (ops.scalar(ops.field(f"ssrc{i}"), F32) for i in range(2))
    literal, put = np.array([ops.literal(F32)]), ops.scalar_target(ops.field("sdst"), F32)
    if ops.name == "s_fmamk_f32":
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


_SPECIAL: dict[str, Callable[[Operands], Action]] = {
    "s_movk_i32": _constant,
    "s_addk_i32": _constant,
    "s_mulk_i32": _constant,
    "s_cmovk_i32": _constant,
    "s_addc_u32": _carried,
    "s_subb_u32": _carried,
    "s_cselect_b32": _select,
    "s_cselect_b64": _select,
    "s_cmov_b32": _conditional_move,
    "s_cmov_b64": _conditional_move,
    "s_bitcmp0_b32": _bit_test,
    "s_bitcmp1_b32": _bit_test,
    "s_bitset0_b32": _bit_set,
    "s_bitset1_b32": _bit_set,
    **MODES,
    "s_sendmsg": _message,
    "s_getpc_b64": _own_address,
    "s_fmamk_f32": _literal_fma,
    "s_fmaak_f32": _literal_fma,
    "s_barrier_signal": _signal,
}


def mnemonics() -> frozenset[str]:
    """Comparisons and instructions of their own form that `scalar` knows."""
    compared = {f"s_cmp_{name}_{kind}" for name in _RELATIONS for kind in ("i32", "u32")}
    compared |= {name.replace("s_cmp_", "s_cmpk_") for name in compared}
    compared |= {f"s_cmp_{name}" for name in COMPARISONS if name.endswith(("f16", "f32"))}
    saved = {f"s_{name}_saveexec_b{bits}" for name in PAIRS for bits in (32, 64)}
    return frozenset({*_SPECIAL, *compared, "s_cmp_eq_u64", "s_cmp_lg_u64", *saved})
