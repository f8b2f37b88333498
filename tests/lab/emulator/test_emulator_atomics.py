"""Every atomic that the emulator executes, against what AMD's name of it says.

Three waves act on few places of memory, so that several lanes meet at each: they do so in turn.
"""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import s, v

from irattn.binary.codeobject import opcodes
from irattn.core.errors import EmulatorError
from irattn.lab.emulator import executes
from support.emulator.atomics import Atomic, atomic_of
from support.emulator.by_name import by_name
from support.emulator.machine import MASK, TABLES, WAVES, Machine
from support.emulator.moves import word
from support.emulator.scene import ADDRESS, DATA, Scene, no_register

GFX = ("gfx1100", "gfx1201", "gfx90a", "gfx942")
INTO, PLACES = 40, 24
# The resource of a buffer, and its last word; a scalar that is 0 there.
RESOURCE, SOFFSET = 12, 30
RAW = {"gfx1100": 0x31014000, "gfx1201": 0x31014000, "gfx90a": 0x27000, "gfx942": 0x27000}


def cases(way: str, *encodings: str) -> Any:
    """The atomics of encodings, with their gfx, each in a way and without."""
    found = [
        pytest.param(gfx, opcode, on, id=f"{gfx}-{opcode.name}-{way}={on}")
        for gfx in GFX
        for opcode in sorted(opcodes(gfx), key=lambda one: one.name)
        if opcode.encoding.__name__ in encodings
        and atomic_of(opcode.name)
        and executes(opcode, gfx)
        for on in (False, True)
    ]
    return by_name(found, lambda case: case.values[1].name)


def ordinary(scene: Scene, atomic: Atomic) -> None:
    """Numbers of its kind in memory and registers: floats that are small, equal ones among all."""
    kind, width = atomic.kind
    for space in (scene.machine.memory.units[4], scene.lds.units[4]):
        _fill(scene, space, kind, width)
    for register in range(DATA, DATA + 8):
        _fill(scene, scene.v[register].reshape(-1), kind, width)


def _fill(scene: Scene, words: np.ndarray, kind: str, width: int) -> None:
    if kind in "ui":
        few = scene.rng.integers(0, 4, words.size).astype(np.uint32)
        words[...] = np.where(scene.rng.random(words.size) < 0.5, few, words)
        return
    count = words.size * 32 // width
    numbers = scene.rng.integers(-8, 9, count) / 4
    if kind == "bf":
        bits = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    else:
        bits = numbers.astype(f"f{width // 8}")
    words[...] = np.ascontiguousarray(bits).view(np.uint32)[: words.size]


def spots(scene: Scene, size: int, most: int) -> np.ndarray:
    """A place for each lane, of few: [waves, lanes]."""
    return most // 2 + size * 2 * scene.rng.integers(0, PLACES, scene.active.shape)


def expected(
    scene: Scene, atomic: Atomic, memory: np.ndarray, at: np.ndarray, given: list[int], into: int
) -> np.ndarray:
    """The vector registers afterwards; memory is changed."""
    v, words = scene.v.copy(), atomic.size // 4
    for wave, lane in np.argwhere(scene.active):
        start = int(at[wave, lane])
        old = memory[start : start + atomic.size].tobytes()
        sources = [scene.v[i : i + words, wave, lane].tobytes() for i in given]
        memory[start : start + atomic.size] = np.frombuffer(atomic.apply(old, *sources), np.uint8)
        if atomic.returns:
            v[into : into + words, wave, lane] = np.frombuffer(old, np.uint32)
    return v


@pytest.mark.slow
@cases("some", "DS")
def test_atomics_of_lds(gfx: str, opcode: Any, some: bool) -> None:
    atomic = atomic_of(opcode.name)
    assert atomic
    scene = Scene(gfx, some=some)
    ordinary(scene, atomic)
    place, words = spots(scene, atomic.size, 512), atomic.size // 4
    scene.point(ADDRESS, place)
    wanted = scene.held()
    if atomic.strides:
        # Of lanes that meet, the last one is seen by no other.
        place[...] = 64 + 16 * np.arange(place.size).reshape(place.shape)
        scene.point(ADDRESS, place)
        wanted = scene.held()
        for i, offset in enumerate((1, 5)):
            at, data = place + offset * atomic.strides, DATA + 4 * i
            v = expected(scene, atomic, wanted["LDS"], at, [data], INTO + i * words)
            changed = slice(INTO + i * words, INTO + (i + 1) * words)
            wanted["vector registers"][changed] = v[changed]
        offsets = {"offset0": 1, "offset1": 5}
    else:
        given = [DATA, DATA + 4][: atomic.sources]
        if atomic.reverses:
            given.reverse()
        at = place + 0x108
        wanted["vector registers"] = expected(scene, atomic, wanted["LDS"], at, given, INTO)
        offsets = {"offset0": 8, "offset1": 1}
    scene.run(word(opcode, vdst=INTO, addr=ADDRESS, data0=DATA, data1=DATA + 4, **offsets), wanted)


