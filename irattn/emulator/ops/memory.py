"""Instructions that load and store: scalar, global, buffer, LDS and scratch."""

from collections.abc import Callable
from functools import partial

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.kinds import U32, U64
from irattn.emulator.isa.moves import MOVES, Move
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.memory import BASE
from irattn.emulator.machine.waves import TRAP, Waves
from irattn.emulator.ops.access import carry_out, note
from irattn.emulator.ops.operands import Factory, Operands

Address = Callable[[Waves], np.ndarray]

# Scalar loads.

# The operand code of the number 0.
_ZERO = 128


def _scalar_load(ops: Operands, *, count: int) -> Action:
    """S_LOAD: words from global memory into scalar registers."""
    target, address = ops.field("sdata"), _scalar_address(ops)
    if target == ops.family.null:
        return lambda st: None
    if target + count > TRAP[0]:
        raise UnknownInstructionError(f"scalar destination {target}")
    ops.s_writes.update(range(target, target + count))

    def act(st: Waves) -> None:
        words = st.around.memory.read(address(st) & ~3, count, True)
        st.around.global_bytes += st.count * 4 * count
        st.s[target : target + count] = words[:, :, 0]

    return act


def _scalar_part(ops: Operands, *, signed: bool, size: int) -> Action:
    """Loads of one or two bytes, which RDNA4 has."""
    address, put = _scalar_address(ops), ops.scalar_target(ops.field("sdata"))
    kind = np.int16 if size == 2 else np.int8

    def act(st: Waves) -> None:
        value = st.around.memory.read_part(address(st) & -size, size, True)[:, 0]
        st.around.global_bytes += st.count * size
        put(st, value.astype(kind).astype(np.int32) if signed else value)

    return act


def _scalar_address(ops: Operands) -> Address:
    """Offsets in memory as [waves, 1]."""
    if ops.has("imm") and not ops.field("imm"):
        raise UnknownInstructionError("a scalar load without a constant offset")
    base = ops.scalar(2 * ops.field("sbase"), U64)
    has_offset = not ops.has("soffset_en") or ops.field("soffset_en")
    offset = ops.scalar(ops.field("soffset") if has_offset else _ZERO)
    constant = ops.signed("offset")
    return lambda st: ((base(st).view(np.int64) - BASE) + offset(st) + constant)[:, None]


# Global and flat memory.


def _global_access(ops: Operands, *, move: Move) -> Action:
    """GLOBAL_*: a 64-bit address, or a scalar base with a 32-bit offset."""
    register = ops.data_register("vdst" if move.is_load else "data")
    note(ops, move, register)
    address = _global_address(ops)

    def act(st: Waves) -> None:
        st.around.global_bytes += st.live * move.bytes
        carry_out(st, move, st.around.memory, address(st), register)

    return act


def _global_address(ops: Operands) -> Address:
    offset = ops.signed("offset")
    base = ops.field("saddr")
    if base == ops.family.no_address:
        whole = ops.vector(ops.field("addr"), U64)
        return lambda st: whole(st).view(np.int64) + (offset - BASE)
    scalar, vector = ops.scalar(base, U64), ops.vector(ops.field("addr"), U32)
    return lambda st: (scalar(st).view(np.int64) + (offset - BASE))[:, None] + vector(st)


# Buffer resources.

# The bit of a resource's last word that adds the lane's number to addresses: scratch (GFX9).
_ADDS_LANE = np.uint32(1 << 23)
# What raw memory does not have: a stride and a swizzle in the second word.
_SHAPED = np.uint32(0xBFFF0000)


