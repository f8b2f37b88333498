"""Buffers and LDS in programs of a few instructions, and what a kernel must not do with them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import VCC, s, ttmp, v
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.machine.waves import EXEC
from support.emulator.machine import LANES, MASK, TABLES, WAVES, Machine, integers


def _buffer(machine: Machine, size: int, data: np.ndarray | None = None) -> int:
    address = machine.memory.allocate("buffer", size, data)
    for i, word in enumerate((address & MASK, address >> 32, size, 0x31014000)):
        machine.set_scalar(8 + i, word)
    return address


def test_buffer_loads_wrap_offsets_and_give_zero_beyond_the_end() -> None:
    machine = Machine(checks=True)
    data = np.arange(64, dtype=np.uint32) + 100
    _buffer(machine, data.nbytes, data)
    offsets = np.arange(LANES, dtype=np.uint32) * 16 - np.uint32(64)
    machine.set(1, np.broadcast_to(offsets, (WAVES, LANES)).copy())
    machine.run(ins.buffer_load_b32(v[2], v[1], s[8:11], 128, offset=64, offen=1))
    inside = np.arange(LANES) * 4
    expected = np.where(inside < 64, 100 + inside, 0)
    assert machine.waves.v[2, 0].tolist() == expected.tolist()


def test_a_store_that_ends_beyond_its_buffer_is_refused_where_one_wave_executes() -> None:
    # One wave of three, three words: what is looked at has the shape of all waves.
    machine = Machine(checks=True)
    _buffer(machine, 8)
    machine.memory.allocate("another", 64)
    machine.waves.s[EXEC] = [MASK, 0, 0]
    machine.waves.set_exec()
    for register in range(1, 5):
        machine.set(register, np.zeros((WAVES, LANES), np.uint32))
    with pytest.raises(EmulatorError, match=r"outside any buffer of global.*wave 0, lane 0"):
        machine.run(ins.global_store_b96(addr=v[1], data=v[2:4], saddr=s[8:9]))


@pytest.mark.parametrize(
    ("load", "address", "offset", "expected"),
    [
        ("ds_load_b32", 2, 2, 0x44444444),
        ("ds_load_b32", 3, 5, 0x88888888),
        ("ds_load_b64", 2, 2, 0x44444444),
        ("ds_load_u16", 1, 1, 0x2222),
        ("ds_load_u16_d16_hi", 3, 1, 0x44440000),
    ],
)
def test_an_odd_offset_makes_an_odd_address_even(
    load: str, address: int, offset: int, expected: int
) -> None:
    machine = Machine(checks=True)
    words = [0x22220000, 0x44444444, 0x88888888]
    machine.waves.around.lds.write(
        4 * np.arange(3)[None], np.array(words, np.uint32)[None, None], True
    )
    machine.set(1, np.full((WAVES, LANES), address, np.uint32))
    machine.set(2, np.zeros((WAVES, LANES), np.uint32))
    target = v[2:3] if load.endswith("b64") else v[2]
    machine.run(getattr(ins, load)(target, v[1], offset0=offset))
    assert (machine.waves.v[2] == expected).all()


def test_half_loads_keep_the_other_half() -> None:
    machine = Machine(checks=True)
    data = np.arange(128, dtype=np.uint16)
    _buffer(machine, data.nbytes, data)
    before = integers(12)
    machine.set(1, np.broadcast_to(np.arange(LANES, dtype=np.uint32) * 2, (WAVES, LANES)).copy())
    machine.set(2, before)
    machine.run(ins.buffer_load_d16_hi_b16(v[2], v[1], s[8:11], 128, offen=1))
    assert np.array_equal(machine.waves.v[2] & 0xFFFF, before & 0xFFFF)
    assert (machine.waves.v[2, 0] >> 16).tolist() == list(range(LANES))


def _lanes_times(size: int) -> np.ndarray:
    wave = np.arange(WAVES, dtype=np.uint32)[:, None]
    return ((wave * LANES + np.arange(LANES, dtype=np.uint32)) * size).astype(np.uint32)


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201"])
def test_lds_stores_come_back(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx, checks=True, lds=WAVES * LANES * 16)
    machine.set(1, _lanes_times(16))
    values = [integers(seed) for seed in range(4)]
    for i in range(4):
        machine.set(4 + i, values[i])
    machine.run(
        ins.ds_store_2addr_b64(addr=v[1], data0=v[4:5], data1=v[6:7], offset0=0, offset1=1),
        ins.ds_load_b128(v[8:11], v[1]),
    )
    for i in range(4):
        assert np.array_equal(machine.waves.v[8 + i], values[i])


@pytest.mark.parametrize("checks", [True, False])
def test_an_offset_brings_an_address_below_zero_back(checks: bool) -> None:
    """The sum of both wraps at 32 bits."""
    machine = Machine(checks=checks)
    machine.set(1, _lanes_times(4))
    machine.set(2, _lanes_times(4) - np.uint32(128))
    machine.run(
        ins.ds_store_b32(addr=v[1], data0=v[1]),
        ins.ds_load_b32(v[3], v[2], offset0=128),
    )
    assert np.array_equal(machine.waves.v[3], _lanes_times(4))


def test_a_load_over_its_own_address_is_checked_by_that_address() -> None:
    machine = Machine(checks=True)
    machine.set(1, _lanes_times(4))
    machine.set(2, integers(3) & 3)
    machine.run(
        ins.ds_store_b32(addr=v[1], data0=v[2]),
    )
    with pytest.raises(EmulatorError, match="outside LDS, at byte 0x30c"):
        machine.run(ins.ds_load_2addr_b32(v[1:2], v[1], offset0=0, offset1=100))


REFUSED: dict[str, tuple[str, Callable[[Machine], list[Any]]]] = {
    "outside LDS": (
        "outside LDS",
        lambda m: [m.set(1, _lanes_times(16)), ins.ds_store_b32(addr=v[1], data0=v[1])],
    ),
    "LDS never written": (
        "v2, which was never written",
        lambda m: [
            m.set(1, _lanes_times(4)),
            ins.ds_load_b32(v[2], v[1]),
            ins.s_waitcnt(0),
            ins.ds_store_b32(addr=v[1], data0=v[2]),
        ],
    ),
    "register never written": (
        "v7, which was never written",
        lambda m: [m.set(1, _lanes_times(4)), ins.ds_store_b32(addr=v[1], data0=v[7])],
    ),
    "scalar register never written": (
        "scalar register 8, which was never written",
        lambda m: [
            m.set(1, _lanes_times(4)),
            ins.s_mov_b64(s[8:9], s[20:21]),
            ins.global_load_b32(v[2], v[1], saddr=s[8:9]),
        ],
    ),
    "race": (
        "race in LDS",
        lambda m: [
            m.set(1, _lanes_times(4)),
            m.set(2, _lanes_times(4)[::-1].copy()),
            ins.ds_store_b32(addr=v[1], data0=v[1]),
            ins.ds_load_b32(v[3], v[2]),
        ],
    ),
    "outside any buffer": (
        "access outside any buffer of global memory",
        lambda m: [
            _buffer(m, 64, np.zeros(16, np.uint32)),
            m.set(1, _lanes_times(4)),
            ins.global_load_b32(v[2], v[1], saddr=s[8:9]),
        ],
    ),
    "resource beyond its buffer": (
        "reaches 4 bytes beyond its buffer",
        lambda m: [
            _buffer(m, 64, np.zeros(16, np.uint32)),
            m.set_scalar(10, 68),
            m.set(1, np.zeros((WAVES, LANES), np.uint32)),
            ins.buffer_load_b32(v[2], v[1], s[8:11], 128, offen=1),
        ],
    ),
    "resource that adds the lane": (
        "not raw memory",
        lambda m: [
            _buffer(m, 64, np.zeros(16, np.uint32)),
            m.set_scalar(11, 0x31014000 | 1 << 23),
            m.set(1, np.zeros((WAVES, LANES), np.uint32)),
            ins.buffer_load_b32(v[2], v[1], s[8:11], 128, offen=1),
        ],
    ),
    "register that the kernel does not have": (
        "a register that the kernel does not have",
        lambda m: [
            _buffer(m, 64, np.zeros(16, np.uint32)),
            m.set(1, np.zeros((WAVES, LANES), np.uint32)),
            ins.buffer_load_b128(v[93:96], v[1], s[8:11], 128, offen=1),
        ],
    ),
    "register of the trap handler": (
        "scalar destination 108",
        lambda m: [ins.s_mov_b32(ttmp[0], 1)],
    ),
    "clamp that is not modelled": (
        "output modifier",
        lambda m: [
            m.set(1, integers(1)),
            ins.v_div_scale_f32(v[0], VCC, v[1], v[1], v[1], clmp=1),
        ],
    ),
    "unknown instruction": (
        "does not execute this instruction",
        lambda m: [m.set(1, integers(1)), ins.v_cubeid_f32(v[0], v[1], v[1], v[1])],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_stop_the_kernel(name: str) -> None:
    message, program = REFUSED[name]
    machine = Machine(checks=True)
    code = [i for i in program(machine) if hasattr(i, "to_bytes") and not isinstance(i, int)]
    with pytest.raises(EmulatorError, match=message) as error:
        machine.run(*code)
    assert f"kernel test: {code[-1].op_name.lower()} at " in str(error.value)


def test_a_barrier_ends_the_race() -> None:
    machine = Machine(checks=True)
    machine.set(1, _lanes_times(4))
    machine.set(2, _lanes_times(4)[::-1].copy())
    machine.run(
        ins.ds_store_b32(addr=v[1], data0=v[1]),
        ins.s_waitcnt(0),
        ins.s_barrier(),
        ins.ds_load_b32(v[3], v[2]),
    )
    assert np.array_equal(machine.waves.v[3], machine.waves.v[2])


def test_a_barrier_that_not_all_waves_reach_is_refused() -> None:
    machine = Machine(checks=True)
    machine.waves.s[0] = [0, 1, 1]
    machine.waves.written.scalar.add(0)
    with pytest.raises(EmulatorError, match="not all waves"):
        machine.run(ins.s_cmp_eq_u32(s[0], 0), ins.s_cbranch_scc1(1), ins.s_barrier())
