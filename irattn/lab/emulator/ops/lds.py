"""Instructions of LDS: loads, stores, and exchanges between lanes that go through it."""

from dataclasses import replace
from functools import partial

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.kinds import U32
from irattn.lab.emulator.isa.moves import LDS_MOVES, LDS_PAIRS, Move
from irattn.lab.emulator.machine.lds import Lds
from irattn.lab.emulator.machine.places import Places
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.access import carry_out, moved, note_load, noted
from irattn.lab.emulator.ops.effects import Effect, Left, Source, effect
from irattn.lab.emulator.ops.operands import Factory, Operands


def _access(ops: Operands, *, move: Move) -> Effect:
    """DS_LOAD, DS_STORE: what lanes load from or store to the workgroup's memory."""
    register = ops.data_register("vdst" if move.is_load else "data0")
    offset = ops.field("offset0") | ops.field("offset1") << 8
    address = lds_address(ops)

    def act(st: Waves) -> None:
        move_lds(st, move, address.get(st), offset, register)

    made = effect(act, address, moved(move, register))
    return noted(made, move, register) if move.is_load else made


def _two_addresses(ops: Operands, *, move: Move, unit: int) -> Effect:
    """DS_LOAD_2ADDR, DS_STORE_2ADDR: two offsets from one address."""
    offsets = [unit * ops.field(f"offset{i}") for i in range(2)]
    if move.is_load:
        first = ops.data_register("vdst")
        registers = [first, first + move.words]
    else:
        registers = [ops.data_register("data0"), ops.data_register("data1")]
    address = lds_address(ops)

    def act(st: Waves) -> None:
        places = address.get(st)
        for register, offset in zip(registers, offsets, strict=True):
            move_lds(st, move, places, offset, register)

    made = effect(act, address, *(moved(move, register) for register in registers))
    return replace(made, notes_writes=move.is_load)


def lds_address(ops: Operands) -> Source:
    """Where the address register points to, looked at once while nobody changes it."""
    register = ops.field("addr")
    reads = frozenset((register,))
    left = Left(addresses=reads)
    if register in ops.left.addresses:
        return Source(get=lambda st: st.places[register], reads=reads, leaves=left)

    def get(st: Waves) -> Places:
        places = st.around.lds.places(st.v[register], st.group, st.active)
        st.places[register] = places
        return places

    return Source(get=get, reads=reads, leaves=left)


def reached(
    st: Waves,
    places: Places,
    offset: int,
    size: int,
    *,
    is_load: bool,
    lands: bool = False,
    stored: np.ndarray | None = None,
) -> tuple[Places, int]:
    """Where an access of so many bytes reaches, and what is to be added, after all checks.

    What `lands` is there after a wait. A store tells which words are `stored`.
    """
    lds = st.around.lds
    if places.most >= lds.per_group:
        # The offset may bring an address from below 0 back into LDS.
        places, offset = lds.moved(places, offset, st.group, st.active), 0
    lds.check(places, offset, size, st.active, is_load=is_load)
    st.around.lds_bytes += st.live * size
    if st.around.meter is not None:
        # Not by the register, which may hold what was loaded a moment ago.
        st.around.meter.note_lds(places.at + offset, size, st.active, st.group, is_load=is_load)
    if st.around.checks:
        if st.signalled.any():
            # It would belong to the time before the barrier and to the time after it.
            raise UnknownInstructionError("LDS between the two halves of a barrier")
        tags = st.epoch << np.uint32(8) | (st.slot.astype(np.uint32) + np.uint32(1))
        access = lds.races.watch(places, offset, size, is_load, tags, st.active, stored)
        at = places.at + offset
        if lands:
            lds.direct_loads.begin(at, size, st.active, st.slot, st.loads_begun + 1)
        else:
            lds.unfinished.note(access, st.group, st.slot, st.lds_begun + 1)
            lds.direct_loads.check(at, size, st.active, st.group, st.slot, st.loads_ended)
    return places, offset


