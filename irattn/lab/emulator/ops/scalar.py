"""Scalar instructions: one value for a wave, as arrays [waves]."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa import unknown
from irattn.lab.emulator.isa.comparisons import CONSTANT_COMPARISONS, SCALAR_COMPARISONS, Relation
from irattn.lab.emulator.isa.formulas import Formula
from irattn.lab.emulator.isa.fused import fma
from irattn.lab.emulator.isa.idle import IDLE
from irattn.lab.emulator.isa.kinds import F32, I32, U32, U64, Kind
from irattn.lab.emulator.isa.scalar_formulas import SCALAR_FORMULAS, WITH_EXEC, overflow_add
from irattn.lab.emulator.machine.schedule import WORKGROUP_BARRIER
from irattn.lab.emulator.machine.waves import EXEC, Waves
from irattn.lab.emulator.ops.effects import (
    Destination,
    Effect,
    Source,
    Touches,
    computed,
    effect,
    nothing,
)
from irattn.lab.emulator.ops.flows import by_bits, by_choice, by_waves
from irattn.lab.emulator.ops.operands import Factory, Operands

_DEALLOCATE_VGPRS = 3
# The condition code, bool [waves], and that it is set.
_SCC = Source(get=lambda st: st.scc, reads_scc=True)
_SETS_SCC = Touches(writes_scc=True)


def _by_formula(ops: Operands, *, formula: Formula) -> Effect:
    sources = [ops.scalar(ops.field(f"ssrc{i}"), kind) for i, kind in enumerate(formula.sources)]
    if formula.accumulates:
        sources.append(ops.scalar(ops.field("sdst"), formula.result))
    target = ops.scalar_target(ops.field("sdst"), formula.result)
    compute = formula.in_mode(ieee=ops.ieee)
    made = _with_condition(compute, formula.scc, sources, target)
    if formula.unknown is None:
        return made
    return by_bits(made, sources, target, compute, formula.unknown)


def _with_condition(
    compute: Callable[..., Any], scc: Any, sources: Sequence[Source], target: Destination
) -> Effect:
    """A result, and the condition code where there is something that sets it."""
    if scc is None:
        return computed(compute, sources, target)
    gets, put = [source.get for source in sources], target.put

    def act(st: Waves) -> None:
        given = [get(st) for get in gets]
        result = compute(*given)
        st.set_scc(scc(result, *given))
        put(st, result)

    return effect(act, *sources, target, _SETS_SCC)


def _two(ops: Operands, kind: Kind = U32) -> tuple[Source, Source]:
    return ops.scalar(ops.field("ssrc0"), kind), ops.scalar(ops.field("ssrc1"), kind)


def _compare(ops: Operands, *, comparison: Relation) -> Effect:
    holds = comparison.holds
    a, b = (ops.scalar(ops.field(f"ssrc{i}"), kind) for i, kind in enumerate(comparison.sources))
    return effect(lambda st: st.set_scc(holds(a.get(st), b.get(st))), a, b, _SETS_SCC)


def _compare_constant(ops: Operands, *, comparison: Relation) -> Effect:
    """S_CMPK: a register is compared with a 16-bit constant."""
    holds, kind = comparison.holds, comparison.sources[0]
    a = ops.scalar(ops.field("sdst"), kind)
    number = ops.signed("simm16") if kind is I32 else ops.field("simm16")
    constant = np.array([number]).astype(kind.numpy)
    return effect(lambda st: st.set_scc(holds(a.get(st), constant)), a, _SETS_SCC)


def _save_exec(ops: Operands, *, name: str, kind: Kind) -> Effect:
    """Keep exec, and combine it with a mask: `D = EXEC; EXEC = S0 op EXEC`."""
    mask, saved = ops.scalar(ops.field("ssrc0"), kind), ops.scalar_target(ops.field("sdst"), kind)
    old, new, combine = ops.scalar(EXEC, kind), ops.scalar_target(EXEC, kind), WITH_EXEC[name]

    def act(st: Waves) -> None:
        given, before = mask.get(st).copy(), old.get(st).copy()
        result = combine(given, before)
        saved.put(st, before)
        new.put(st, result)
        st.set_scc(result != 0)

    made = effect(act, mask, saved, old, new, _SETS_SCC)
    return by_bits(made, [mask, old], new, combine, unknown.BITWISE[name])


def _write_exec(ops: Operands, *, name: str, kind: Kind) -> Effect:
    """Combine exec with a mask, and keep what it becomes: `D = EXEC = S0 op EXEC`."""
    mask, target = ops.scalar(ops.field("ssrc0"), kind), ops.scalar_target(ops.field("sdst"), kind)
    old, new, combine = ops.scalar(EXEC, kind), ops.scalar_target(EXEC, kind), WITH_EXEC[name]

    def act(st: Waves) -> None:
        result = combine(mask.get(st), old.get(st))
        target.put(st, result)
        new.put(st, result)
        st.set_scc(result != 0)

    made = effect(act, mask, target, old, new, _SETS_SCC)
    return by_bits(made, [mask, old], new, combine, unknown.BITWISE[name])


def _constant(ops: Operands) -> np.ndarray:
    """The signed 16-bit constant of S_MOVK and the like."""
    return np.array([ops.signed("simm16")], np.int32)


def _before_and_after(ops: Operands, kind: Kind) -> tuple[Source, Destination]:
    """The destination, to read and to write."""
    return ops.scalar(ops.field("sdst"), kind), ops.scalar_target(ops.field("sdst"), kind)


def _move_constant(ops: Operands) -> Effect:
    number, target = _constant(ops), ops.scalar_target(ops.field("sdst"), I32)
    return effect(lambda st: target.put(st, number), target)


def _multiply_by_constant(ops: Operands) -> Effect:
    number, (before, after) = _constant(ops), _before_and_after(ops, I32)
    return computed(lambda value: value * number, [before], after)


def _move_constant_if(ops: Operands) -> Effect:
    number, (before, after) = _constant(ops), _before_and_after(ops, I32)
    return computed(lambda scc, value: np.where(scc, number, value), [_SCC, before], after)


def _add_constant(ops: Operands) -> Effect:
    number, (before, after) = _constant(ops), _before_and_after(ops, I32)

    def act(st: Waves) -> None:
        value = before.get(st).copy()
        result = value + number
        st.scc = overflow_add(result, value, number)
        after.put(st, result)

    return effect(act, before, after, _SETS_SCC)


def _carried(ops: Operands, *, sign: int) -> Effect:
    """Sums, or differences where `sign` is -1, that take a carry and give one."""
    a, b = _two(ops)
    target = ops.scalar_target(ops.field("sdst"))

    def act(st: Waves) -> None:
        total = a.get(st).astype(np.int64) + sign * (b.get(st).astype(np.int64) + st.scc)
        st.scc = (total < 0) | (total > 0xFFFFFFFF)
        target.put(st, (total & 0xFFFFFFFF).astype(np.uint32))

    return effect(act, a, b, target, _SCC, _SETS_SCC)


def _select(ops: Operands, *, kind: Kind) -> Effect:
    a, b = _two(ops, kind)
    target = ops.scalar_target(ops.field("sdst"), kind)
    return by_choice(computed(np.where, [_SCC, a, b], target), a, b, target)


def _conditional_move(ops: Operands, *, kind: Kind) -> Effect:
    a = ops.scalar(ops.field("ssrc0"), kind)
    before, after = _before_and_after(ops, kind)
    return by_choice(computed(np.where, [_SCC, a, before], after), a, before, after)


def _bit_test(ops: Operands, *, wanted: int, kind: Kind) -> Effect:
    a, b = ops.scalar(ops.field("ssrc0"), kind), ops.scalar(ops.field("ssrc1"))
    last = kind.bits - 1
    return effect(
        lambda st: st.set_scc((a.get(st) >> (b.get(st) & last) & 1) == wanted), a, b, _SETS_SCC
    )


def _bit_set(ops: Operands, *, sets: bool, kind: Kind) -> Effect:
    place, (before, after) = ops.scalar(ops.field("ssrc0")), _before_and_after(ops, kind)
    last = kind.bits - 1

    def changed(number: Any, value: Any) -> Any:
        bit = kind.numpy(1) << (number & last).astype(kind.numpy)
        return value | bit if sets else value & ~bit

    return computed(changed, [place, before], after)


def _message(ops: Operands) -> Effect:
    if ops.field("simm16") != _DEALLOCATE_VGPRS:
        raise UnknownInstructionError(f"message {ops.field('simm16')}")
    return nothing(ops)


def _own_address(ops: Operands) -> Effect:
    target = ops.scalar_target(ops.field("sdst"), U64)
    after = np.uint64(ops.instruction.at + ops.instruction.size)
    return effect(
        lambda st: target.put(st, np.array([st.around.code_address], np.uint64) + after), target
    )


def _literal_fma(ops: Operands, *, multiplies: bool) -> Effect:
    """S_FMAMK multiplies by the literal, S_FMAAK adds it."""
    sources, literal = _two(ops, F32), np.array([ops.literal(F32)])
    target = ops.scalar_target(ops.field("sdst"), F32)
    if multiplies:
        return computed(lambda a, b: fma(a, literal, b), sources, target)
    return computed(lambda a, b: fma(a, b, literal), sources, target)


def _signal(ops: Operands) -> Effect:
    """The first half of a barrier: to have come. S_BARRIER_WAIT is the other."""
    if ops.constant(ops.field("ssrc0"), I32) != WORKGROUP_BARRIER:
        raise UnknownInstructionError("a barrier other than the workgroup's")

    def act(st: Waves) -> None:
        if st.signalled.any():
            lanes = np.broadcast_to(st.signalled[:, None], (st.count, st.lanes))
            raise FaultError("a barrier is signalled a second time", lanes)
        st.signalled = np.ones(st.count, bool)
        st.lds_ended_at_barrier = st.lds_ended

    return effect(act)


def _of_any_bits(factory: Factory) -> Factory:
    """A factory of effects whose results depend on all bits read, unless they say otherwise."""

    def make(ops: Operands) -> Effect:
        made = factory(ops)
        return made if made.loses is not None else by_waves(made)

    return make


_ARITHMETIC: dict[str, Factory] = {
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
        f"s_{name}_saveexec_b{kind.bits}": partial(_save_exec, name=name, kind=kind)
        for name in WITH_EXEC
        for kind in (U32, U64)
    },
    **{
        f"s_{name}_wrexec_b{kind.bits}": partial(_write_exec, name=name, kind=kind)
        for name in ("and_not0", "and_not1")
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
    **{
        f"s_bitcmp{wanted}_b{kind.bits}": partial(_bit_test, wanted=wanted, kind=kind)
        for wanted in (0, 1)
        for kind in (U32, U64)
    },
    **{
        f"s_bitset{number}_b{kind.bits}": partial(_bit_set, sets=bool(number), kind=kind)
        for number in (0, 1)
        for kind in (U32, U64)
    },
    "s_fmamk_f32": partial(_literal_fma, multiplies=True),
    "s_fmaak_f32": partial(_literal_fma, multiplies=False),
}
SCALAR: dict[str, Factory] = {
    **{name: _of_any_bits(factory) for name, factory in _ARITHMETIC.items()},
    "s_sendmsg": _message,
    "s_getpc_b64": _own_address,
    "s_barrier_signal": _signal,
    **dict.fromkeys(IDLE, nothing),
}
