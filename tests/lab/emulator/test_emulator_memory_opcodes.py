"""Every load and store that the emulator executes, against what AMD's name of it says.

The opcodes come from the instruction tables: one that is executed and not stated here fails. Three
waves with random registers and random memory execute one instruction; then all registers and all
memory are compared. Lanes that are switched off have addresses that lead nowhere.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from irattn.binary.codeobject import Instruction, opcodes
from irattn.lab.emulator import executes
from irattn.lab.emulator.machine.start import SCRATCH_BUFFER
from support.emulator.atomics import atomic_of
from support.emulator.by_name import by_name
from support.emulator.machine import MASK, WAVES
from support.emulator.moves import carry_out, move_of, word
from support.emulator.scene import (
    ADDRESS,
    BASE,
    BUFFER,
    CDNA,
    DATA,
    PITCH,
    SCRATCH,
    Scene,
    no_register,
    number_of,
)

pytestmark = pytest.mark.slow

GFX = ("gfx1100", "gfx1201", *CDNA)
# Registers: scalars for a resource and an offset.
RESOURCE, SOFFSET = 12, 30
# The last word of a raw buffer's resource, and where its bytes end: within what one lane moves.
RAW = {"gfx1100": 0x31014000, "gfx1201": 0x31014000, "gfx90a": 0x27000, "gfx942": 0x27000}
RECORDS = 3684
# gfx90a's scratch instructions have one address, and only its buffers may be scratch; CDNA has no
# register that is always 0.
MISSING = [("gfx90a", "both_some"), ("gfx90a", "neither"), *((gfx, "null") for gfx in CDNA)]
MISSING += [(gfx, "scratch_some") for gfx in GFX if gfx != "gfx90a"]
TESTED = ("DS", "GLOBAL", "VGLOBAL", "MUBUF", "VBUFFER", "SCRATCH", "VSCRATCH", "SMEM")
TESTED += ("FLAT", "VFLAT")


@cache
def by_their_names(gfx: str) -> list[Instruction]:
    """All opcodes, in one order in all processes that test."""
    return sorted(opcodes(gfx), key=lambda opcode: opcode.name)


def executed(*encodings: str) -> list[Any]:
    """The opcodes of encodings that the emulator executes, with their gfx."""
    return [
        pytest.param(gfx, opcode, id=f"{gfx}-{opcode.name}")
        for gfx in GFX
        for opcode in by_their_names(gfx)
        if opcode.encoding.__name__ in encodings and executes(opcode, gfx)
    ]


def each(ways: str, *encodings: str) -> Callable[[Any], Any]:
    """A test of these opcodes that are loads and stores, in several ways."""
    cases = [
        pytest.param(*case.values, way, id=f"{case.id}-{way}")
        for case, way in product(executed(*encodings), ways.split())
        if move_of(case.values[1].name) and (case.values[0], way) not in MISSING
    ]
    return by_name(cases, opcode_name)


def opcode_name(case: Any) -> str:
    return str(case.values[1].name)


# LDS.


@each("all some", "DS")
def test_lds(gfx: str, opcode: Any, way: str) -> None:
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx, some=way == "some")
    fields, data = scene.data(move, way)
    place = scene.places(min(move.size, 4))
    offsets = (36, 3)
    parts = {data: offsets[0] | offsets[1] << 8}
    if move.strides:
        # No multiple of the pitch lies between them.
        offsets = (43, 3)
        place -= place % PITCH
        second = data + move.size // 4 if move.is_load else data + 8
        parts = {data: 43 * move.strides, second: 3 * move.strides}
    if move.is_load:
        fields |= {"vdst": number_of(data)}
    else:
        fields |= {"data0": number_of(data), "data1": number_of(data + 8)}
    scene.point(ADDRESS, place)
    wanted = scene.held()
    for register, offset in parts.items():
        scene.move(
            move, wanted["LDS"], wanted["vector registers"], place + offset, register, 1 << 31
        )
    scene.run(word(opcode, addr=ADDRESS, offset0=offsets[0], offset1=offsets[1], **fields), wanted)


def exchanged(name: str, offset: int, scene: Scene) -> np.ndarray:
    """What lanes get from other lanes, as AMD's loops say: [waves, lanes]."""
    address, data = scene.v[ADDRESS], scene.v[DATA]
    given = np.zeros_like(data)
    for wave, lane in np.ndindex(data.shape):
        if name == "ds_swizzle_b32":
            given[wave, lane], source = 0, lane & 32 | swizzled(lane & 31, offset)
            if scene.active[wave, source]:
                given[wave, lane] = address[wave, source]
            continue
        other = (int(address[wave, lane]) + offset) // 4 % scene.lanes
        if name == "ds_bpermute_b32" and scene.active[wave, other]:
            given[wave, lane] = data[wave, other]
        if name == "ds_permute_b32" and scene.active[wave, lane]:
            given[wave, other] = data[wave, lane]
    return given