def _buffer_access(ops: Operands, *, move: Move) -> Action:
    """BUFFER_*: offsets from a base with a size; beyond it words are 0 and stay as they are."""
    if ops.field("idxen") or ops.field("tfe") or ops.field("lds"):
        raise UnknownInstructionError("a buffer access with an index, or to LDS")
    register = ops.data_register("vdata")
    note(ops, move, register)
    resource = ops.family.resource_unit * ops.field("srsrc")
    words = [ops.scalar(resource + i) for i in range(4)]
    soffset = ops.scalar(ops.field("soffset"))
    offset = np.uint32(ops.field("offset"))
    vector = ops.vector(ops.field("vaddr"), U32) if ops.field("offen") else None

    def act(st: Waves) -> None:
        low, high, records, flags = (word(st) for word in words)
        if ops.family.scratch_by_buffer and (flags & _ADDS_LANE).any():
            within = _lane_offset(soffset(st), st.lanes) + offset
            within = within + (vector(st) if vector is not None else np.uint32(0))
            _move_scratch(st, move, within, register)
            return
        bits, wanted = ops.family.raw_buffer
        if (high & _SHAPED).any() or (flags & bits != wanted).any():
            raise UnknownInstructionError("a buffer resource that is not raw memory")
        base = low.astype(np.int64) | (high & np.uint32(0xFFFF)).astype(np.int64) << 32
        if st.around.checks:
            st.around.memory.check_extent(base - BASE, records.astype(np.int64))
        # The sum of the lane's offset and the constant wraps at 32 bits.
        within = vector(st) + offset if vector is not None else np.full((1, st.lanes), offset)
        left = (records.astype(np.int64) - soffset(st))[:, None] - within
        at = (base + (soffset(st).astype(np.int64) - BASE))[:, None] + within
        st.around.global_bytes += st.live * move.bytes
        _move_raw(st, move, at, register, left)

    return act


def _lane_offset(soffset: np.ndarray, lanes: int) -> np.ndarray:
    """A scalar offset into scratch, which holds words of all lanes side by side, for one lane."""
    if (soffset % np.uint32(4 * lanes)).any():
        raise UnknownInstructionError("a scalar offset into scratch within the words of all lanes")
    return (soffset // np.uint32(lanes))[:, None]


def _move_raw(st: Waves, move: Move, at: np.ndarray, register: int, left: np.ndarray) -> None:
    """Move what the `left` bytes up to the end of the resource hold: each word for itself."""
    memory = st.around.memory
    left = np.broadcast_to(left, (st.count, st.lanes))
    whole = left >= move.bytes
    if whole.all():
        carry_out(st, move, memory, at, register)
    elif move.words == 1 or not ((left >= 4) & ~whole).any():
        carry_out(st, move, memory, at, register, whole)
    else:
        word = Move(move.is_load, 4)
        for i in range(move.words):
            carry_out(st, word, memory, at + 4 * i, register + i, left >= 4 * (i + 1))


# Scratch.


def _move_scratch(st: Waves, move: Move, within: np.ndarray, register: int) -> None:
    at = np.broadcast_to(within, (st.count, st.lanes)).astype(np.int64)
    scratch = st.around.scratch
    place = scratch.place(at, st.group, st.slot, move.bytes, st.active)
    carry_out(st, move, scratch, place, register)


def _scratch_access(ops: Operands, *, move: Move) -> Action:
    """SCRATCH_*: memory of each lane for itself."""
    register = ops.data_register("vdst" if move.is_load else "data")
    note(ops, move, register)
    offset = ops.signed("offset")
    base = ops.field("saddr")
    scalar = ops.scalar(base) if base != ops.family.no_address else None
    has_vector = ops.field("sve") if ops.family.has_sve else scalar is None
    vector = ops.vector(ops.field("addr"), U32) if has_vector else None

    def act(st: Waves) -> None:
        at = np.full((st.count, st.lanes), offset, np.int64)
        if scalar is not None:
            at = at + scalar(st)[:, None]
        if vector is not None:
            at = at + vector(st)
        _move_scratch(st, move, at, register)

    return act


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
            ("global", _global_access),
            ("buffer", _buffer_access),
            ("scratch", _scratch_access),
        )
        for what, move in MOVES.items()
    },
}
