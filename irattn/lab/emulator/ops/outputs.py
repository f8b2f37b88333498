"""Modifiers of an instruction's output: a factor, then a clamp."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.kinds import F32, Kind
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect
from irattn.lab.emulator.ops.operands import Factory, Operands

_OMOD = {1: 2.0, 2: 4.0, 3: 0.5}


def with_factor(factory: Factory) -> Factory:
    """A factory of effects whose output may have a factor."""

    def make(ops: Operands) -> Effect:
        made = factory(ops)
        return _only_flushed(made) if ops.factor else made

    return make


def unmodified(factory: Factory) -> Factory:
    """A factory of effects whose output must not be modified."""

    def make(ops: Operands) -> Effect:
        if ops.field("clmp") or ops.factor:
            raise UnknownInstructionError("an output modifier on such an instruction")
        return factory(ops)

    return make


def _only_flushed(made: Effect) -> Effect:
    """Output modifiers other than clamps are not compatible with denormal results."""
    act = made.act

    def run(st: Waves) -> None:
        if st.denormals:
            raise UnknownInstructionError("a factor where denormal numbers count")
        act(st)

    return replace(made, act=run)


def finish(ops: Operands, kind: Kind) -> Callable[[Any], Any] | None:
    """Output modifiers: a factor, then a clamp to 0 and 1."""
    factor, clamp = _OMOD.get(ops.factor), clamp_of(ops)
    if not (factor or clamp):
        return None
    if not kind.is_float:
        raise UnknownInstructionError("such an output modifier on integers")
    if factor and kind != F32:
        raise UnknownInstructionError("a factor where denormal numbers count")

    def finished(value: Any) -> Any:
        if factor:
            value = value * kind.numpy(factor)
        if clamp:
            value = clamp(value, kind.numpy(0), kind.numpy(1))
        # Both make -0 a 0.
        return value + kind.numpy(0)

    return finished


def clamp_of(ops: Operands) -> Callable[[Any, Any, Any], Any] | None:
    """The clamp of a float to a least and a most, where the instruction has one: NaN becomes 0, or
    stays what it is where the mode says so (DX10_CLAMP in the guides).
    """
    if not ops.field("clmp"):
        return None
    return _kept if ops.keeps_nan else _clamped


def _clamped(value: Any, least: Any, most: Any) -> Any:
    return np.fmin(np.fmax(value, least), most)


def _kept(value: Any, least: Any, most: Any) -> Any:
    return np.minimum(np.maximum(value, least), most)


def saturated(exact: Callable[..., Any], kind: Kind) -> Callable[..., Any]:
    """The formula on int64, its result kept within the range of integers of a kind."""
    limits = np.iinfo(kind.numpy)

    def compute(*given: Any) -> Any:
        value = exact(*(np.asarray(a, np.int64) for a in given))
        return np.clip(value, limits.min, limits.max).astype(kind.numpy)

    return compute
