"""Instructions that move data between the lanes of a wave."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.fields import VGPR
from irattn.emulator.isa.kinds import U32
from irattn.emulator.machine.waves import EXEC_WORDS, Waves
from irattn.emulator.ops.effects import Effect, Source, Touches, effect
from irattn.emulator.ops.operands import Factory, Operands


@cache
def _dpp_lanes(control: int, lanes: int) -> tuple[np.ndarray, np.ndarray | None]:
    """For a DPP control: the lane that each lane reads, and whether there is one; None: always."""
    lane = np.arange(lanes)
    row, place = lane & ~15, lane & 15
    amount = control & 15
    there = np.ones(lanes, bool)
    if control <= 0xFF:
        source = lane & ~3 | np.array([control >> 2 * (i & 3) & 3 for i in range(lanes)])
    elif 0x101 <= control <= 0x10F:
        source, there = lane + amount, place + amount < 16
    elif 0x111 <= control <= 0x11F:
        source, there = lane - amount, place >= amount
    elif 0x121 <= control <= 0x12F:
        source = row | (place - amount) & 15
    elif control in (0x130, 0x138):
        source = lane + (1 if control == 0x130 else -1)
        there = (source >= 0) & (source < lanes)
    elif control in (0x134, 0x13C):
        source = (lane + (1 if control == 0x134 else -1)) % lanes
    elif control == 0x140:
        source = row | 15 - place
    elif control == 0x141:
        source = lane & ~7 | 7 - (lane & 7)
    elif control in (0x142, 0x143):
        # The last lane of 16 or 32 goes to all lanes of the next 16 or 32.
        size = 16 if control == 0x142 else 32
        source, there = (lane & -size) - 1, lane >= size
    elif 0x150 <= control <= 0x15F:
        source = row | amount
    elif 0x160 <= control <= 0x16F:
        source = row | place ^ amount
    else:
        raise UnknownInstructionError(f"DPP control {control:#x}")
    return np.where(there, source, lane), None if there.all() else there


def dpp(ops: Operands, made: Effect) -> Effect:
    """The effect of an instruction whose first source comes from other lanes of the row.

    Lanes without a source read 0 where the instruction says so (`bc`), and are not written
    otherwise.
    """
    register = ops.field("vsrc0")
    fetches_inactive, zero = ops.field("fi"), ops.field("bc")
    masks = ops.field("row_mask"), ops.field("bank_mask")
    control = ops.field("dpp")
    _dpp_lanes(control, 32)
    is_compare_and_switch = not EXEC_WORDS.isdisjoint(made.s_writes)
    act, written = made.act, made.writes

    def moved(st: Waves) -> None:
        source, there = _dpp_lanes(control, st.lanes)
        # Not by an index: its layout would not let a register be seen as two halves.
        fetched = st.v[register].take(source, axis=1)
        if there is None and st.active is True and masks == (15, 15):
            st.moved = fetched
            act(st)
            _note(st, written)
            return
        lane = np.arange(st.lanes)
        chosen = (masks[0] >> (lane >> 4) & 1 & masks[1] >> (lane >> 2 & 3)).astype(bool)
        valid: Any = np.broadcast_to(True if there is None else there, (st.count, st.lanes))
        if not fetches_inactive and st.active is not True:
            valid = valid & st.active[:, source]
        st.moved = np.where(valid, fetched, np.uint32(0))
        writes = np.broadcast_to(chosen, valid.shape) & (True if zero else valid)
        usual = st.active, st.live
        st.set_active(writes if st.active is True else writes & st.active)
        if fetches_inactive and st.around.checks:
            st.written.check_lanes(register, _read_lanes(source, st.active & valid))
        act(st)
        _note(st, written)
        st.active, st.live = usual
        if is_compare_and_switch:
            st.set_exec()

    return replace(made, act=moved, notes_writes=True)


def _read_lanes(source: np.ndarray, takes: np.ndarray) -> np.ndarray:
    """Which lanes are read, where some (bool [waves, lanes]) each take the value of `source`."""
    read = np.zeros(takes.shape, bool)
    waves, lanes = np.nonzero(takes)
    read[waves, np.broadcast_to(source, takes.shape)[waves, lanes]] = True
    return read


def _note(st: Waves, registers: frozenset[int], lanes: Any = None) -> None:
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

    def act(st: Waves) -> None:
        values = np.broadcast_to(source.get(st), (st.count, st.lanes))
        first = 0 if st.active is True else np.argmax(st.active, axis=1)
        target.put(st, values[np.arange(st.count), first])

    return effect(act, source, target)


def _read_lane(ops: Operands) -> Effect:
    lane = ops.scalar(ops.field("src1"))
    register = _vector_source(ops)
    target = ops.scalar_target(ops.field("vdst"))

    def act(st: Waves) -> None:
        waves = np.arange(st.count)
        chosen = np.broadcast_to(lane.get(st) & (st.lanes - 1), (st.count,))
        if st.around.checks:
            st.written.check_lanes(register, np.arange(st.lanes) == chosen[:, None])
        target.put(st, st.v[register, waves, chosen])

    return effect(act, lane, target)


def _write_lane(ops: Operands) -> Effect:
    value = ops.scalar(ops.field("src0"))
    lane = ops.scalar(ops.field("src1"))
    register = ops.field("vdst")
    written = frozenset((register,))

    def act(st: Waves) -> None:
        chosen = np.broadcast_to(lane.get(st) & (st.lanes - 1), (st.count,))
        st.v[register, np.arange(st.count), chosen] = value.get(st)
        _note(st, written, np.arange(st.lanes) == chosen[:, None])

    # Not what it reads: spilled registers are saved in lanes, those too that hold nothing yet.
    return effect(act, lane, Touches(lanes_written=written))


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
            st.written.check_lanes(register, _read_lanes(source, np.broadcast_to(st.active, shape)))
        moved = np.take_along_axis(np.broadcast_to(data.get(st), shape), source, axis=1)
        if st.active is True or fetches_inactive:
            target.put(st, moved)
            _note(st, written)
            return
        valid = np.take_along_axis(st.active, source, axis=1)
        if zero:
            target.put(st, np.where(valid, moved, 0).astype(np.uint32))
            _note(st, written)
        else:
            taken = valid & st.active
            np.copyto(st.v[into], moved, where=taken)
            _note(st, written, taken)

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
