"""DPP: instructions whose first source comes from other lanes of the row."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.dpp import check_control, dpp8_lanes, dpp_lanes
from irattn.lab.emulator.machine.waves import EXEC_WORDS, Waves
from irattn.lab.emulator.ops.effects import Effect
from irattn.lab.emulator.ops.lanes import note, read_lanes
from irattn.lab.emulator.ops.operands import Operands


def dpp(ops: Operands, made: Effect) -> Effect:
    """The effect of an instruction whose first source comes from other lanes of the row.

    Lanes without a source read 0 where the instruction says so (`bc`), and are not written
    otherwise.
    """
    register = ops.field("vsrc0")
    lanes_of, fetches_inactive, zero, masks = _dpp16(ops) if ops.has("dpp") else _dpp8(ops)
    is_compare_and_switch = not EXEC_WORDS.isdisjoint(made.s_writes)
    act, written = made.act, made.writes

    def moved(st: Waves) -> None:
        source, there = lanes_of(st.lanes)
        # Not by an index: its layout would not let a register be seen as two halves.
        fetched = st.v[register].take(source, axis=1)
        if there is None and st.active is True and masks == (15, 15):
            st.moved = fetched
            act(st)
            note(st, written)
            return
        valid = _valid(st, source, there, fetches_inactive)
        st.moved = np.where(valid, fetched, np.uint32(0))
        writes = np.broadcast_to(_chosen(masks, st.lanes), valid.shape) & (True if zero else valid)
        usual = st.active, st.live
        st.set_active(writes if st.active is True else writes & st.active)
        if fetches_inactive and st.around.checks:
            st.written.check_lanes(register, read_lanes(source, st.active & valid))
        act(st)
        note(st, written)
        st.active, st.live = usual
        if is_compare_and_switch:
            st.set_exec()

    none: frozenset[int] = frozenset()
    return replace(made, act=moved, notes_writes=True, may_lack=none, s_may_lack=none, loses=None)


# For a number of lanes: what each reads, and which have something to read; None: all.
_Lanes = Callable[[int], tuple[np.ndarray, np.ndarray | None]]


def _dpp16(ops: Operands) -> tuple[_Lanes, int, int, tuple[int, int]]:
    """Lanes by a control; whether inactive ones are read, and lanes without one get 0; masks."""
    control = ops.field("dpp")
    # Refuses an unknown control before anything runs.
    check_control(control, is_gfx9=ops.family.has_accumulators)
    masks = ops.field("row_mask"), ops.field("bank_mask")
    return partial(dpp_lanes, control), ops.field("fi"), ops.field("bc"), masks


def _dpp8(ops: Operands) -> tuple[_Lanes, int, int, tuple[int, int]]:
    """DPP8: a lane of eight is chosen for each of them; inactive lanes give 0."""
    choice = tuple(ops.field(f"lane_sel_{i}") for i in range(8))
    return lambda lanes: (dpp8_lanes(choice, lanes), None), ops.field("src0") & 2, 1, (15, 15)


def _valid(st: Waves, source: np.ndarray, there: np.ndarray | None, fetches_inactive: int) -> Any:
    """Which lanes have a source, as bool [waves, lanes]."""
    valid: Any = np.broadcast_to(True if there is None else there, (st.count, st.lanes))
    if fetches_inactive or st.active is True:
        return valid
    return valid & st.active[:, source]


def _chosen(masks: tuple[int, int], lanes: int) -> np.ndarray:
    """The lanes of rows and banks that the masks of the instruction choose."""
    lane = np.arange(lanes)
    return (masks[0] >> (lane >> 4) & 1 & masks[1] >> (lane >> 2 & 3)).astype(bool)
