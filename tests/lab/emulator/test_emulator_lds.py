"""LDS at any byte and beyond its end, and loads from memory right into it."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import EXEC, s, v
from tinygrad.runtime.autogen.amd.cdna import ins as cdna
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.measure.traffic import Traffic
from tests.support.emulator.machine import LANES, TABLES, WAVES, Machine

BYTES = np.arange(1, 65, dtype=np.uint8)


def at_byte(gfx: str, byte: int, size: int) -> Machine:
    """Lane by lane an address of 16 bytes' room, and from it `byte` bytes on, in v0."""
    new = Machine(gfx, checks=True, lds=WAVES * 64 * 16 + 64)
    lane = np.arange(WAVES * new.lanes, dtype=np.uint32).reshape(WAVES, new.lanes)
    new.set(0, 32 * (lane % 16) + np.uint32(byte))
    new.set(1, np.zeros_like(lane))
    for i in range(4):
        new.set(2 + i, np.full_like(lane, int(BYTES[4 * i : 4 * i + 4].view(np.uint32)[0])))
    return new


# On each family a store and a load, and the bytes that both move.
ANYWHERE = [
    *[
        (gfx, f"ds_store_{bits}", f"ds_load_{bits}", size)
        for gfx in ("gfx1100", "gfx1201")
        for bits, size in (("b32", 4), ("b64", 8), ("b96", 12), ("b128", 16))
    ],
    ("gfx942", "ds_write_b64", "ds_read_b64", 8),
    ("gfx90a", "ds_write_b128", "ds_read_b128", 16),
]


