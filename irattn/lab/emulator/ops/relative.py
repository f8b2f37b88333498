"""Moves between vector registers that M0 chooses: it is added to the number of a register.

V_MOVRELS reads such a register, V_MOVRELD writes one and V_MOVRELSD does both; V_MOVRELSD_2 and
V_SWAPREL have a number for each side in M0. CDNA has a mode instead: between S_SET_GPR_IDX_ON and
S_SET_GPR_IDX_OFF the operands that the first one names are chosen so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.fields import VGPR
from irattn.lab.emulator.isa.kinds import U32
from irattn.lab.emulator.machine.code import Action
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.machine.written import Lost
from irattn.lab.emulator.ops.effects import Effect, Source, Touches, computed, effect, nothing
from irattn.lab.emulator.ops.operands import Factory, Operands


@dataclass(frozen=True)
class _Bits:
    """The bits of M0 that are added to the number of a register."""

    first: int
    count: int

    def of(self, words: np.ndarray) -> np.ndarray:
        """The field's bits of words: uint32."""
        return words >> np.uint32(self.first) & np.uint32((1 << self.count) - 1)


_NONE, _ALL, _LOW, _HIGH = _Bits(0, 0), _Bits(0, 32), _Bits(0, 10), _Bits(16, 10)
# The mode's index in M0, and from which bit on there are the operands that it is for.
_INDEX, _INDEXED = _Bits(0, 8), 12
_OF_SOURCE, _OF_TARGET = 1, 8


@dataclass(frozen=True)
class _Registers:
    """A vector register of each wave: the `first` one, or so many further as bits of M0 say."""

    first: int
    bits: _Bits
    m0: Source

    @property
    def touched(self) -> frozenset[int]:
        """The only one that is known before M0 is."""
        return frozenset((self.first,))

    def numbers(self, st: Waves) -> np.ndarray:
        """The number of each wave's: uint32 [waves]; FaultError where the kernel has none such."""
        numbers = np.broadcast_to(self.bits.of(self.m0.get(st)) + np.uint32(self.first), st.count)
        wrong = numbers >= len(st.v)
        if wrong.any():
            lanes = np.broadcast_to(wrong[:, None], (st.count, st.lanes))
            raise FaultError("a register that the kernel does not have, by M0", lanes)
        return numbers

    def get(self, st: Waves) -> np.ndarray:
        """The register's words: uint32 [waves, lanes]."""
        return np.asarray(st.v[self.numbers(st), np.arange(st.count)])

    def put(self, st: Waves, value: Any) -> None:
        """Write what lanes that execute have."""
        where = self.numbers(st), np.arange(st.count)
        st.v[where] = np.where(st.active, value, st.v[where])
        if st.around.checks:
            for register, waves in self._by_register(st):
                st.written.note(register, np.broadcast_to(st.active & waves, st.v.shape[1:]))

    def missing(self, st: Waves) -> np.ndarray:
        """The bits of what it holds that were never written: uint32 [waves, lanes]."""
        bits = np.zeros(st.v.shape[1:], np.uint32)
        for (register,), waves in self._by_register(st):
            bits |= np.where(waves, st.written.unwritten(register), np.uint32(0))
        return bits

    def lost(self, st: Waves, bits: np.ndarray) -> list[tuple[frozenset[int], np.ndarray]]:
        """Bits that count as not written, uint32 [waves, lanes], where they are put."""
        bits = np.where(st.active, bits, np.uint32(0))
        return [(one, np.where(waves, bits, np.uint32(0))) for one, waves in self._by_register(st)]

    def _by_register(self, st: Waves) -> Iterator[tuple[frozenset[int], np.ndarray]]:
        """Each register that is meant, and which waves mean it: bool [waves, 1]."""
        numbers = self.numbers(st)
        for number in np.unique(numbers):
            yield frozenset((int(number),)), (numbers == number)[:, None]


