"""Loads and stores of global memory, buffers and scratch, and scalar loads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.fields import ZERO
from irattn.lab.emulator.isa.kinds import U32, U64
from irattn.lab.emulator.isa.moves import MOVES, Move
from irattn.lab.emulator.machine.memory import BASE
from irattn.lab.emulator.machine.surroundings import Resource
from irattn.lab.emulator.machine.waves import TRAP, Waves
from irattn.lab.emulator.ops.access import carry_out, moved, note_load, noted
from irattn.lab.emulator.ops.effects import Effect, Source, Touches, combined, effect
from irattn.lab.emulator.ops.operands import Factory, Operands

# Scalar loads.


def _scalar_load(ops: Operands, *, count: int) -> Effect:
    """S_LOAD: words from global memory into scalar registers."""
    target, address = ops.field("sdata"), _scalar_address(ops)
    if target == ops.family.null:
        return effect(lambda st: None, address)
    if target + count > TRAP[0]:
        raise UnknownInstructionError(f"scalar destination {target}")

    def act(st: Waves) -> None:
        words = st.around.memory.read(address.get(st) & ~3, count, True)
        st.around.global_bytes += st.count * 4 * count
        st.s[target : target + count] = words[:, :, 0]

    return effect(act, address, Touches(s_writes=frozenset(range(target, target + count))))


def _scalar_part(ops: Operands, *, signed: bool, size: int) -> Effect:
    """Loads of one or two bytes, which RDNA4 has."""
    address, target = _scalar_address(ops), ops.scalar_target(ops.field("sdata"))
    kind = np.int16 if size == 2 else np.int8

    def act(st: Waves) -> None:
        value = st.around.memory.read_part(address.get(st) & -size, size, True)[:, 0]
        st.around.global_bytes += st.count * size
        target.put(st, value.astype(kind).astype(np.int32) if signed else value)

    return effect(act, address, target)


def _scalar_address(ops: Operands) -> Source:
    """Offsets in memory as [waves, 1]."""
    base = ops.scalar(2 * ops.field("sbase"), U64)
    offset, constant = ops.scalar(_offset_register(ops)), ops.signed("offset")
    if ops.has("imm") and not ops.field("imm"):
        constant = 0
    return combined(
        lambda start, more: ((start.view(np.int64) - BASE) + more + constant)[:, None], base, offset
    )


def _offset_register(ops: Operands) -> int:
    """The operand that a scalar load adds to its address, 0 for none.

    GFX9 has it in a field of its own where SOFFSET_EN is set, else in place of the constant where
    there is none (IMM is not set): "SMEM Addressing" in the guides of CDNA.
    """
    if not ops.has("soffset_en") or ops.field("soffset_en"):
        return ops.field("soffset")
    return ZERO if ops.field("imm") else ops.field("offset") & 0x7F


# Global and flat memory.


def _global_access(
    ops: Operands, *, move: Move, address_of: Callable[[Operands], Source]
) -> Effect:
    """GLOBAL_*, FLAT_*: what lanes load from or store to global memory."""
    register = ops.data_register("vdst" if move.is_load else "data")
    address = address_of(ops)

    def act(st: Waves) -> None:
        st.around.global_bytes += st.live * move.bytes
        carry_out(st, move, st.around.memory, address.get(st), register)

    return effect(act, address, moved(move, register))


def flat_address(ops: Operands) -> Source:
    """64-bit addresses as offsets in memory, [waves, lanes]; no kernel here makes one into LDS."""
    # Without a sign, and so without its bit, before RDNA4.
    offset = ops.field("offset") & 0xFFF if ops.encoding == "FLAT" else ops.signed("offset")
    whole = ops.vector(ops.field("addr"), U64)
    return combined(lambda address: address.view(np.int64) + (offset - BASE), whole)


def global_address(ops: Operands) -> Source:
    """The address of a global access: that of a flat one, or a scalar base with a 32-bit offset."""
    base = ops.field("saddr")
    if base == ops.family.no_address:
        return flat_address(ops)
    offset = ops.signed("offset") - BASE
    scalar, vector = ops.scalar(base, U64), ops.vector(ops.field("addr"), U32)
    return combined(
        lambda start, more: (start.view(np.int64) + offset)[:, None] + more, scalar, vector
    )


# Buffer resources.

# The bit of a resource's last word that adds the lane's number to addresses: scratch (GFX9).
_ADDS_LANE = np.uint32(1 << 23)
# The bit of the second word that swizzles addresses. Without it a stride counts for indices alone,
# of which no access here has one: "Buffer Addressing" and "Range Checking" in the guides.
_SWIZZLES = np.uint32(1 << 31)
# So many bytes, or more, are what compilers say of memory whose size they do not know: Triton's
# resources have 2**31 - 2.
_OF_ANY_SIZE = (1 << 31) - 2


# Of waves: where lanes lie in memory, and how many bytes are left up to the end of the resource.
Within = Callable[[Waves], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class BufferAccess:
    """The operands of an access to a buffer, and the functions of them that say where it goes."""

    touches: tuple[Source, ...]
    is_scratch: Callable[[Waves], bool]
    of_lane: Callable[[Waves], np.ndarray]
    in_memory: Within


def buffer_of(ops: Operands) -> BufferAccess:
    """The buffer of a BUFFER_* instruction, whose resource must be raw memory, or scratch."""
    if ops.field("idxen") or ops.field("tfe"):
        raise UnknownInstructionError("a buffer access with an index")
    resource = ops.family.resource_unit * ops.field("srsrc")
    words = [ops.scalar(resource + i) for i in range(4)]
    soffset, within = ops.scalar(ops.field("soffset")), _buffer_offset(ops)

    def is_scratch(st: Waves) -> bool:
        return ops.family.scratch_by_buffer and bool((words[3].get(st) & _ADDS_LANE).any())

    def of_lane(st: Waves) -> np.ndarray:
        return np.asarray(_lane_offset(soffset.get(st), st.lanes) + within.get(st))

    def raw(st: Waves) -> Resource:
        # The same few come again and again: each is looked at once.
        said = st.s[resource : resource + 4]
        key = said.tobytes()
        known = st.around.resources.get(key)
        if known is None:
            known = st.around.resources[key] = _raw(ops, said, st)
        return known

    def in_memory(st: Waves) -> tuple[np.ndarray, np.ndarray]:
        known, start, more = raw(st), soffset.get(st).astype(np.int64), within.get(st)
        return (known.start + start)[:, None] + more, (known.size - start)[:, None] - more

    return BufferAccess((*words, soffset, within), is_scratch, of_lane, in_memory)


def _raw(ops: Operands, said: np.ndarray, st: Waves) -> Resource:
    """The words of raw memory, uint32 [4, waves]; UnknownInstructionError of others."""
    low, high, records, flags = said
    _refuse_shaped(ops, high, flags)
    start = (low.astype(np.int64) | (high & np.uint32(0xFFFF)).astype(np.int64) << 32) - BASE
    size = records.astype(np.int64)
    if st.around.checks:
        st.around.memory.check_extent(start, np.where(records >= _OF_ANY_SIZE, 0, size))
    return Resource(start, size)


def _buffer_access(ops: Operands, *, move: Move) -> Effect:
    """BUFFER_*: offsets from a base with a size; beyond it words are 0 and stay as they are."""
    buffer, register = buffer_of(ops), ops.data_register("vdata")

    def act(st: Waves) -> None:
        if buffer.is_scratch(st):
            within = buffer.of_lane(st)
            _check_words(move, within, st.active)
            _move_scratch(st, move, within, register)
            return
        if ops.family.scratch_by_buffer and st.around.checks:
            _check_data(st, move, register)
        at, left = buffer.in_memory(st)
        st.around.global_bytes += st.live * move.bytes
        _move_raw(st, move, at, register, left)

    made = effect(act, *buffer.touches, moved(move, register))
    return noted(made, move, register) if ops.family.scratch_by_buffer else made


def _check_data(st: Waves, move: Move, register: int) -> None:
    """Note what an access loads that might have gone to scratch; look at what it stores."""
    data = moved(move, register)
    if move.is_load:
        st.written.note(data.writes, st.active)
    data.need(st)


def _buffer_offset(ops: Operands) -> Source:
    """The offsets of lanes from the base: they wrap at 32 bits."""
    offset = np.uint32(ops.field("offset"))
    if not ops.field("offen"):
        return Source(get=lambda st: np.full((1, st.lanes), offset))
    return combined(lambda vector: vector + offset, ops.vector(ops.field("vaddr"), U32))


def _refuse_shaped(ops: Operands, high: np.ndarray, flags: np.ndarray) -> None:
    bits, wanted = ops.family.raw_buffer
    if (high & _SWIZZLES).any() or (flags & bits != wanted).any():
        raise UnknownInstructionError("a buffer resource that is not raw memory")


def _lane_offset(soffset: np.ndarray, lanes: int) -> np.ndarray:
    """A scalar offset into scratch, which holds words of all lanes side by side, for one lane."""
    if (soffset % np.uint32(4 * lanes)).any():
        raise UnknownInstructionError("a scalar offset into scratch within the words of all lanes")
    return (soffset // np.uint32(lanes))[:, None]


def _move_raw(st: Waves, move: Move, at: np.ndarray, register: int, left: np.ndarray) -> None:
    """Move what the `left` bytes up to the end of the resource hold: each word for itself."""
    memory = st.around.memory
    if left.min(initial=move.bytes) >= move.bytes:
        carry_out(st, move, memory, at, register)
        return
    whole = left >= move.bytes
    if move.words == 1 or not ((left >= 4) & ~whole).any():
        carry_out(st, move, memory, at, register, whole)
    else:
        word = Move(move.is_load, 4)
        for i in range(move.words):
            carry_out(st, word, memory, at + 4 * i, register + i, left >= 4 * (i + 1))


# Scratch.


def _check_words(move: Move, within: np.ndarray, active: Any) -> None:
    """FaultError for a part of two words: by a buffer, those of all lanes lie side by side."""
    wrong = (within & (min(move.bytes, 4) - 1) != 0) & active
    if wrong.any():
        what = "load" if move.is_load else "store"
        raise FaultError(f"misaligned {what} in scratch by a buffer", wrong)


def _move_scratch(st: Waves, move: Move, within: np.ndarray, register: int) -> None:
    at = np.broadcast_to(within, (st.count, st.lanes)).astype(np.int64)
    scratch = st.around.scratch
    place = scratch.place(at, st.group, st.slot, move.bytes, st.active)
    carry_out(st, move, scratch, place, register)
    if st.around.checks:
        if move.is_load:
            note_load(st, move, scratch, place, register)
        else:
            _note_spill(st, move, place, register)


def _note_spill(st: Waves, move: Move, place: np.ndarray, register: int) -> None:
    """Note a spill: what nobody wrote may be kept in scratch, and stays unwritten."""
    registers = range(register, register + move.words)
    if st.written.vector.issuperset(registers):
        return
    unwritten = np.stack([st.written.unwritten(r) for r in registers])
    st.around.scratch.forget(
        place, move.bytes, unwritten >> np.uint32(16 * (move.half or 0)), st.active
    )


def _scratch_access(ops: Operands, *, move: Move) -> Effect:
    """SCRATCH_*: memory of each lane for itself."""
    register = ops.data_register("vdst" if move.is_load else "data")
    offset = ops.signed("offset")
    base = ops.field("saddr")
    scalars = [ops.scalar(base)] if base != ops.family.no_address else []
    has_vector = ops.field("sve") if ops.family.has_sve else not scalars
    vectors = [ops.vector(ops.field("addr"), U32)] if has_vector else []

    def act(st: Waves) -> None:
        at = np.full((st.count, st.lanes), offset, np.int64)
        for scalar in scalars:
            at = at + scalar.get(st)[:, None]
        for vector in vectors:
            at = at + vector.get(st)
        _move_scratch(st, move, at, register)

    return noted(effect(act, *scalars, *vectors, moved(move, register)), move, register)


MEMORY: dict[str, Factory] = {
    **{f"s_load_b{32 * n}": partial(_scalar_load, count=n) for n in (1, 2, 3, 4, 8, 16)},
    **{
        f"s_load_{kind}{8 * size}": partial(_scalar_part, signed=kind == "i", size=size)
        for kind in ("u", "i")
        for size in (1, 2)
    },
    **{
        f"{where}_{what}": partial(access, move=move)
        for where, access in (
            ("global", partial(_global_access, address_of=global_address)),
            ("flat", partial(_global_access, address_of=flat_address)),
            ("buffer", _buffer_access),
            ("scratch", _scratch_access),
        )
        for what, move in MOVES.items()
    },
}
