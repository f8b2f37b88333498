"""What code of other makers does and ours does not: each is executed, and no more than that."""

import struct
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, s, ttmp, v
from tinygrad.runtime.autogen.amd.cdna import ins as g9
from tinygrad.runtime.autogen.amd.rdna3 import ins as g11
from tinygrad.runtime.autogen.amd.rdna4 import ins as g12

from irattn.binary.codeobject import KernelArgument, read_code_object
from irattn.core.errors import EmulatorError
from irattn.lab.emulator import Memory, launch
from irattn.lab.emulator.machine.descriptor import read_descriptor
from irattn.lab.emulator.machine.hidden_arguments import with_hidden
from support.code_object import assembled
from support.emulator.machine import LANES, TABLES, WAVES, Machine
from support.scale_kernel import BUFFERS, scale_instructions

NAN, ONE = 0x7FC00001, 0x3F800000
WAVE = np.arange(WAVES, dtype=np.uint32)[:, None]


def filled(value: int, lanes: int = LANES) -> np.ndarray:
    return np.full((WAVES, lanes), value, np.uint32)


# Modes.


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx90a", "gfx942"])
def test_clamps_leave_nan_alone_where_the_mode_says_so(gfx: str) -> None:
    table = TABLES[gfx]
    mix = getattr(table, "v_fma_mix_f32", None) or table.v_mad_mix_f32
    for keeps, expected in ((False, 0), (True, NAN)):
        machine = Machine(gfx, keeps_nan=keeps)
        for register, value in ((1, NAN), (2, ONE), (6, 0x40000000)):
            machine.set(register, filled(value, machine.lanes))
        machine.run(
            table.v_add_f32_e64(v[3], v[1], v[2], clmp=1),
            mix(v[4], v[1], v[2], v[2], opsel_hi=0, opsel_hi2=0, clmp=1),
            table.v_add_f32_e64(v[5], v[6], v[2], clmp=1),
        )
        assert [int(machine.waves.v[i, 0, 0]) for i in (3, 4, 5)] == [expected, expected, ONE]


def test_the_descriptor_says_whether_clamps_leave_nan_alone() -> None:
    code = scale_instructions("gfx942")
    elf = bytearray(assembled("scale", "gfx942", code, BUFFERS))
    kernel = read_code_object(bytes(elf)).kernels[0]
    assert not read_descriptor(kernel, "gfx942").keeps_nan
    at = elf.index(kernel.descriptor) + 48
    (word,) = struct.unpack_from("<I", elf, at)
    struct.pack_into("<I", elf, at, word & ~(1 << 21))
    assert read_descriptor(read_code_object(bytes(elf)).kernels[0], "gfx942").keeps_nan


def test_mixed_products_of_cdna_are_rounded_once() -> None:
    """(1 + 2**-23)**2 - (1 + 2**-22) is 2**-46."""
    machine = Machine("gfx942")
    near, far = np.float32(1 + 2.0**-23), np.float32(-1 - 2.0**-22)
    for register, value in ((1, near), (2, far)):
        machine.set(register, np.full((WAVES, machine.lanes), value, np.float32))
    machine.run(g9.v_mad_mix_f32(v[3], v[1], v[1], v[2], opsel_hi=0, opsel_hi2=0))
    assert (machine.waves.f[3] == np.float32(2.0**-46)).all()


# What waves start with.


def test_a_wave_of_rdna4_finds_its_number_in_ttmp8() -> None:
    code = [
        g12.s_load_b64(s[2:3], s[0:1], ioffset=0, soffset=NULL),
        g12.s_bfe_u32(s[4], ttmp[8], 5 << 16 | 25),
        g12.v_mov_b32_e32(v[1], s[4]),
        g12.v_lshlrev_b32_e32(v[2], 2, v[0]),
        g12.s_wait_kmcnt(0),
        g12.global_store_b32(vaddr=v[2:3], vsrc=v[1], saddr=s[2:3]),
    ]
    found = launched_on_rdna4(code)
    assert found.tolist() == [0] * 32 + [1] * 32 + [2] * 32
    # Nobody knows the other bits.
    code[1] = g12.s_bfe_u32(s[4], ttmp[8], 6 << 16 | 25)
    with pytest.raises(EmulatorError, match="v1, which was never written"):
        launched_on_rdna4(code)


def launched_on_rdna4(code: list[Any]) -> np.ndarray:
    memory = Memory()
    out = memory.allocate("out", 384)
    object_ = read_code_object(assembled("k", "gfx1201", code, [("global_buffer", 8)]))
    launch(object_, "k", (1, 1, 1), (96, 1, 1), struct.pack("<Q", out), memory)
    return memory.get(out, 384).view(np.uint32)


