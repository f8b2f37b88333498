"""Instructions of LDS: loads, stores, and exchanges between lanes that go through it."""

from functools import partial

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.kinds import U32
from irattn.emulator.isa.moves import LDS_MOVES, LDS_PAIRS, Move
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.local import Lds
from irattn.emulator.machine.places import Places
from irattn.emulator.machine.waves import Waves
from irattn.emulator.ops.access import carry_out, note
from irattn.emulator.ops.operands import Factory, Operands


def _refuse_gds(ops: Operands) -> None:
    if ops.field("gds"):
        raise UnknownInstructionError("GDS")


def _access(ops: Operands, *, move: Move) -> Action:
    """DS_LOAD, DS_STORE: what lanes load from or store to the workgroup's memory."""
    _refuse_gds(ops)
    register = ops.data_register("vdst" if move.is_load else "data0")
    note(ops, move, register)
    offset = ops.field("offset0") | ops.field("offset1") << 8
    address = _LdsAddress(ops)

    def act(st: Waves) -> None:
        _move_lds(st, move, address.places(st), offset, register)

    return act


class _LdsAddress:
    """The address register of an LDS access, looked at once while nobody changes it."""

    def __init__(self, ops: Operands) -> None:
        self.register = ops.field("addr")
        self.reuses = ops.reuses_address
        ops.vector(self.register, U32)

    def places(self, st: Waves) -> Places:
        """Where it points to."""
        if self.reuses:
            return st.places[self.register]
        found = st.around.lds.places(st.v[self.register], st.group, st.active)
        st.places[self.register] = found
        return found


def _move_lds(st: Waves, move: Move, places: Places, offset: int, register: int) -> None:
    lds = st.around.lds
    if places.most >= lds.per_group:
        # The offset may bring an address from below 0 back into LDS.
        places, offset = lds.moved(places, offset, st.group, st.active), 0
    lds.check(places, offset, move.bytes, st.active)
    st.around.lds_bytes += st.live * move.bytes
    if st.around.meter is not None:
        # Not by the register, which may hold what was loaded a moment ago.
        st.around.meter.note_lds(places.at + offset, move.bytes, st.active)
    if st.around.checks:
        if st.signalled.any():
            # It would belong to the time before the barrier and to the time after it.
            raise UnknownInstructionError("LDS between the two halves of a barrier")
        tags = st.epoch << np.uint32(8) | (st.slot.astype(np.uint32) + np.uint32(1))
        lds.races.watch(places, offset, move.bytes, move.is_load, tags, st.active)
    # An odd offset may make an odd address even: the address alone is no number of units then.
    in_units = move.bytes > 1 and offset % min(move.bytes, 4) == 0
    if move.is_load and st.active is True and not move.signed and in_units:
        _load_lds(st, lds, move, places, offset, register)
    else:
        carry_out(st, move, lds, places.at + offset, register)


def _load_lds(st: Waves, lds: Lds, move: Move, places: Places, offset: int, register: int) -> None:
    """A load of all lanes: gathers right into the registers."""
    size = min(move.bytes, 4)
    index = places.index(size)
    for i in range(move.words):
        first = offset // size + i
        if lds.checks:
            lds.check_known(lds.known[size][first:].take(index, mode="clip"), True)
        source = lds.units[size][first:]
        if size == 4:
            source.take(index, out=st.v[register + i], mode="clip")
        elif move.half is None:
            st.v[register] = source.take(index, mode="clip")
        else:
            st.u16[register, ..., move.half] = source.take(index, mode="clip")


def _two_addresses(ops: Operands, *, move: Move, unit: int) -> Action:
    """DS_LOAD_2ADDR, DS_STORE_2ADDR: two offsets from one address."""
    _refuse_gds(ops)
    offsets = [unit * ops.field(f"offset{i}") for i in range(2)]
    if move.is_load:
        registers = [ops.data_register("vdst"), ops.data_register("vdst") + move.words]
    else:
        registers = [ops.data_register("data0"), ops.data_register("data1")]
    for register in registers:
        note(ops, move, register)
    address = _LdsAddress(ops)

    def act(st: Waves) -> None:
        places = address.places(st)
        for register, offset in zip(registers, offsets, strict=True):
            _move_lds(st, move, places, offset, register)

    return act


def _permute(ops: Operands, *, backward: bool) -> Action:
    """DS_BPERMUTE reads from the lane that an address chooses, DS_PERMUTE writes to it."""
    _refuse_gds(ops)
    address, data = ops.vector(ops.field("addr"), U32), ops.vector(ops.field("data0"), U32)
    put = ops.target(U32)
    offset = np.uint32(ops.field("offset0") | ops.field("offset1") << 8)

    def act(st: Waves) -> None:
        lane = (address(st) + offset >> 2) & np.uint32(st.lanes - 1)
        values = data(st)
        if st.active is not True:
            values = np.where(st.active, values, 0).astype(np.uint32)
        if backward:
            put(st, np.take_along_axis(values, lane.astype(np.int64), axis=1))
            return
        moved = np.zeros_like(values)
        for source in range(st.lanes):
            writes = np.flatnonzero(np.broadcast_to(st.active, values.shape)[:, source])
            moved[writes, lane[writes, source]] = values[writes, source]
        put(st, moved)

    return act


def _swizzle(ops: Operands) -> Action:
    _refuse_gds(ops)
    data, put = ops.vector(ops.field("addr"), U32), ops.target(U32)
    control = ops.field("offset0") | ops.field("offset1") << 8
    lane = np.arange(32)
    if control >= 0xC000:
        raise UnknownInstructionError(f"swizzle {control:#x}")
    if control & 0x8000:
        source = lane & ~3 | np.array([control >> 2 * (i & 3) & 3 for i in range(32)])
    else:
        source = ((lane & (control & 31)) | control >> 5 & 31) ^ (control >> 10 & 31)

    def act(st: Waves) -> None:
        values = data(st)
        if st.active is not True:
            values = np.where(st.active, values, 0).astype(np.uint32)
        every = np.concatenate([source + start for start in range(0, st.lanes, 32)])
        put(st, values[:, every])

    return act


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