@pytest.mark.slow
@cases("returns", "GLOBAL", "VGLOBAL", "FLAT", "VFLAT")
def test_atomics_of_global_memory(gfx: str, opcode: Any, returns: bool) -> None:
    atomic = atomic_of(opcode.name)
    assert atomic
    atomic = Atomic(**{**vars(atomic), "returns": returns})
    scene = Scene(gfx, some=returns)
    ordinary(scene, atomic)
    place, offset = spots(scene, atomic.size, 4096), 24
    for i, part in enumerate((MASK, 32)):
        address = scene.buffer + place - offset
        scene.point(ADDRESS + i, address & part if i == 0 else address >> part)
    wanted = scene.held()
    given = [DATA + i * atomic.size // 4 for i in range(atomic.sources)]
    wanted["vector registers"] = expected(scene, atomic, wanted["buffer"], place, given, INTO)
    flag = {"glc": 1, "sc0": 1, "th": 1} if returns else {}
    fields = {name: bit for name, bit in flag.items() if name in dict(opcode.encoding._fields)}
    fields |= {"vdst": INTO, "addr": ADDRESS, "data": DATA, "offset": offset}
    scene.run(word(opcode, saddr=no_register(gfx), **fields), wanted)


@pytest.mark.slow
@cases("returns", "MUBUF", "VBUFFER")
def test_atomics_of_buffers(gfx: str, opcode: Any, returns: bool) -> None:
    """Some lanes are beyond the end: they change nothing, and get 0."""
    atomic = atomic_of(opcode.name)
    assert atomic
    atomic = Atomic(**{**vars(atomic), "returns": returns})
    scene = Scene(gfx, some=returns)
    ordinary(scene, atomic)
    place, offset = spots(scene, atomic.size, 4096), 24
    scene.point(ADDRESS, place - offset)
    records = 2048 + 32 * atomic.size
    scene.base(RESOURCE, np.full(WAVES, scene.buffer))
    scene.s[RESOURCE + 2], scene.s[RESOURCE + 3] = records, RAW[gfx]
    scene.s[SOFFSET] = 0
    wanted = scene.held()
    given = [DATA + i * atomic.size // 4 for i in range(atomic.sources)]
    executing = scene.active
    scene.active = executing & (place + atomic.size <= records)
    v = expected(scene, atomic, wanted["buffer"], place, given, DATA)
    if returns:
        v[DATA : DATA + atomic.size // 4, executing & ~scene.active] = 0
    wanted["vector registers"] = v
    flag = {"glc": 1, "sc0": 1, "th": 1} if returns else {}
    fields = {name: bit for name, bit in flag.items() if name in dict(opcode.encoding._fields)}
    fields |= {"vdata": DATA, "vaddr": ADDRESS, "offen": 1, "offset": offset}
    fields |= {"srsrc": RESOURCE if gfx == "gfx1201" else RESOURCE // 4, "soffset": SOFFSET}
    scene.run(word(opcode, **fields), wanted)


def test_an_exchange_may_overwrite_what_it_is_given() -> None:
    """Its first result goes where its second source is."""
    machine = Machine()
    lds = machine.waves.around.lds.units[4]
    lds[:] = np.arange(lds.size) + 100
    place = 8 * np.arange(32, dtype=np.uint32)
    machine.set(0, np.tile(place, (WAVES, 1)))
    machine.set(1, np.tile(place + 1, (WAVES, 1)))
    machine.set(2, np.tile(place + 2, (WAVES, 1)))
    machine.set_scalar(126, 0xFF)
    exchange = TABLES["gfx1100"].ds_storexchg_2addr_rtn_b32
    machine.run(exchange(v[2:3], v[0], v[1], v[2], offset0=0, offset1=1))
    last = machine.waves.v[2:4, WAVES - 1, :8]
    assert last.tolist() == [(place[:8] + 1).tolist(), (place[:8] + 2).tolist()]
    assert machine.waves.v[2, 0, :8].tolist() == (2 * np.arange(8) + 100).tolist()
    assert lds[:4].tolist() == [1, 2, 9, 10]


def test_waves_that_add_do_not_race() -> None:
    """But one that adds races with one that stores."""
    ins = TABLES["gfx1100"]
    for store in (False, True):
        machine = Machine(checks=True)
        machine.waves.around.lds.write_part(
            np.arange(8)[None], np.zeros((1, 8), np.uint32), 1, True
        )
        machine.set(0, np.zeros((WAVES, 32), np.uint32))
        machine.set(1, np.ones((WAVES, 32), np.uint32))
        code = [ins.ds_add_u32(addr=v[0], data0=v[1])]
        if store:
            machine.set_scalar(126, 1)
            code.append(ins.ds_store_b32(addr=v[0], data0=v[1]))
            with pytest.raises(EmulatorError, match="race in LDS"):
                machine.run(*code)
            continue
        machine.run(*code)
        assert machine.waves.around.lds.units[4][0] == WAVES * 32


def test_atomics_lie_at_multiples_of_their_size() -> None:
    machine = Machine(checks=True)
    address = machine.memory.allocate("buffer", 64, np.zeros(64, np.uint8))
    machine.set_scalar(4, address & MASK)
    machine.set_scalar(5, address >> 32)
    machine.set(0, np.full((WAVES, 32), 2, np.uint32))
    with pytest.raises(EmulatorError, match="misaligned atomic access of 4 bytes"):
        machine.run(TABLES["gfx1100"].global_atomic_add_u32(addr=v[0], data=v[0], saddr=s[4:5]))