def move_lds(st: Waves, move: Move, places: Places, offset: int, register: int) -> None:
    """Load or store for the lanes that execute, and note what of it was written."""
    lds = st.around.lds
    stored = None if move.is_load else _stored(st, move, register)
    places, offset = reached(st, places, offset, move.bytes, is_load=move.is_load, stored=stored)
    unit = min(move.bytes, 4)
    # An odd offset may make an odd address even: the address alone is no number of units then.
    in_units = unit > 1 and places.lies_on(unit) and offset % unit == 0
    if move.is_load and st.active is True and not move.signed and in_units:
        _load_lds(st, lds, move, places, offset, register)
    else:
        carry_out(st, move, lds, places.at + offset, register)
    if move.is_load and st.around.checks:
        note_load(st, move, lds, places.at + offset, register)


def _stored(st: Waves, move: Move, register: int) -> np.ndarray:
    """The words that a store stores, as they are now: uint32 [words, waves, lanes]."""
    words = st.v[register : register + move.words].copy()
    return words >> np.uint32(16) if move.half else words


def _load_lds(st: Waves, lds: Lds, move: Move, places: Places, offset: int, register: int) -> None:
    """A load of all lanes: gathers right into the registers."""
    size = min(move.bytes, 4)
    index = places.index(size)
    for i in range(move.words):
        first = offset // size + i
        source = lds.units[size][first:]
        if size == 4:
            source.take(index, out=st.v[register + i], mode="clip")
        elif move.half is None:
            st.v[register] = source.take(index, mode="clip")
        else:
            st.u16[register, ..., move.half] = source.take(index, mode="clip")


def _permute(ops: Operands, *, backward: bool) -> Effect:
    """DS_BPERMUTE reads from the lane that an address chooses, DS_PERMUTE writes to it."""
    address, data = ops.vector(ops.field("addr"), U32), ops.vector(ops.field("data0"), U32)
    target = ops.target(U32)
    offset = np.uint32(ops.field("offset0") | ops.field("offset1") << 8)

    def act(st: Waves) -> None:
        lane = (address.get(st) + offset >> 2) & np.uint32(st.lanes - 1)
        values = _given(st, data)
        if backward:
            target.put(st, np.take_along_axis(values, lane.astype(np.int64), axis=1))
            return
        sent = np.zeros_like(values)
        for source in range(st.lanes):
            writes = np.flatnonzero(np.broadcast_to(st.active, values.shape)[:, source])
            sent[writes, lane[writes, source]] = values[writes, source]
        target.put(st, sent)

    return effect(act, address, data, target)


def _swizzle(ops: Operands) -> Effect:
    """DS_SWIZZLE: lanes read from others of their 32 by a fixed pattern."""
    data, target = ops.vector(ops.field("addr"), U32), ops.target(U32)
    control = ops.field("offset0") | ops.field("offset1") << 8
    lane = np.arange(32)
    if control >= 0xC000:
        raise UnknownInstructionError(f"swizzle {control:#x}")
    if control & 0x8000:
        source = lane & ~3 | np.array([control >> 2 * (i & 3) & 3 for i in range(32)])
    else:
        source = ((lane & (control & 31)) | control >> 5 & 31) ^ (control >> 10 & 31)

    def act(st: Waves) -> None:
        every = np.concatenate([source + start for start in range(0, st.lanes, 32)])
        target.put(st, _given(st, data)[:, every])

    return effect(act, data, target)


def _given(st: Waves, data: Source) -> np.ndarray:
    """The values that lanes give to others: 0 where they do not execute."""
    values: np.ndarray = data.get(st)
    return values if st.active is True else np.where(st.active, values, 0).astype(np.uint32)


LDS: dict[str, Factory] = {
    **{f"ds_{what}": partial(_access, move=move) for what, move in LDS_MOVES.items()},
    **{
        f"ds_{what}": partial(_two_addresses, move=move, unit=unit)
        for what, (move, unit) in LDS_PAIRS.items()
    },
    "ds_bpermute_b32": partial(_permute, backward=True),
    "ds_permute_b32": partial(_permute, backward=False),
    "ds_swizzle_b32": _swizzle,
}