@pytest.mark.parametrize(("gfx", "store", "load", "size"), ANYWHERE)
def test_loads_and_stores_lie_at_any_byte(gfx: str, store: str, load: str, size: int) -> None:
    table, last = TABLES[gfx], 1 + size // 4
    wait = table.s_wait_dscnt(0) if gfx == "gfx1201" else table.s_waitcnt(0)
    for byte in (1, 2, 3, 7):
        new = at_byte(gfx, byte, size)
        code = [
            getattr(table, store)(addr=v[0], data0=v[2:last]),
            wait,
            getattr(table, load)(vdst=v[10 : 8 + last], addr=v[0]),
        ]
        only_first(new)
        new.run(*code)
        got = new.waves.v[10 : 10 + size // 4, 0, 5].astype("<u4").view(np.uint8)
        assert got.tolist() == BYTES[:size].tolist()
        first = 32 * 5 + byte
        assert new.waves.around.lds.units[1][first : first + size].tolist() == got.tolist()


def only_first(new: Machine, lanes: int = 16) -> None:
    """Let the first wave execute, in its first lanes."""
    new.waves.s[126], new.waves.s[127] = 0, 0
    new.waves.s[126, 0] = (1 << lanes) - 1
    new.waves.set_exec()


def test_waves_that_share_a_word_do_not_race_for_it() -> None:
    """Each lane stores a word two bytes on, next to that of the lane before."""
    new = Machine(checks=True)
    own = 4 * np.arange(WAVES * LANES, dtype=np.uint32).reshape(WAVES, LANES) + np.uint32(2)
    new.set(0, own)
    new.run(ins.ds_store_b32(addr=v[0], data0=v[0]))
    new.set(0, own + np.uint32(1))
    with pytest.raises(EmulatorError, match="race in LDS"):
        new.run(ins.ds_load_b32(vdst=v[1], addr=v[0]))


def test_a_word_across_two_takes_both_banks() -> None:
    at, every = 128 * np.arange(32, dtype=np.int64)[None], True
    cycles = []
    for byte in (0, 2):
        traffic = Traffic(1 << 16, "gfx1100")
        traffic.note_lds(at + byte, 4, every, np.zeros(len(at), int), is_load=True)
        cycles.append(traffic.lds_cycles)
    # All lanes in one bank, or in each of two.
    assert cycles == [32, 32]
    for byte, expected in ((0, 1), (2, 2)):
        traffic = Traffic(1 << 16, "gfx1100")
        at = 4 * np.arange(32, dtype=np.int64)[None] + byte
        traffic.note_lds(at, 4, True, np.zeros(1, int), is_load=True)
        assert traffic.lds_cycles == expected


def test_the_end_of_a_vector_may_lie_beyond_lds() -> None:
    """Of 6 bytes, all are stored and 8 are loaded."""
    new = Machine(checks=True, lds=6)
    new.set(0, np.zeros((WAVES, LANES), np.uint32))
    new.set(1, np.full((WAVES, LANES), 0x04030201, np.uint32))
    new.set(4, np.full((WAVES, LANES), 4, np.uint32))
    only_first(new, lanes=1)
    new.run(
        ins.ds_store_b32(addr=v[0], data0=v[1]),
        ins.ds_store_b16(addr=v[4], data0=v[1]),
        ins.s_waitcnt(0),
        ins.ds_load_b64(vdst=v[2:3], addr=v[0]),
        ins.s_waitcnt(0),
        ins.ds_store_b32(addr=v[0], data0=v[2]),
        ins.ds_store_b16(addr=v[0], data0=v[3]),
    )
    assert new.waves.v[3, 0, 0] & 0xFFFF == 0x0201
    with pytest.raises(EmulatorError, match="read of v3, which was never written"):
        new.run(ins.ds_store_b32(addr=v[0], data0=v[3]))
    with pytest.raises(EmulatorError, match="access of 8 bytes outside LDS"):
        new.run(ins.ds_store_b64(addr=v[0], data0=v[1:2]))
    new.set(0, np.full((WAVES, LANES), 6, np.uint32))
    with pytest.raises(EmulatorError, match="access of 4 bytes outside LDS"):
        new.run(ins.ds_load_b32(vdst=v[2], addr=v[0]))


# Loads right into LDS. Each wave has 2 KiB of its own.

OWN = 2048
SIZES = {
    "ubyte": (1, 4, ("gfx90a", "gfx942", "gfx950")),
    "sshort": (2, 4, ("gfx942",)),
    "dword": (4, 4, ("gfx90a", "gfx942", "gfx950")),
    "dwordx3": (12, 16, ("gfx950",)),
    "dwordx4": (16, 16, ("gfx950",)),
}
FORMS = [(gfx, what) for what, (_, _, chips) in SIZES.items() for gfx in chips]


READ = cdna.ds_read_b128(vdst=v[4:7], addr=v[1])
NONE, ONE = cdna.s_waitcnt(0x0F70), cdna.s_waitcnt(0x0F71)
EARLY = "access to LDS before what is loaded right into it is there"


def buffer(gfx: str, records: int = 4096) -> tuple[Machine, np.ndarray]:
    """A resource in s8 to s11, offsets in v0 that go backwards, and M0 by wave."""
    new = Machine(gfx, checks=True, lds=WAVES * OWN)
    data = np.random.default_rng(3).integers(1, 256, 4096, dtype=np.uint8)
    address = new.memory.allocate("buffer", len(data), data)
    flags = 1 << 17 | 1 << 15
    for i, word in enumerate((address & 0xFFFFFFFF, address >> 32, records, flags)):
        new.set_scalar(8 + i, word)
    backwards = 16 * np.arange(64, dtype=np.uint32)[::-1]
    new.set(0, np.tile(backwards, (WAVES, 1)))
    new.set(1, np.tile(16 * np.arange(64, dtype=np.uint32), (WAVES, 1)))
    new.waves.s[124] = OWN * np.arange(WAVES)
    new.waves.written.scalar.add(124)
    return new, data


def load(what: str, **more: int) -> Any:
    words = {"dwordx2": 2, "dwordx3": 3, "dwordx4": 4}.get(what, 1)
    make = getattr(cdna, f"buffer_load_{what}")
    data = v[0 : words - 1] if words > 1 else v[0]
    return make(data, v[0], s[8:11], 128, offen=1, lds=1, **more)


@pytest.mark.parametrize(("gfx", "what"), FORMS)
def test_lanes_lie_side_by_side_in_lds(gfx: str, what: str) -> None:
    """From M0 and the offset on; the offset counts for memory too."""
    size, stride, _ = SIZES[what]
    new, data = buffer(gfx)
    new.run(load(what, offset=32))
    lds = new.waves.around.lds.units[1]
    for wave in range(WAVES):
        for lane in (0, 1, 40, 63):
            first = wave * OWN + 32 + stride * lane
            start = 32 + 16 * (63 - lane)
            wanted = data[start : start + size].tolist()
            if what == "sshort":
                wanted += [255 * (wanted[1] > 127)] * 2
            wanted += [0] * (max(size, 4) - len(wanted))
            assert lds[first : first + len(wanted)].tolist() == wanted
            # Nobody writes the fourth word of three.
            assert not lds[first + max(size, 4) : first + stride].any()


def test_what_lies_beyond_the_resource_is_zero_in_lds() -> None:
    new, data = buffer("gfx950", records=16 * 62 + 4)
    new.set(1, new.waves.s[124][:, None] + new.waves.v[1])
    new.run(load("dwordx4"), NONE, READ)
    held = new.waves.around.lds.units[4][:16].tolist()
    words = data.view(np.uint32)
    assert held[:4] == [0, 0, 0, 0]
    assert held[4:8] == [int(words[4 * 62]), 0, 0, 0]
    assert held[8:12] == words[4 * 61 : 4 * 62].tolist()


def test_lanes_that_do_not_execute_leave_lds_alone() -> None:
    new, _ = buffer("gfx950")
    new.run(cdna.s_mov_b64(EXEC, 5), load("dword"))
    known = new.waves.around.lds.known[1]
    assert [bool(known[4 * lane] & 1) for lane in range(4)] == [True, False, True, False]


@pytest.mark.parametrize(
    ("gfx", "what", "message"),
    [
        ("gfx942", "dwordx4", "more than a word right into LDS"),
        ("gfx950", "dwordx2", "unknown"),
        ("gfx950", "short_d16", "unknown"),
    ],
)
def test_other_widths_are_refused(gfx: str, what: str, message: str) -> None:
    new, _ = buffer(gfx)
    with pytest.raises(EmulatorError, match=message):
        new.run(load(what))


def test_it_leaves_no_room_beyond_lds() -> None:
    new, _ = buffer("gfx950")
    new.waves.s[124] = WAVES * OWN - 64
    with pytest.raises(EmulatorError, match="outside LDS"):
        new.run(load("dword"))


def test_a_wave_waits_for_what_it_loads() -> None:
    for wait, stops in ((NONE, False), (ONE, True)):
        new, _ = buffer("gfx950")
        new.set(1, new.waves.s[124][:, None] + new.waves.v[1])
        code = [load("dwordx4"), wait, READ]
        if stops:
            with pytest.raises(EmulatorError, match=EARLY):
                new.run(*code)
        else:
            new.run(*code)


def test_loads_end_in_order() -> None:
    """The second one is for later: one wait for the first is enough."""
    new, _ = buffer("gfx950")
    new.set(1, new.waves.s[124][:, None] + new.waves.v[1])
    later = load("dwordx4", offset=1024)
    new.run(load("dwordx4"), later, ONE, READ)
    with pytest.raises(EmulatorError, match=EARLY):
        new.run(cdna.ds_read_b128(vdst=v[4:7], addr=v[1], offset1=4))


@pytest.mark.parametrize("schedule", ["lockstep", "serial", "reverse"])
def test_others_look_after_a_wait_and_a_barrier(schedule: str) -> None:
    """Each wave reads what the first one has loaded."""
    for before, after, message in (
        ([NONE], [], None),
        ([ONE], [], EARLY),
        ([], [NONE], EARLY),
        (None, [NONE], "race in LDS"),
    ):
        new, _ = buffer("gfx950")
        barrier = [] if before is None else [*before, cdna.s_barrier()]
        code = [load("dwordx4"), *barrier, *after, READ]
        if message is None:
            new.run(*code, schedule=schedule)
        else:
            with pytest.raises(EmulatorError, match=message):
                new.run(*code, schedule=schedule)


def test_it_counts_in_memory_and_in_lds() -> None:
    new, _ = buffer("gfx950")
    around = new.waves.around
    around.meter = Traffic(1 << 16, "gfx950")
    new.run(load("dwordx4"))
    assert around.global_bytes == around.lds_bytes == WAVES * 64 * 16
    assert around.meter.touched_bytes == 1024
    assert around.meter.lds_cycles == around.meter.lds_phases == WAVES * 4


# Loads that transpose.


def test_halves_change_lanes() -> None:
    """Half `n` of lane `l` was half `l % 4` of lane `l / 4 % 4 + 4 n` of its 16."""
    new = Machine("gfx950", checks=True, lds=WAVES * OWN)
    halves = np.arange(WAVES * OWN // 2, dtype=np.uint16)
    new.waves.around.lds.write_part(
        2 * np.arange(len(halves))[None], halves[None].astype(np.uint32), 2, True
    )
    lane = np.arange(64, dtype=np.uint32)
    new.set(0, 24 * lane + np.uint32(OWN) * np.arange(WAVES, dtype=np.uint32)[:, None])
    new.run(cdna.ds_read_b64_tr_b16(vdst=v[4:5], addr=v[0], offset0=8))
    for wave in range(WAVES):
        for one in (0, 1, 6, 15, 16, 37, 63):
            for n in range(4):
                source = one // 16 * 16 + one // 4 % 4 + 4 * n
                wanted = (wave * OWN + 24 * source + 8) // 2 + one % 4
                assert new.waves.u16[4 + n // 2, wave, one, n % 2] == wanted


def test_halves_that_nobody_wrote_change_lanes_too() -> None:
    """Of lane 4, which gives its halves to lanes 0 to 3 as their second."""
    new = Machine("gfx950", checks=True, lds=WAVES * OWN)
    new.set(0, np.tile(8 * np.arange(64, dtype=np.uint32), (WAVES, 1)))
    new.set(1, np.tile(8 * np.arange(64, dtype=np.uint32), (WAVES, 1)))
    every = np.arange(64)[None] != 4
    new.waves.around.lds.write(8 * np.arange(64)[None], np.ones((2, 1, 64), np.uint32), every)
    new.run(cdna.ds_read_b64_tr_b16(vdst=v[4:5], addr=v[0]))
    lacks = [bool(bits) for bits in new.waves.written.unwritten(4)[0]]
    assert [lane for lane in range(64) if lacks[lane]] == [0, 1, 2, 3]
    assert int(new.waves.written.unwritten(4)[0, 0]) == 0xFFFF0000
    assert not new.waves.written.unwritten(5).any()


def test_it_takes_cdna_4_and_all_lanes() -> None:
    load_halves = cdna.ds_read_b64_tr_b16(vdst=v[4:5], addr=v[0])
    for gfx, before, message in (
        ("gfx942", [], "a load that transposes"),
        ("gfx950", [cdna.s_mov_b64(EXEC, 1)], "with lanes that do not execute"),
    ):
        new = Machine(gfx, checks=True, lds=WAVES * OWN)
        new.set(0, np.zeros((WAVES, 64), np.uint32))
        with pytest.raises(EmulatorError, match=message):
            new.run(*before, load_halves)
