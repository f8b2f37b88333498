"""Carries out what a load or store moves between memory and vector registers."""

from dataclasses import replace
from typing import Any

import numpy as np

from irattn.lab.emulator.isa.moves import Move
from irattn.lab.emulator.machine.space import Space
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.machine.written import Lost
from irattn.lab.emulator.ops.effects import Effect, Touches


def moved(move: Move, register: int) -> Touches:
    """The registers that a load writes or a store reads, from one on."""
    registers = frozenset(range(register, register + move.words))
    if move.is_load:
        return Touches(writes=registers)
    bits = (1 << 8 * move.bytes) - 1 << 16 * (move.half or 0)
    return Touches(reads=registers, parts={} if move.bytes >= 4 else {register: bits})


def noted(made: Effect, move: Move, register: int) -> Effect:
    """The effect of an access that says itself, see below, what of the data was written."""
    if move.is_load:
        return replace(made, notes_writes=True)
    return replace(made, may_lack=moved(move, register).reads)


def note_load(st: Waves, move: Move, space: Space, at: np.ndarray, register: int) -> None:
    """Note a load: its registers are written as far as memory was."""
    registers = range(register, register + move.words)
    if not st.written.vector.issuperset(registers):
        st.written.note(frozenset(registers), st.active)
    if space.is_written(at, move.bytes):
        return
    unwritten = space.unwritten(at, move.words, st.active)
    if move.bytes < 4:
        unwritten = unwritten & np.uint32((1 << 8 * move.bytes) - 1)
        if move.signed:
            every = np.uint32(0xFFFFFFFF if move.half is None else 0xFFFF)
            unwritten = np.where(unwritten != 0, every, np.uint32(0))
    unwritten = np.where(st.active, unwritten << np.uint32(16 * (move.half or 0)), np.uint32(0))
    st.written.lose(Lost([(frozenset((r,)), unwritten[i]) for i, r in enumerate(registers)]))


def carry_out(
    st: Waves, move: Move, space: Space, at: np.ndarray, register: int, there: Any = True
) -> None:
    """Move for lanes that execute; those not in `there` load 0 and store nothing."""
    active = st.active
    if there is not True:
        active = there if active is True else active & there
    (_load if move.is_load else _store)(st, move, space, at, register, active)
    if st.around.meter is not None and space is st.around.memory:
        st.around.meter.note_global(at, move.bytes, active, st.group)


def _store(st: Waves, move: Move, space: Space, at: np.ndarray, register: int, active: Any) -> None:
    if space is st.around.memory:
        _note(st, move, at, register, active)
    if move.bytes >= 4:
        space.write(at, st.v[register : register + move.words], active)
    else:
        values = st.v[register] >> np.uint32(16) if move.half else st.v[register]
        space.write_part(at, values, move.bytes, active)


def _note(st: Waves, move: Move, at: np.ndarray, register: int, active: Any) -> None:
    """Tell who writes where in global memory."""
    around = st.around
    if around.writers is None or around.numbers is None or move.bytes == 1:
        return
    if move.bytes == 2:
        values = st.u16[register, ..., move.half or 0][None]
    else:
        words = st.u16[register : register + move.words]
        values = np.moveaxis(words, -1, 1).reshape(-1, *at.shape)
    around.writers.note(at, values, around.numbers[st.group], active)


def _load(st: Waves, move: Move, space: Space, at: np.ndarray, register: int, active: Any) -> None:
    if move.bytes >= 4:
        values = space.read(at, move.words, active)
        if active is not True:
            values = np.where(active, values, np.uint32(0))
        np.copyto(st.v[register : register + move.words], values, where=st.active)
        return
    value = space.read_part(at, move.bytes, active)
    if move.signed:
        kind = np.int16 if move.bytes == 2 else np.int8
        value = value.astype(kind).astype(np.int32).view(np.uint32)
    if active is not True:
        value = np.where(active, value, np.uint32(0))
    if move.half is None:
        np.copyto(st.v[register], value, where=st.active)
    else:
        np.copyto(st.u16[register, ..., move.half], value.astype(np.uint16), where=st.active)