def test_a_hostcall_buffer_is_nowhere_and_dynamic_lds_has_its_size() -> None:
    code = scale_instructions("gfx942")
    arguments = [
        ("global_buffer", 8),
        ("hidden_hostcall_buffer", 8),
        ("hidden_dynamic_lds_size", 4),
    ]
    kernel = read_code_object(assembled("k", "gfx942", code, arguments)).kernels[0]
    assert kernel.arguments[1] == KernelArgument("hidden_hostcall_buffer", 8, 8)
    given = with_hidden(kernel, b"\xff" * 20, (1, 1, 1), (64, 1, 1), 4096)
    assert given == b"\xff" * 8 + bytes(8) + (4096).to_bytes(4, "little")


# Memory.


def buffer_of(machine: Machine, records: int, stride: int, flags: int) -> None:
    """A resource of 64 bytes in s8 to s11."""
    address = machine.memory.allocate("buffer", 64, np.arange(16, dtype=np.uint32))
    words = address & 0xFFFFFFFF, address >> 32 | stride << 16, records, flags
    for register, word in enumerate(words, 8):
        machine.set_scalar(register, word)
    machine.set(1, np.tile(4 * (np.arange(machine.lanes, dtype=np.uint32) % 16), (WAVES, 1)))


FLAGS = {"gfx1100": 0x31014000, "gfx942": 1 << 17 | 1 << 15}


def load_buffer(gfx: str) -> Any:
    if gfx == "gfx942":
        return g9.buffer_load_dword(v[2], v[1], s[8:11], 128, offen=1)
    return g11.buffer_load_b32(v[2], v[1], s[8:11], 128, offen=1)


