"""The instructions of a division: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP."""

from collections.abc import Callable
from functools import partial
from typing import Any

from irattn.lab.emulator.isa import division
from irattn.lab.emulator.isa.kinds import F16, F32, F64, Kind
from irattn.lab.emulator.machine.denormals import FLUSH, KEEP, set_denormals
from irattn.lab.emulator.machine.waves import VCC, Waves
from irattn.lab.emulator.ops.effects import Effect, Source, effect
from irattn.lab.emulator.ops.operands import Factory, Operands
from irattn.lab.emulator.ops.outputs import finish, unmodified


def _divided(
    st: Waves, kind: Kind, compute: Callable[..., Any], sources: tuple[Source, ...]
) -> Any:
    """The result of a step of a division, which looks after denormal numbers itself."""
    given = [source.get(st) for source in sources]
    if kind is not F32 or st.denormals == KEEP:
        return compute(*given, flush=False)
    set_denormals(KEEP)
    try:
        return compute(*given, flush=True)
    finally:
        set_denormals(FLUSH)


def _scale(ops: Operands, *, kind: Kind) -> Effect:
    sources = tuple(ops.source(i, kind) for i in range(3))
    target, scaled = ops.target(kind), ops.mask_target(ops.field("sdst"))

    def act(st: Waves) -> None:
        value, mask = _divided(st, kind, division.div_scale, sources)
        scaled.put(st, mask)
        target.put(st, value)

    return effect(act, *sources, target, scaled)


def _fmas(ops: Operands, *, kind: Kind) -> Effect:
    sources = (*(ops.source(i, kind) for i in range(3)), ops.mask_source(VCC))
    target = ops.target(kind)
    return effect(
        lambda st: target.put(st, _divided(st, kind, division.div_fmas, sources)), *sources, target
    )


def _fixup(ops: Operands, *, kind: Kind) -> Effect:
    sources, target = tuple(ops.source(i, kind) for i in range(3)), ops.target(kind)
    finished = finish(ops, kind)

    def act(st: Waves) -> None:
        value = _divided(st, kind, division.div_fixup, sources)
        target.put(st, value if finished is None else finished(value))

    return effect(act, *sources, target)


DIVISION: dict[str, Factory] = {"v_div_fixup_f16": partial(_fixup, kind=F16)}
for _kind in (F32, F64):
    DIVISION |= {
        f"v_div_scale_{_kind.name}": unmodified(partial(_scale, kind=_kind)),
        f"v_div_fmas_{_kind.name}": unmodified(partial(_fmas, kind=_kind)),
        f"v_div_fixup_{_kind.name}": partial(_fixup, kind=_kind),
    }
