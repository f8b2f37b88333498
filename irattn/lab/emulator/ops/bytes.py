"""Conversions between f32 and floats of one byte."""

from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.bytes import BYTE_FLOATS, ByteFloat
from irattn.lab.emulator.isa.kinds import F32, U32
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, Touches, computed, effect
from irattn.lab.emulator.ops.operands import Factory, Operands


def byte_float(ops: Operands, name: str) -> ByteFloat:
    """The fp8 or bf8 of a chip."""
    return BYTE_FLOATS[name, ops.family.has_ocp_bytes]


def _chosen(ops: Operands) -> int:
    """The two bits of VOP3 that choose a part of the source; CDNA has SDWA for that."""
    chosen = ops.field("opsel")
    if chosen & ~3 or (chosen and ops.family.has_accumulators):
        raise UnknownInstructionError("such a part of the source")
    return chosen


def _to_single(ops: Operands, *, name: str) -> Effect:
    """V_CVT_F32_FP8: of the byte that is chosen, by bits in the other order."""
    chosen, form = _chosen(ops), byte_float(ops, name)
    shift = np.uint32(8 * ((chosen & 1) << 1 | chosen >> 1))
    source = ops.source(0, U32)
    return computed(lambda a: form.decode(a >> shift & np.uint32(255)), [source], ops.target(F32))


def _to_pair(ops: Operands, *, name: str) -> Effect:
    """V_CVT_PK_F32_FP8: both bytes of the half that is chosen."""
    chosen, form = _chosen(ops), byte_float(ops, name)
    if chosen & 2:
        raise UnknownInstructionError("such a part of the source")
    source, register = ops.source(0, U32), ops.field("vdst")
    targets = [ops.vector_target(register + i, F32) for i in range(2)]

    def act(st: Waves) -> None:
        half = source.get(st) >> np.uint32(16 * chosen)
        values = [form.decode(half >> np.uint32(8 * i) & np.uint32(255)) for i in range(2)]
        for target, value in zip(targets, values, strict=True):
            target.put(st, value)

    return effect(act, source, *targets)


def _from_pair(ops: Operands, *, name: str) -> Effect:
    """V_CVT_PK_FP8_F32: two numbers into one half of the destination; the other one stays."""
    form, register, half = byte_float(ops, name), ops.field("vdst"), ops.field("opsel") >> 3
    if ops.field("opsel") & 7:
        raise UnknownInstructionError("a modifier that means nothing here")
    sources = [ops.source(i, F32) for i in range(2)]

    def act(st: Waves) -> None:
        low, high = (form.encode(source.get(st)).astype(np.uint16) for source in sources)
        value: Any = low | high << np.uint16(8)
        np.copyto(st.u16[register, ..., half], value, where=st.active)

    return effect(act, *sources, Touches(writes=frozenset((register,))))


BYTES: dict[str, Factory] = {}
for _name in ("fp8", "bf8"):
    BYTES |= {
        f"v_cvt_f32_{_name}": partial(_to_single, name=_name),
        f"v_cvt_pk_f32_{_name}": partial(_to_pair, name=_name),
        f"v_cvt_pk_{_name}_f32": partial(_from_pair, name=_name),
    }