@pytest.mark.parametrize("gfx", FLAGS)
def test_a_resource_may_say_that_it_does_not_know_its_size(gfx: str) -> None:
    machine = Machine(gfx, checks=True)
    buffer_of(machine, (1 << 31) - 2, 0, FLAGS[gfx])
    machine.run(load_buffer(gfx))
    assert (machine.waves.v[2] == machine.waves.v[1] // 4).all()
    # What is beyond the size is 0, and what is beyond the buffer nobody's.
    machine.waves.v[1, 0, 0] = 1 << 31
    machine.run(load_buffer(gfx))
    assert machine.waves.v[2, 0, 0] == 0
    machine.waves.v[1, 0, 0] = 64
    with pytest.raises(EmulatorError, match="outside any buffer"):
        machine.run(load_buffer(gfx))
    machine.set_scalar(10, (1 << 31) - 3)
    with pytest.raises(EmulatorError, match="bytes beyond its buffer"):
        machine.run(load_buffer(gfx))


@pytest.mark.parametrize("gfx", FLAGS)
def test_a_stride_is_for_indices_alone(gfx: str) -> None:
    machine = Machine(gfx, checks=True)
    buffer_of(machine, 64, 16, FLAGS[gfx])
    machine.run(load_buffer(gfx))
    assert (machine.waves.v[2] == machine.waves.v[1] // 4).all()
    machine.set_scalar(9, int(machine.waves.s[9, 0]) | 1 << 31)
    with pytest.raises(EmulatorError, match="not raw memory"):
        machine.run(load_buffer(gfx))


def test_a_scalar_load_adds_a_register_a_constant_or_both() -> None:
    plain = g9.s_load_dword(s[4], s[2:3], imm=1)
    raw = int.from_bytes(plain.to_bytes(), "little")
    fields = dict(type(plain)._fields)

    def with_fields(**values: int) -> Any:
        bits = raw
        for name, value in values.items():
            bits = bits & ~(fields[name].mask << fields[name].lo) | value << fields[name].lo
        return type("Raw", (), {"to_bytes": lambda self: bits.to_bytes(8, "little")})()

    for given, at in (
        ({"imm": 1, "offset": 8}, 8),
        ({"imm": 0, "offset": 7}, 20),
        ({"imm": 0, "soffset_en": 1, "soffset": 7, "offset": 4}, 20),
        ({"imm": 1, "soffset_en": 1, "soffset": 7, "offset": 4}, 24),
    ):
        machine = Machine("gfx942", checks=True)
        address = machine.memory.allocate("buffer", 64, np.arange(16, dtype=np.uint32))
        for register, word in ((2, address & 0xFFFFFFFF), (3, address >> 32), (7, 20)):
            machine.set_scalar(register, word)
        machine.run(with_fields(**given))
        assert machine.waves.s[4, 0] == at // 4, given


def wide_load(what: str, words: int, *after: Any) -> tuple[Machine, np.ndarray]:
    """Lanes that load backwards from memory at s8 right into LDS, whose place is in M0."""
    machine = Machine("gfx950", checks=True, lds=WAVES * 2048)
    data = np.random.default_rng(3).integers(1, 1 << 32, 1024, dtype=np.uint32)
    address = machine.memory.allocate("buffer", data.nbytes, data)
    for register, word in ((8, address & 0xFFFFFFFF), (9, address >> 32), (124, 0)):
        machine.set_scalar(register, word)
    machine.waves.s[124] = 2048 * np.arange(WAVES)
    machine.set(0, np.tile(16 * np.arange(64, dtype=np.uint32)[::-1], (WAVES, 1)))
    machine.set(1, np.uint32(2048) * WAVE + 4 * words * np.arange(64, dtype=np.uint32))
    machine.waves.v[1] += np.uint32(32)
    data_of = v[0 : words - 1] if words > 1 else v[0]
    load = getattr(g9, f"global_load_lds_{what}")
    machine.run(load(data_of, addr=v[0], saddr=s[8:9], offset=32), *after)
    return machine, data


# The words that a lane loads, and what it makes of them.
GLOBAL_LOADS = {
    "ubyte": (1, lambda word: word & 0xFF),
    "sbyte": (1, lambda word: word.astype(np.int8).astype(np.uint32)),
    "ushort": (1, lambda word: word & 0xFFFF),
    "sshort": (1, lambda word: word.astype(np.int16).astype(np.uint32)),
    "dword": (1, lambda word: word),
    "dwordx3": (3, lambda word: word),
    "dwordx4": (4, lambda word: word),
}


@pytest.mark.parametrize("what", GLOBAL_LOADS)
def test_global_loads_go_right_into_lds(what: str) -> None:
    """The offset counts for memory and for LDS, where three words take as much room as four."""
    words, made = GLOBAL_LOADS[what]
    machine, data = wide_load(what, words)
    held = machine.waves.around.lds.units[4]
    for wave in range(WAVES):
        for lane in (0, 1, 40, 63):
            first = (2048 * wave + 32) // 4 + (4 if words > 1 else 1) * lane
            start = 8 + 4 * (63 - lane)
            wanted = made(data[start : start + words])
            assert held[first : first + words].tolist() == wanted.tolist()


def test_cdna_2_has_no_global_loads_into_lds() -> None:
    with pytest.raises(EmulatorError, match="a global load right into LDS"):
        Machine("gfx90a").run(g9.global_load_lds_dword(v[0], addr=v[0], saddr=s[8:9]))


def test_a_wave_waits_for_global_loads_into_lds() -> None:
    read = g9.ds_read_b128(vdst=v[4:7], addr=v[1])
    wide_load("dwordx4", 4, g9.s_waitcnt(0x0F70), read)
    with pytest.raises(EmulatorError, match="before what is loaded right into it is there"):
        wide_load("dwordx4", 4, read)
    with pytest.raises(EmulatorError, match="more than a word right into LDS"):
        Machine("gfx942").run(g9.global_load_lds_dwordx4(v[0:3], addr=v[0], saddr=s[8:9]))


def test_bytes_change_lanes() -> None:
    """Byte `n` of lane `l` was byte `l % 8` of lane `l / 8 % 2 + 2 n` of its 16."""
    machine = Machine("gfx950", checks=True, lds=WAVES * 2048)
    contents = np.random.default_rng(0).integers(0, 256, WAVES * 2048, dtype=np.uint8)
    machine.waves.around.lds.write(
        4 * np.arange(len(contents) // 4)[None], contents.view(np.uint32)[None, None], True
    )
    lane = np.arange(64, dtype=np.uint32)
    machine.set(0, 24 * lane + np.uint32(2048) * WAVE)
    machine.run(g9.ds_read_b64_tr_b8(vdst=v[4:5], addr=v[0], offset0=8))
    got = np.ascontiguousarray(machine.waves.v[4:6].transpose(1, 2, 0)).view(np.uint8)
    for wave in range(WAVES):
        for one in (0, 1, 7, 8, 15, 16, 37, 63):
            for n in range(8):
                source = one // 16 * 16 + one // 8 % 2 + 2 * n
                assert got[wave, one, n] == contents[wave * 2048 + 24 * source + 8 + one % 8]