def swizzled(lane: int, control: int) -> int:
    """The lane of 32 that a lane reads: chosen in groups of four, or by bits."""
    if control >> 15:
        return lane & ~3 | control >> 2 * (lane & 3) & 3
    keep, set_, flip = (control >> shift & 31 for shift in (0, 5, 10))
    return (lane & keep | set_) ^ flip


EXCHANGES = {
    "ds_bpermute_b32": (0, 4, 0x1F38),
    "ds_permute_b32": (0, 4, 0x1F38),
    "ds_swizzle_b32": (0x801B, 0x80B1, 0x041F, 0x1C0F, 0x7C1F, 0x0018, 0x02D5),
}


@by_name((case for case in executed("DS") if opcode_name(case) in EXCHANGES), opcode_name)
def test_exchanges_of_lanes(gfx: str, opcode: Any) -> None:
    for offset, some in product(EXCHANGES[opcode.name], (False, True)):
        scene = Scene(gfx, some=some)
        wanted = scene.held()
        given = exchanged(opcode.name, offset, scene)
        wanted["vector registers"][ADDRESS][scene.active] = given[scene.active]
        places = {"offset0": offset & 255, "offset1": offset >> 8}
        scene.run(word(opcode, vdst=ADDRESS, addr=ADDRESS, data0=DATA, **places), wanted)


# Global memory.


@each("all some scalar_base scalar_base_some", "GLOBAL", "VGLOBAL")
def test_global_memory(gfx: str, opcode: Any, way: str) -> None:
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx, some="some" in way)
    fields, data = scene.data(move, way)
    # Words may lie anywhere.
    place = scene.places(min(move.size, 4)) + (np.arange(scene.lanes) % 4 if move.size > 2 else 0)
    if "scalar_base" in way:
        # The lane's offset has no sign.
        offset, far, start = 44, 0x9000_0000, scene.buffer + 64 * np.arange(WAVES)
        scene.base(BASE, start - far)
        scene.point(ADDRESS, scene.buffer + place + far - start[:, None] - offset)
        fields |= {"saddr": BASE}
    else:
        offset = -20
        scene.point(ADDRESS, scene.buffer + place - offset & MASK)
        scene.point(ADDRESS + 1, scene.buffer + place - offset >> 32)
        fields |= {"saddr": no_register(gfx)}
    wanted = scene.held()
    scene.move(move, wanted["buffer"], wanted["vector registers"], place, data, BUFFER)
    fields |= {"vdst" if move.is_load else "data": number_of(data)}
    scene.run(word(opcode, addr=ADDRESS, offset=offset, **fields), wanted)


