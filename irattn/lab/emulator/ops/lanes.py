"""Instructions that move data between the lanes of a wave."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.fields import VGPR
from irattn.lab.emulator.isa.kinds import U32
from irattn.lab.emulator.isa.unknown import whole
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.machine.written import Lost
from irattn.lab.emulator.ops.effects import Effect, Source, Touches, effect
from irattn.lab.emulator.ops.flows import all_bits
from irattn.lab.emulator.ops.operands import Factory, Operands


def read_lanes(source: np.ndarray, takes: np.ndarray) -> np.ndarray:
    """Which lanes are read, where some (bool [waves, lanes]) each take the value of `source`."""
    read = np.zeros(takes.shape, bool)
    waves, lanes = np.nonzero(takes)
    read[waves, np.broadcast_to(source, takes.shape)[waves, lanes]] = True
    return read


def note(st: Waves, registers: frozenset[int], lanes: Any = None) -> None:
    """Note which lanes were written: those that execute, or these."""
    if st.around.checks and not registers <= st.written.vector:
        st.written.note(registers, st.active if lanes is None else lanes)


def _vector_source(ops: Operands) -> int:
    """The vector register of the first source."""
    register = ops.field("src0") - VGPR
    if register < 0:
        raise UnknownInstructionError("a lane of a scalar")
    return register


def _first_lane(ops: Operands) -> Effect:
    source, target = ops.source(0, U32), ops.scalar_target(ops.field("vdst"))

    def first_of(st: Waves, values: np.ndarray) -> np.ndarray:
        values = np.broadcast_to(values, (st.count, st.lanes))
        first = 0 if st.active is True else np.argmax(st.active, axis=1)
        return np.asarray(values[np.arange(st.count), first])

    return replace(
        effect(lambda st: target.put(st, first_of(st, source.get(st))), source, target),
        may_lack=source.reads,
        s_may_lack=source.s_reads,
        loses=lambda st: all_bits(target, first_of(st, source.missing(st)) != 0),
    )


def _lane_of(st: Waves, lane: Source) -> np.ndarray:
    """Which lane a scalar names, of each wave."""
    return np.broadcast_to(lane.get(st) & (st.lanes - 1), (st.count,))


def _read_lane(ops: Operands) -> Effect:
    lane = ops.scalar(ops.field("src1"))
    register = _vector_source(ops)
    target = ops.scalar_target(ops.field("vdst"))

    def act(st: Waves) -> None:
        target.put(st, st.v[register, np.arange(st.count), _lane_of(st, lane)])

    def loses(st: Waves) -> Lost:
        lanes = np.arange(st.lanes) == _lane_of(st, lane)[:, None]
        lacks = (st.written.unwritten(register) != 0) & lanes
        return all_bits(target, lacks.any(axis=1))

    read = frozenset((register,))
    made = effect(act, lane, target, Touches(reads=read))
    # What others lack of it does not matter, nor whether the lane executes.
    return replace(made, may_lack=read, loses=loses)


def _write_lane(ops: Operands) -> Effect:
    value = ops.scalar(ops.field("src0"))
    lane = ops.scalar(ops.field("src1"))
    register = ops.field("vdst")
    written = frozenset((register,))

    def act(st: Waves) -> None:
        where = _lane_of(st, lane)
        st.v[register, np.arange(st.count), where] = value.get(st)
        note(st, written, np.arange(st.lanes) == where[:, None])

    def loses(st: Waves) -> Lost:
        lanes = np.arange(st.lanes) == _lane_of(st, lane)[:, None]
        lacks = lanes & st.written.lacking((), value.s_reads)
        return Lost([(written, whole(lacks))])

    made = effect(act, lane, value, Touches(lanes_written=written))
    # Spilled registers are saved in lanes, those too that hold nothing yet.
    return replace(made, s_may_lack=value.s_reads - lane.s_reads, loses=loses)


def _permlane(ops: Operands, *, crosses: int, by_lane: bool = False) -> Effect:
    """Each lane reads one of its row, or of the other row, which is 16 lanes away.

    Sixteen nibbles of two scalars choose, or each lane's second source (`by_lane`, on RDNA4).
    """
    data, target = ops.source(0, U32), ops.target(U32)
    register, into = _vector_source(ops), ops.field("vdst")
    place = ops.source(1, U32) if by_lane else _nibbles(ops)
    fetches_inactive, zero = ops.field("opsel") & 1, ops.field("opsel") >> 1 & 1
    written = frozenset((into,))

    def act(st: Waves) -> None:
        row = (np.arange(st.lanes) & ~15) ^ crosses
        shape = st.count, st.lanes
        source = np.broadcast_to(row | (place.get(st) & 15).astype(np.int64), shape)
        if fetches_inactive and st.around.checks:
            st.written.check_lanes(register, read_lanes(source, np.broadcast_to(st.active, shape)))
        moved = np.take_along_axis(np.broadcast_to(data.get(st), shape), source, axis=1)
        if st.active is True or fetches_inactive:
            target.put(st, moved)
            note(st, written)
            return
        valid = np.take_along_axis(st.active, source, axis=1)
        if zero:
            target.put(st, np.where(valid, moved, 0).astype(np.uint32))
            note(st, written)
        else:
            taken = valid & st.active
            np.copyto(st.v[into], moved, where=taken)
            note(st, written, taken)

    return effect(act, data, target, place, notes_writes=True)


def _nibbles(ops: Operands) -> Source:
    """For each lane of a row, the nibble of the second or the third source that is its own."""
    low, high = ops.scalar(ops.field("src1")), ops.scalar(ops.field("src2"))

    def get(st: Waves) -> Any:
        lane = np.arange(st.lanes)
        words = np.where((lane & 8) != 0, high.get(st)[:, None], low.get(st)[:, None])
        return words >> (lane & 7) * 4

    return Source(get=get, s_reads=low.s_reads | high.s_reads)


def _swap_rows(ops: Operands, *, size: int) -> Effect:
    """V_PERMLANE16_SWAP, V_PERMLANE32_SWAP: of each two rows of the destination and the source.

    The second one of the destination and the first one of the source change places.
    """
    target, source = ops.field("vdst"), ops.field("src0") - VGPR
    both = frozenset((target, source))

    def act(st: Waves) -> None:
        if st.active is not True:
            raise UnknownInstructionError("rows of which not all lanes execute")
        a, b = (st.v[r].reshape(st.count, -1, 2, size) for r in (target, source))
        moved = a[:, :, 1].copy()
        a[:, :, 1] = b[:, :, 0]
        b[:, :, 0] = moved

    return effect(act, Touches(reads=both, writes=both))


def _count_below(ops: Operands, *, first: int) -> Effect:
    """V_MBCNT: bits of a mask below the lane; the mask is of 32 lanes from `first` on."""
    mask, base, target = ops.source(0, U32), ops.source(1, U32), ops.target(U32)

    def act(st: Waves) -> None:
        below = [((1 << lane) - 1) >> first & 0xFFFFFFFF for lane in range(st.lanes)]
        bits = mask.get(st) & np.array(below, np.uint32)
        target.put(st, np.bitwise_count(bits).astype(np.uint32) + base.get(st))

    return effect(act, mask, base, target)


CROSS_LANE: dict[str, Factory] = {
    "v_readfirstlane_b32": _first_lane,
    "v_readlane_b32": _read_lane,
    "v_writelane_b32": _write_lane,
    "v_permlane16_b32": partial(_permlane, crosses=0),
    "v_permlanex16_b32": partial(_permlane, crosses=16),
    "v_permlane16_var_b32": partial(_permlane, crosses=0, by_lane=True),
    "v_permlanex16_var_b32": partial(_permlane, crosses=16, by_lane=True),
    "v_permlane16_swap_b32": partial(_swap_rows, size=16),
    "v_permlane32_swap_b32": partial(_swap_rows, size=32),
    "v_mbcnt_lo_u32_b32": partial(_count_below, first=0),
    "v_mbcnt_hi_u32_b32": partial(_count_below, first=32),
}