def _move(ops: Operands, *, reads: _Bits, writes: _Bits) -> Effect:
    """A move whose source is any operand for V_MOVRELD, and else a vector register."""
    if ops.is_dpp:
        raise UnknownInstructionError("DPP with a move that M0 chooses")
    target = _registers(ops, ops.field("vdst"), writes)
    source: Source | _Registers
    if reads is _NONE:
        given = source = ops.source(0, U32)
        read, scalars = given.reads, given.s_reads
    else:
        source = _registers(ops, _vector_source(ops), reads)
        read, scalars = source.touched, frozenset[int]()

    def loses(st: Waves) -> Lost:
        return Lost(target.lost(st, source.missing(st)))

    touches = Touches(reads=read, writes=target.touched, s_reads=scalars)
    made = _chosen_by_m0(lambda st: target.put(st, source.get(st)), touches, target)
    return replace(made, s_may_lack=scalars - target.m0.s_reads, loses=loses)


def _swap(ops: Operands) -> Effect:
    source = _registers(ops, _vector_source(ops), _LOW)
    target = _registers(ops, ops.field("vdst"), _HIGH)

    def act(st: Waves) -> None:
        there, here = source.get(st), target.get(st)
        target.put(st, there)
        source.put(st, here)

    def loses(st: Waves) -> Lost:
        there, here = source.missing(st), target.missing(st)
        return Lost([*target.lost(st, there), *source.lost(st, here)])

    both = source.touched | target.touched
    made = _chosen_by_m0(act, Touches(reads=both, writes=both), target)
    return replace(made, loses=loses)


def _chosen_by_m0(act: Action, touches: Touches, target: _Registers) -> Effect:
    """The effect of such a move, but for what it loses."""
    by_m0 = Touches(s_reads=target.m0.s_reads, anywhere=True)
    made = effect(act, touches, by_m0, notes_writes=True)
    return replace(made, may_lack=made.reads)


def _registers(ops: Operands, first: int, bits: _Bits) -> _Registers:
    return _Registers(first, bits, ops.scalar(ops.family.m0))


def _vector_source(ops: Operands) -> int:
    register = ops.field("src0") - VGPR
    if register < 0:
        raise UnknownInstructionError("such a source of a move that M0 chooses")
    return register


def index_after(ops: Operands) -> int:
    """The operands that have an index behind an instruction, a bit for each."""
    if ops.name == "s_set_gpr_idx_on":
        return ops.field("ssrc1")
    return 0 if ops.name == "s_set_gpr_idx_off" else ops.indexed


def indexed_move(ops: Operands) -> Effect:
    """A vector instruction whose operands have an index: of these only moves are known."""
    if ops.name != "v_mov_b32" or ops.is_sdwa or ops.indexed & ~(_OF_SOURCE | _OF_TARGET):
        raise UnknownInstructionError("such an instruction with registers that M0 chooses")
    reads = _INDEX if ops.indexed & _OF_SOURCE else _NONE
    return _move(ops, reads=reads, writes=_INDEX if ops.indexed & _OF_TARGET else _NONE)


def _set_index(ops: Operands) -> Effect:
    """S_SET_GPR_IDX_ON: what M0 has besides stays, though nobody may have written it."""
    number, chosen = ops.family.m0, ops.field("ssrc1") << _INDEXED
    besides = Source(get=lambda st: st.s[number])
    return computed(
        lambda word, before: before & 0xFFFF0F00 | word & 0xFF | chosen,
        [ops.scalar(ops.field("ssrc0"), U32), besides],
        ops.scalar_target(number, U32),
    )


RELATIVE: dict[str, Factory] = {
    "v_movrels_b32": partial(_move, reads=_ALL, writes=_NONE),
    "v_movreld_b32": partial(_move, reads=_NONE, writes=_ALL),
    "v_movrelsd_b32": partial(_move, reads=_ALL, writes=_ALL),
    "v_movrelsd_2_b32": partial(_move, reads=_LOW, writes=_HIGH),
    "v_swaprel_b32": _swap,
    "s_set_gpr_idx_on": _set_index,
    "s_set_gpr_idx_off": nothing,
}
