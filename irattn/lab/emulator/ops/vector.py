"""Vector instructions: arithmetic on lanes, comparisons, carries, packed and paired forms."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.byte_formulas import BYTE_FORMULAS
from irattn.lab.emulator.isa.comparisons import COMPARISONS, Relation
from irattn.lab.emulator.isa.formulas import Formula
from irattn.lab.emulator.isa.kinds import F32, I32, U16, U32, Kind
from irattn.lab.emulator.isa.vector_formulas import VECTOR_FORMULAS
from irattn.lab.emulator.machine.waves import EXEC, VCC, Waves
from irattn.lab.emulator.ops.bytes import BYTES
from irattn.lab.emulator.ops.division import DIVISION
from irattn.lab.emulator.ops.dpp import dpp
from irattn.lab.emulator.ops.effects import Destination, Effect, Source, Touches, computed, effect
from irattn.lab.emulator.ops.flows import by_lanes, by_waves, upward
from irattn.lab.emulator.ops.irregular import CARRIES, IRREGULAR, any_bits
from irattn.lab.emulator.ops.lanes import CROSS_LANE
from irattn.lab.emulator.ops.operands import VIEWS, Factory, Operands
from irattn.lab.emulator.ops.outputs import finish, saturated, unmodified, with_factor
from irattn.lab.emulator.ops.packed import PACKED
from irattn.lab.emulator.ops.relative import RELATIVE


def _per_lane(factory: Factory) -> Factory:
    """A factory of effects whose lanes each compute their own result."""

    def make(ops: Operands) -> Effect:
        made = factory(ops)
        return made if made.loses is not None else by_lanes(made)

    return make


def _across_lanes(factory: Factory) -> Factory:
    """A factory of effects whose first source may come from other lanes of the row (DPP)."""

    def make(ops: Operands) -> Effect:
        made = factory(ops)
        return dpp(ops, made) if ops.is_dpp else made

    return make


def _by_formula(ops: Operands, *, formula: Formula) -> Effect:
    result = formula.result
    _refuse_idle_modifiers(ops, formula.sources, result)
    sources = [ops.source(i, kind) for i, kind in enumerate(formula.sources)]
    if formula.accumulates:
        sources.append(_before(ops, result))
    target = ops.target(result)
    made = _computed(ops, formula, sources, target)
    if formula.is_upward:
        return upward(made, target, *sources)
    # A modifier may make any bit depend on others.
    is_plain = not (ops.field("clmp") or ops.factor or ops.field("neg") or ops.field("abs"))
    unknown = formula.unknown if is_plain and not ops.is_sdwa else None
    return by_lanes(made, (target, sources, unknown))


def _computed(
    ops: Operands, formula: Formula, sources: Sequence[Source], target: Destination
) -> Effect:
    """The result of a formula, after modifiers of the output."""
    result = formula.result
    if formula.exact is not None and ops.field("clmp") and not ops.factor:
        return computed(saturated(formula.exact, result), sources, target)
    compute, finished = formula.in_mode(ieee=ops.ieee), finish(ops, result)
    is_plain = finished is None and not ops.is_sdwa
    if isinstance(compute, np.ufunc) and is_plain and result in (U32, I32, F32):
        return _direct(ops, compute, sources, result)
    if finished is None:
        return computed(compute, sources, target)
    dtype = result.numpy
    return computed(lambda *given: finished(compute(*given)).astype(dtype), sources, target)


def _refuse_idle_modifiers(
    ops: Operands, sources: Sequence[Kind], result: Kind | None = None
) -> None:
    """Bits of VOP3 that choose halves of 32-bit operands, or signs of what is not there."""
    halves = sum(1 << i for i, kind in enumerate(sources) if kind.bits == 16)
    # The destination is the fourth. It has no sign of its own where it is a source.
    halves |= 8 * (result is not None and result.bits == 16)
    floats = sum(1 << i for i, kind in enumerate(sources) if kind.is_float)
    if ops.field("opsel") & ~halves or (ops.field("neg") | ops.field("abs")) & ~floats:
        raise UnknownInstructionError("a modifier that means nothing here")


def _direct(ops: Operands, compute: Any, sources: Sequence[Source], kind: Kind) -> Effect:
    """One call of NumPy that computes right into the register."""
    register, view = ops.field("vdst"), VIEWS[kind]
    gets = [source.get for source in sources]
    written = Touches(writes=frozenset((register,)))
    if len(gets) == 1:
        (a,) = gets

        def one(st: Waves) -> None:
            compute(a(st), out=getattr(st, view)[register], where=st.active)

        return effect(one, *sources, written)
    a, b = gets

    def two(st: Waves) -> None:
        compute(a(st), b(st), out=getattr(st, view)[register], where=st.active)

    return effect(two, *sources, written)


def _before(ops: Operands, kind: Kind) -> Source:
    """The destination as it was."""
    register, half = ops.field("vdst"), 0
    if kind.bits == 16:
        if ops.has("opsel"):
            half = ops.field("opsel") >> 3 & 1
        else:
            register, half = ops.half_of(register)
    return ops.vector(register, kind, half)


def _compare(ops: Operands, *, comparison: Relation, to_exec: bool = False) -> Effect:
    """V_CMP, and V_CMPX, which writes exec."""
    _refuse_idle_modifiers(ops, comparison.sources)
    a, b = (ops.source(i, kind) for i, kind in enumerate(comparison.sources))
    holds = comparison.holds
    if ops.field("clmp") or ops.factor:
        raise UnknownInstructionError("a comparison with an output modifier")
    target = ops.mask_target(EXEC if to_exec else _mask_register(ops))
    if not (to_exec and ops.family.writes_both_masks):
        return by_lanes(computed(holds, [a, b], target), (target, [a, b]))
    second = ops.mask_target(_mask_register(ops))

    def act(st: Waves) -> None:
        mask = holds(a.get(st), b.get(st))
        second.put(st, mask)
        target.put(st, mask)

    made = effect(act, a, b, target, second)
    return by_lanes(made, (target, [a, b]), (second, [a, b]))


def _mask_register(ops: Operands) -> int:
    """Where a comparison puts its mask."""
    if ops.is_sdwa:
        return ops.field("sdst") if ops.field("sd") else VCC
    return ops.field("vdst") if ops.has("vdst") else VCC


def _on_a_scalar(ops: Operands, *, formula: Formula) -> Effect:
    """V_S_*: what a vector instruction computes, of one scalar."""
    source, finished = ops.source(0, F32), finish(ops, F32)
    target, compute = ops.scalar_target(ops.field("vdst"), F32), formula.compute

    def result(value: Any) -> Any:
        value = compute(value)
        return (value if finished is None else finished(value))[:, 0]

    return by_waves(computed(result, [source], target))


_PER_LANE: dict[str, Factory] = {
    **{
        name: partial(_by_formula, formula=formula)
        for name, formula in (VECTOR_FORMULAS | BYTE_FORMULAS).items()
    },
    **{f"v_cmp_{name}": partial(_compare, comparison=one) for name, one in COMPARISONS.items()},
    **{
        f"v_cmpx_{name}": partial(_compare, comparison=one, to_exec=True)
        for name, one in COMPARISONS.items()
    },
    **{name: unmodified(factory) for name, factory in IRREGULAR.items()},
    **CARRIES,
    **{name: unmodified(factory) for name, factory in BYTES.items()},
    **DIVISION,
    **PACKED,
}
_FACTORIES: dict[str, Factory] = {
    **{name: _per_lane(factory) for name, factory in _PER_LANE.items()},
    **{name: unmodified(factory) for name, factory in CROSS_LANE.items()},
    **{
        f"v_s_{name}_f32": partial(_on_a_scalar, formula=VECTOR_FORMULAS[f"v_{name}_f32"])
        for name in ("exp", "log", "rcp", "rsq", "sqrt")
    },
}
VECTOR: dict[str, Factory] = {
    **{name: _across_lanes(with_factor(factory)) for name, factory in _FACTORIES.items()},
    **{name: unmodified(factory) for name, factory in RELATIVE.items()},
    # Its output has no modifiers: their bits are part of the function.
    **{
        f"v_bitop3_{kind.name.replace('u', 'b')}": _across_lanes(partial(any_bits, kind=kind))
        for kind in (U16, U32)
    },
}