@each("all some", "FLAT", "VFLAT")
def test_flat_memory(gfx: str, opcode: Any, way: str) -> None:
    """Offsets have no sign before RDNA4: the highest bit that they have does not count there."""
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx, some=way == "some")
    fields, data = scene.data(move, way)
    place = scene.places(min(move.size, 4))
    offset = -20 if gfx == "gfx1201" else 0x8F0
    scene.point(ADDRESS, scene.buffer + place - offset & MASK)
    scene.point(ADDRESS + 1, scene.buffer + place - offset >> 32)
    wanted = scene.held()
    scene.move(move, wanted["buffer"], wanted["vector registers"], place, data, BUFFER)
    fields |= {"vdst" if move.is_load else "data": number_of(data), "saddr": no_register(gfx)}
    scene.run(word(opcode, addr=ADDRESS, offset=offset, **fields), wanted)


# Buffers.


@each("all some no_lane_offset", "MUBUF", "VBUFFER")
def test_buffers(gfx: str, opcode: Any, way: str) -> None:
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx, some=way == "some")
    fields, data = scene.data(move, way)
    soffset, offset = np.array([0, 20, 40]), 44
    if way == "no_lane_offset":
        soffset = np.array([384, 768, RECORDS])
        within = np.full(scene.active.shape, offset)
        if not move.is_load:
            scene.switch(np.arange(scene.lanes) == np.array([[3], [0], [30]]))
    else:
        within = scene.places(min(move.size, 4)) - soffset[:, None]
        within[:, ::9] += 0xF000_0000
        at = soffset[:, None] + within
        # The lane whose bytes lie on both sides of the end takes part.
        scene.switch(scene.active | (at < RECORDS) & (at + 16 > RECORDS))
        scene.point(ADDRESS, within - offset)
        fields |= {"offen": 1}
    scene.base(RESOURCE, np.full(WAVES, scene.buffer))
    scene.s[RESOURCE + 2], scene.s[RESOURCE + 3] = RECORDS, RAW[gfx]
    scene.s[SOFFSET] = soffset
    wanted = scene.held()
    at = soffset[:, None] + within
    scene.move(move, wanted["buffer"], wanted["vector registers"], at, data, RECORDS)
    fields |= {"vdata": number_of(data), "vaddr": ADDRESS, "soffset": SOFFSET, "offset": offset}
    resource = RESOURCE if gfx == "gfx1201" else RESOURCE // 4
    scene.run(word(opcode, srsrc=resource, **fields), wanted)


# Scratch.


