"""Instructions that load and store: scalar, global, buffer, LDS and scratch."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.local import Lds, Places
from irattn.emulator.memory import BASE, Space
from irattn.emulator.operands import Operands
from irattn.emulator.wave import Waves

Step = Callable[[Waves], None]
Address = Callable[[Waves], np.ndarray]
Chosen = Any

_DIRECT = re.compile(r"(load|store)_([biu])(\d+)$")
_D16 = re.compile(r"(load|store)_(?:d16_(hi_)?)([biu])(\d+)$")
_LDS_D16 = re.compile(r"(load|store)_([biu])(\d+)_d16(_hi)?$")


class Access:
    """What a load or store moves: direction, words or bytes, and which half of the register."""

    def __init__(self, what: str) -> None:
        self.half: int | None = None
        found = _DIRECT.match(what)
        if found:
            direction, kind, bits = found.groups()
        elif found := _D16.match(what):
            direction, high, kind, bits = found.groups()
            self.half = 1 if high else 0
        elif found := _LDS_D16.match(what):
            direction, kind, bits, high = found.groups()
            self.half = 1 if high else 0
        else:
            raise UnknownInstructionError("unknown")
        self.is_load = direction == "load"
        self.signed = kind == "i"
        self.bytes = int(bits) // 8
        if self.bytes > 2 and self.half is not None or self.bytes not in (1, 2, 4, 8, 12, 16):
            raise UnknownInstructionError("unknown")
        self.words = -(-self.bytes // 4)

    def note(self, ops: Operands, register: int) -> None:
        """Say which registers are read or written."""
        registers = range(register, register + self.words)
        (ops.writes if self.is_load else ops.reads).update(registers)

    def move(self, st: Waves, space: Space, at: np.ndarray, register: int, there: Any) -> None:
        """Carry out for lanes that execute; those not in `there` load 0 and store nothing."""
        active = st.active
        if there is not True:
            active = there if active is True else active & there
        if self.is_load:
            self._load(st, space, at, register, active)
        elif self.bytes >= 4:
            space.write(at, st.v[register : register + self.words], active)
        else:
            values = st.v[register] >> np.uint32(16) if self.half else st.v[register]
            space.write_part(at, values, self.bytes, active)

    def _load(self, st: Waves, space: Space, at: np.ndarray, register: int, active: Any) -> None:
        if self.bytes >= 4:
            values = space.read(at, self.words, active)
            if active is not True:
                values = np.where(active, values, np.uint32(0))
            target = st.v[register : register + self.words]
            np.copyto(target, values, where=st.active)
            return
        value = space.read_part(at, self.bytes, active)
        if self.signed:
            kind = np.int16 if self.bytes == 2 else np.int8
            value = value.astype(kind).astype(np.int32).view(np.uint32)
        if active is not True:
            value = np.where(active, value, np.uint32(0))
        if self.half is None:
            np.copyto(st.v[register], value, where=st.active)
        else:
            np.copyto(st.u16[register, ..., self.half], value.astype(np.uint16), where=st.active)


# Scalar loads.

# The operand code of the number 0.
_ZERO = 128
_SCALAR_LOAD = re.compile(r"s_load_b(\d+)$")


def scalar_load(ops: Operands) -> Step:
    """S_LOAD: words from global memory into scalar registers."""
    found = _SCALAR_LOAD.match(ops.name)
    if not found:
        raise UnknownInstructionError("unknown")
    count = int(found[1]) // 32
    target, base = ops.field("sdata"), ops.scalar(2 * ops.field("sbase"), "u64")
    if ops.has("imm") and not ops.field("imm"):
        raise UnknownInstructionError("a scalar load without a constant offset")
    has_offset = not ops.has("soffset_en") or ops.field("soffset_en")
    offset = ops.scalar(ops.field("soffset") if has_offset else _ZERO)
    constant = ops.signed("offset")
    ops.s_writes.update(range(target, target + count))

    def step(st: Waves) -> None:
        at = (base(st).view(np.int64) - BASE) + offset(st) + constant
        words = st.around.memory.read((at & ~3)[:, None], count, True)
        st.around.global_bytes += st.count * 4 * count
        st.s[target : target + count] = words[:, :, 0]

    return step


# Global and flat memory.


def global_access(ops: Operands) -> Step:
    """GLOBAL_*: a 64-bit address, or a scalar base with a 32-bit offset."""
    access = Access(ops.name.removeprefix("global_"))
    register = ops.data_register("vdst" if access.is_load else "data")
    access.note(ops, register)
    address = _global_address(ops)

    def step(st: Waves) -> None:
        st.around.global_bytes += st.live * access.bytes
        access.move(st, st.around.memory, address(st), register, True)

    return step


def _global_address(ops: Operands) -> Address:
    offset = ops.signed("offset")
    base = ops.field("saddr")
    if base == ops.family.no_address:
        whole = ops.vector(ops.field("addr"), "u64")
        return lambda st: whole(st).view(np.int64) + (offset - BASE)
    scalar, vector = ops.scalar(base, "u64"), ops.vector(ops.field("addr"), "u32")
    return lambda st: (scalar(st).view(np.int64) + (offset - BASE))[:, None] + vector(st)


# Buffer resources.

# The bit of a resource's last word that adds the lane's number to addresses: scratch (GFX9).
_ADDS_LANE = np.uint32(1 << 23)


def buffer_access(ops: Operands) -> Step:
    """BUFFER_*: offsets from a base with a size; beyond it loads give 0 and stores do nothing."""
    access = Access(ops.name.removeprefix("buffer_"))
    if ops.field("idxen") or ops.field("tfe") or ops.field("lds"):
        raise UnknownInstructionError("a buffer access with an index, or to LDS")
    register = ops.data_register("vdata")
    access.note(ops, register)
    resource = 4 * ops.field("srsrc")
    words = [ops.scalar(resource + i) for i in range(4)]
    soffset = ops.scalar(ops.field("soffset"))
    offset = np.uint32(ops.field("offset"))
    vector = ops.vector(ops.field("vaddr"), "u32") if ops.field("offen") else None

    def step(st: Waves) -> None:
        low, high, records, flags = (word(st) for word in words)
        if ops.family.scratch_by_buffer and (flags & _ADDS_LANE).any():
            within = soffset(st)[:, None] + (vector(st) if vector is not None else 0) + offset
            _move_scratch(st, access, within, register)
            return
        if st.around.checks and ((high >> 16) & 0x3FFF).any():
            raise UnknownInstructionError("a buffer resource with a stride or a swizzle")
        base = low.astype(np.int64) | (high & np.uint32(0xFFFF)).astype(np.int64) << 32
        # The sum of the lane's offset and the constant wraps at 32 bits.
        within = vector(st) + offset if vector is not None else np.full((1, st.lanes), offset)
        limit = records.astype(np.int64) - soffset(st) - access.bytes
        there: Any = within.astype(np.int64) <= limit[:, None]
        if there.all():
            there = True
        else:
            there = np.broadcast_to(there, (st.count, st.lanes))
        at = (base + (soffset(st).astype(np.int64) - BASE))[:, None] + within
        st.around.global_bytes += st.live * access.bytes
        access.move(st, st.around.memory, at, register, there)

    return step


# LDS.

_TWO = re.compile(r"ds_(load|store)_2addr(_stride64)?_b(32|64)$")


def lds_access(ops: Operands) -> Step:
    """DS_*: loads and stores in the workgroup's memory, and two exchanges between lanes."""
    if ops.field("gds"):
        raise UnknownInstructionError("GDS")
    if ops.name in ("ds_bpermute_b32", "ds_permute_b32"):
        return _permute(ops)
    if ops.name == "ds_swizzle_b32":
        return _swizzle(ops)
    if found := _TWO.match(ops.name):
        return _two_addresses(ops, found[1], bool(found[2]), int(found[3]) // 8)
    access = Access(ops.name.removeprefix("ds_"))
    register = ops.data_register("vdst" if access.is_load else "data0")
    access.note(ops, register)
    offset = ops.field("offset0") | ops.field("offset1") << 8
    address = _LdsAddress(ops)

    def step(st: Waves) -> None:
        _move_lds(st, access, address.places(st), offset, register)

    return step


class _LdsAddress:
    """The address register of an LDS access, looked at once while nobody changes it."""

    def __init__(self, ops: Operands) -> None:
        self.register = ops.field("addr")
        self.reuses = ops.reuses_address
        ops.vector(self.register, "u32")

    def places(self, st: Waves) -> Places:
        """Where it points to."""
        if self.reuses:
            return st.places[self.register]
        found = st.around.lds.places(st.v[self.register], st.group, st.active)
        st.places[self.register] = found
        return found


def _move_lds(st: Waves, access: Access, places: Places, offset: int, register: int) -> None:
    lds = st.around.lds
    lds.check(places, offset, access.bytes, st.active)
    st.around.lds_bytes += st.live * access.bytes
    if st.around.checks:
        tags = st.epoch << np.uint32(8) | (st.slot.astype(np.uint32) + np.uint32(1))
        lds.watch(places.at + offset, access.bytes, access.is_load, tags, st.active)
        access.move(st, lds, places.at + offset, register, True)
    elif access.is_load and st.active is True:
        _load_lds(st, lds, access, places, offset, register)
    else:
        access.move(st, lds, places.at + offset, register, True)


def _load_lds(
    st: Waves, lds: Lds, access: Access, places: Places, offset: int, register: int
) -> None:
    """A load of all lanes that needs no look: gathers right into the registers."""
    if access.bytes >= 4:
        index = places.index(4)
        for i in range(access.words):
            source = lds.words[offset // 4 + i :]
            source.take(index, out=st.v[register + i], mode="clip")
    elif access.bytes == 2 and not access.signed:
        data = lds.words.view(np.uint16)[offset // 2 :].take(places.index(2))
        if access.half is None:
            st.v[register] = data
        else:
            st.u16[register, ..., access.half] = data
    else:
        access.move(st, lds, places.at + offset, register, True)


def _two_addresses(ops: Operands, what: str, strided: bool, size: int) -> Step:
    access = Access(f"{what}_b{8 * size}")
    scale = size * (64 if strided else 1)
    offsets = [scale * ops.field(f"offset{i}") for i in range(2)]
    if access.is_load:
        registers = [ops.data_register("vdst"), ops.data_register("vdst") + access.words]
    else:
        registers = [ops.data_register("data0"), ops.data_register("data1")]
    for register in registers:
        access.note(ops, register)
    address = _LdsAddress(ops)

    def step(st: Waves) -> None:
        places = address.places(st)
        for register, offset in zip(registers, offsets, strict=True):
            _move_lds(st, access, places, offset, register)

    return step


def _permute(ops: Operands) -> Step:
    """DS_BPERMUTE reads from the lane that an address chooses, DS_PERMUTE writes to it."""
    address, data = ops.vector(ops.field("addr"), "u32"), ops.vector(ops.field("data0"), "u32")
    put = ops.target("u32")
    offset = np.uint32(ops.field("offset0") | ops.field("offset1") << 8)
    backward = "bpermute" in ops.name

    def step(st: Waves) -> None:
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

    return step


def _swizzle(ops: Operands) -> Step:
    data, put = ops.vector(ops.field("addr"), "u32"), ops.target("u32")
    control = ops.field("offset0") | ops.field("offset1") << 8
    lane = np.arange(32)
    if control >= 0xC000:
        raise UnknownInstructionError(f"swizzle {control:#x}")
    if control & 0x8000:
        source = lane & ~3 | np.array([control >> 2 * (i & 3) & 3 for i in range(32)])
    else:
        source = ((lane & (control & 31)) | control >> 5 & 31) ^ (control >> 10 & 31)

    def step(st: Waves) -> None:
        values = data(st)
        if st.active is not True:
            values = np.where(st.active, values, 0).astype(np.uint32)
        every = np.concatenate([source + start for start in range(0, st.lanes, 32)])
        put(st, values[:, every])

    return step


# Scratch.


def _move_scratch(st: Waves, access: Access, within: np.ndarray, register: int) -> None:
    at = np.broadcast_to(within, (st.count, st.lanes)).astype(np.int64)
    scratch = st.around.scratch
    place = scratch.place(at, st.group, st.slot, access.bytes, st.active)
    access.move(st, scratch, place, register, True)


def scratch_access(ops: Operands) -> Step:
    """SCRATCH_*: memory of each lane for itself."""
    access = Access(ops.name.removeprefix("scratch_"))
    register = ops.data_register("vdst" if access.is_load else "data")
    access.note(ops, register)
    offset = ops.signed("offset")
    base = ops.field("saddr")
    scalar = ops.scalar(base) if base != ops.family.no_address else None
    vector = ops.vector(ops.field("addr"), "u32") if ops.field("sve") else None

    def step(st: Waves) -> None:
        at = np.full((st.count, st.lanes), offset, np.int64)
        if scalar is not None:
            at = at + scalar(st)[:, None]
        if vector is not None:
            at = at + vector(st)
        _move_scratch(st, access, at, register)

    return step




KINDS: dict[str, Callable[[Operands], Step]] = {
    "SMEM": scalar_load,
    "GLOBAL": global_access,
    "MUBUF": buffer_access,
    "DS": lds_access,
    "SCRATCH": scratch_access,
}