@each("lane lane_some scalar both_some neither", "SCRATCH", "VSCRATCH")
def test_scratch(gfx: str, opcode: Any, way: str) -> None:
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx, some="some" in way)
    fields, data = scene.data(move, way)
    unit, offset = min(move.size, 4), -8 if "lane" in way else 12
    lane = np.zeros(scene.active.shape, int)
    if "lane" in way or "both" in way:
        lane = 8 + unit * scene.rng.integers(0, 24 // unit, lane.shape)
        scene.point(ADDRESS, lane)
        # The first ones with scratch instructions have no such bit.
        fields |= {"sve": int(gfx != "gfx90a")}
    scalar = np.zeros(WAVES, int)
    fields |= {"saddr": no_register(gfx)}
    if way in ("scalar", "both_some"):
        scalar = np.array([0, 8, 4])
        scene.s[BASE] = scalar
        fields |= {"saddr": BASE}
    wanted = scene.held()
    at = lane + scalar[:, None] + offset
    own = wanted["scratch"].reshape(WAVES, scene.lanes, SCRATCH)
    scene.move(move, own, wanted["vector registers"], at, data, SCRATCH)
    fields |= {"vdst" if move.is_load else "data": number_of(data)}
    scene.run(word(opcode, addr=ADDRESS, offset=offset, **fields), wanted)


@each("scratch_some", "MUBUF")
def test_buffers_that_are_scratch(gfx: str, opcode: Any, way: str) -> None:
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx, some=True)
    fields, data = scene.data(move, way)
    unit, offset = min(move.size, 4), 12
    lane = unit * scene.rng.integers(0, 24 // unit, scene.active.shape)
    scene.point(ADDRESS, lane)
    soffset = np.array([0, 8, 4])
    # It counts the words of all lanes, which lie side by side.
    scene.s[SOFFSET] = scene.lanes * soffset
    for i, part in enumerate(SCRATCH_BUFFER):
        scene.s[RESOURCE + i] = part
    wanted = scene.held()
    own = wanted["scratch"].reshape(WAVES, scene.lanes, SCRATCH)
    at = lane + soffset[:, None] + offset
    scene.move(move, own, wanted["vector registers"], at, data, SCRATCH)
    fields |= {"vdata": number_of(data), "vaddr": ADDRESS, "soffset": SOFFSET, "offset": offset}
    scene.run(word(opcode, srsrc=RESOURCE // 4, offen=1, **fields), wanted)


# Scalar loads.


@each("constant register", "SMEM")
def test_scalar_loads(gfx: str, opcode: Any, way: str) -> None:
    move = move_of(opcode.name)
    assert move
    scene = Scene(gfx)
    # Whatever lanes execute.
    scene.switch(np.arange(scene.lanes) < np.array([[3], [0], [scene.lanes]]))
    at = 128 + 512 * np.arange(WAVES) + min(move.size, 4) * np.array([5, 0, 2])
    fields, data, soffset = {"soffset": no_register(gfx)}, 32, np.zeros(WAVES, int)
    offset = -16
    if way == "register":
        # A load that overwrites its base.
        fields, data, soffset, offset = {"soffset": SOFFSET}, BASE, np.array([4, 40, 64]), 24
        scene.s[SOFFSET] = soffset
        if gfx in CDNA:
            fields |= {"soffset_en": 1}
    # The low bits of a word's address do not count.
    low = np.array([1, 2, 3]) if move.size > 2 else 0
    scene.base(BASE, scene.buffer + at - soffset - offset + low)
    wanted = scene.held()
    for wave in range(WAVES):
        registers = wanted["scalar registers"][:, wave]
        carry_out(move, wanted["buffer"], registers, int(at[wave]), data, BUFFER)
    scene.run(word(opcode, sbase=BASE // 2, sdata=data, offset=offset, **fields), wanted)


@each("null", "SMEM")
def test_scalar_loads_into_no_register(gfx: str, opcode: Any, way: str) -> None:
    scene = Scene(gfx)
    scene.base(BASE, scene.buffer + np.zeros(WAVES, int))
    null = no_register(gfx)
    scene.run(word(opcode, sbase=BASE // 2, sdata=null, soffset=null, offset=16), scene.held())


# Caches.

INERT = ("_inv", "_inv_vol", "_wb", "_wb_vol", "_wbl2", "_wbinv")
INERT += ("_prefetch_data", "_prefetch_inst", "_pc_rel")


def is_stated(name: str) -> bool:
    """Whether a test here says what an instruction does."""
    is_known = move_of(name) is not None or atomic_of(name) is not None
    # Global loads right into LDS are in test_other_makers.
    is_known |= name.startswith("global_load_lds")
    return is_known or name in EXCHANGES or name.endswith(INERT)


@by_name((case for case in executed(*TESTED) if opcode_name(case).endswith(INERT)), opcode_name)
def test_caches_change_nothing(gfx: str, opcode: Any) -> None:
    scene = Scene(gfx, some=True)
    scene.run(word(opcode), scene.held())


@pytest.mark.parametrize("gfx", GFX)
def test_every_memory_opcode_is_stated(gfx: str) -> None:
    for opcode in opcodes(gfx):
        encoding = opcode.encoding.__name__
        if not encoding.startswith(("SOP", "VOP")) and executes(opcode, gfx):
            stated = encoding in TESTED and is_stated(opcode.name)
            assert stated, f"no statement of {opcode.name}"
