"""What RDNA4 has of its own: matrices, barriers in two halves, scalar floats, memory, the start."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import M0, NULL, s, v
from tinygrad.runtime.autogen.amd.rdna4 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.families import RDNA4, family
from irattn.lab.emulator.machine.start import set_trap_registers
from irattn.lab.emulator.machine.waves import TTMP
from support.emulator.machine import LANES, MASK, WAVES, Machine, bits32, f32, integers, numbers

GFX = "gfx1201"
BARRIER = (ins.s_barrier_signal(s[0], -1), ins.s_barrier_wait(0xFFFF))


def machine(**how: Any) -> Machine:
    return Machine(GFX, **how)


# Matrices.


def _by_lanes(matrix: np.ndarray, kind: str) -> np.ndarray:
    """A by rows or B by columns as words [4, waves, lanes]: k 0 to 7 low, 8 to 15 high."""
    halves = matrix.astype(np.float16).view(np.uint16)
    if kind == "bf16":
        halves = (matrix.view(np.uint32) >> 16).astype(np.uint16)
    words = np.ascontiguousarray(halves).view(np.uint32)
    return np.stack([np.concatenate([words[..., i], words[..., 4 + i]], axis=1) for i in range(4)])


def _factors(m: Machine, kind: str) -> tuple[np.ndarray, ...]:
    """A in v0 to v3, B in v4 to v7, and a C that is in no register yet."""
    rng = np.random.default_rng(6)
    a, b, c = (rng.integers(-4, 5, (WAVES, 16, 16)).astype(np.float32) for _ in range(3))
    for start, matrix in ((0, a), (4, b.transpose(0, 2, 1))):
        for i, words in enumerate(_by_lanes(matrix, kind)):
            m.set(start + i, words)
    return a, b, c


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_matrix_product(kind: str) -> None:
    """Register i of C and D is row i in the lower half wave, row i + 8 in the upper one."""
    m = machine(checks=True)
    a, b, c = _factors(m, kind)
    for i in range(8):
        m.set(16 + i, np.concatenate([c[:, i], c[:, 8 + i]], axis=1))
    multiply = getattr(ins, f"v_wmma_f32_16x16x16_{kind}")
    m.run(multiply(v[24:31], v[0:3], v[4:7], v[16:23]))
    expected = a @ b + c
    for i in range(8):
        assert np.array_equal(m.waves.f[24 + i, :, :16], expected[:, i])
        assert np.array_equal(m.waves.f[24 + i, :, 16:], expected[:, 8 + i])


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_matrix_product_of_16_bits(kind: str) -> None:
    """C and D have rows 2 i and 2 i + 1 in register i, and 8 more in the upper half wave."""
    m = machine(checks=True)
    a, b, c = _factors(m, kind)
    for i, words in enumerate(_by_lanes(c.transpose(0, 2, 1), kind)):
        m.set(16 + i, words)
    multiply = getattr(ins, f"v_wmma_{kind}_16x16x16_{kind}")
    m.run(multiply(v[24:27], v[0:3], v[4:7], v[16:19]))
    # Whole numbers up to 256 are exact in both kinds.
    expected = _by_lanes((a @ b + c).transpose(0, 2, 1), kind)
    assert np.abs(a @ b + c).max() <= 256
    assert np.array_equal(m.waves.v[24:28], expected)


# Barriers.


def _stores_and_loads(m: Machine, *between: Any) -> list[Any]:
    lane = np.arange(WAVES * LANES, dtype=np.uint32).reshape(WAVES, LANES) * 4
    m.set(1, lane)
    m.set(2, lane[::-1].copy())
    stores = [ins.ds_store_b32(addr=v[1], data0=v[1]), ins.s_wait_dscnt(0)]
    return [*stores, *between, ins.ds_load_b32(v[3], v[2])]


@pytest.mark.parametrize("schedule", ["lockstep", "serial", "reverse"])
def test_a_barrier_has_two_halves(schedule: str) -> None:
    """Each wave loads what another one stored, and puts it where the test can see it."""
    m = machine(checks=True, lds=WAVES * LANES * 4)
    size = WAVES * LANES * 4
    address = m.memory.allocate("buffer", size)
    m.set_scalar(0, address & MASK)
    m.set_scalar(1, address >> 32)
    code = _stores_and_loads(m, *BARRIER)
    store = ins.global_store_b32(vaddr=v[1:2], vsrc=v[3], saddr=s[0:1])
    m.run(*code, ins.s_wait_dscnt(0), store, schedule=schedule)
    stored = m.memory.get(address, size).view(np.uint32).reshape(WAVES, LANES)
    assert np.array_equal(stored, m.waves.v[2])


REFUSED: dict[str, tuple[str, Callable[[Machine], list[Any]]]] = {
    "no barrier": ("race in LDS", lambda m: _stores_and_loads(m)),
    "no wait": ("between the two halves", lambda m: _stores_and_loads(m, BARRIER[0])),
    "no signal": ("barrier not signalled", lambda m: _stores_and_loads(m, BARRIER[1])),
    "signalled twice": ("second time", lambda m: [BARRIER[0], BARRIER[0]]),
    "another barrier": ("other than the workgroup", lambda m: [ins.s_barrier_signal(s[0], -2)]),
    "a named barrier": ("does not execute", lambda m: [ins.s_barrier_join(s[0], M0)]),
    "another wait": ("other than the workgroup", lambda m: [BARRIER[0], ins.s_barrier_wait(1)]),
    "an unknown load": (
        "does not execute",
        lambda m: [ins.global_load_tr_b128(v[4:7], v[0:1], NULL)],
    ),
    "a half that is not there": (
        "chooses halves",
        lambda m: [ins.v_wmma_f16_16x16x16_f16(v[8:11], v[0:3], v[4:7], v[8:11], opsel=4)],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_stop_the_kernel(name: str) -> None:
    message, program = REFUSED[name]
    m = machine(checks=True)
    with pytest.raises(EmulatorError, match=message):
        m.run(*program(m))


# Scalars.


def _cut_off(a: float) -> int:
    if math.isnan(a):
        return 0
    return int(min(max(a, -(2.0**31)), 2.0**31 - 1))


SCALAR: dict[str, Callable[..., int]] = {
    "s_add_f32": lambda a, b: bits32(a + b),
    "s_sub_f32": lambda a, b: bits32(a - b),
    "s_mul_f32": lambda a, b: bits32(a * b),
    "s_min_num_f32": lambda a, b: bits32(b if math.isnan(a) else a if math.isnan(b) else min(a, b)),
    "s_max_num_f32": lambda a, b: bits32(b if math.isnan(a) else a if math.isnan(b) else max(a, b)),
    "s_minimum_f32": lambda a, b: bits32(a + b if math.isnan(a + b) else min(a, b)),
    "s_maximum_f32": lambda a, b: bits32(a + b if math.isnan(a + b) else max(a, b)),
    "s_fmac_f32": lambda a, b: bits32(a * b + 3.0),
    "s_rndne_f32": lambda a: bits32(math.copysign(round(a), a) if math.isfinite(a) else a),
    "s_ceil_f32": lambda a: bits32(math.copysign(math.ceil(a), a) if math.isfinite(a) else a),
    "s_cvt_i32_f32": lambda a: _cut_off(a) & MASK,
}


@pytest.mark.parametrize("name", SCALAR)
def test_scalar_floats(name: str) -> None:
    meaning = SCALAR[name]
    count = meaning.__code__.co_argcount
    values = [1.5, -2.5, 0.1, 1e30, math.inf, math.nan, 7.0, -3e-39]
    for a, b in zip(values, values[3:] + values[:3], strict=True):
        if name.startswith(("s_minimum", "s_maximum")) and math.isinf(a + b):
            continue
        m = machine()
        for register, value in enumerate((a, b, 3.0)):
            m.set_scalar(register, bits32(value))
        given = [f32(bits32(x)) for x in (a, b)][:count]
        m.run(getattr(ins, name)(s[2], *(s[i] for i in range(count))))
        result = int(m.waves.s[2, 0])
        expected = meaning(*given)
        if "cvt" not in name and math.isnan(f32(expected)):
            assert math.isnan(f32(result))
        else:
            assert result == expected, (a, b, hex(result))


def test_scalar_floats_with_a_literal() -> None:
    m = machine()
    for register, value in enumerate((1.5, 4.0)):
        m.set_scalar(register, bits32(value))
    m.run(
        ins.s_fmamk_f32(s[2], s[0], s[1], literal=bits32(10.25)),
        ins.s_fmaak_f32(s[3], s[0], s[1], literal=bits32(10.25)),
    )
    assert [f32(int(m.waves.s[i, 0])) for i in (2, 3)] == [1.5 * 10.25 + 4, 1.5 * 4 + 10.25]


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("lt", lambda a, b: a < b),
        ("nlt", lambda a, b: not a < b),
        ("ge", lambda a, b: a >= b),
        ("u", lambda a, b: math.isnan(a) or math.isnan(b)),
        ("lg", lambda a, b: a < b or a > b),
    ],
)
def test_scalar_comparisons_of_floats(name: str, meaning: Callable[[float, float], bool]) -> None:
    for a, b in ((1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (math.nan, 1.0), (-0.0, 0.0)):
        m = machine()
        m.set_scalar(0, bits32(a))
        m.set_scalar(1, bits32(b))
        m.run(getattr(ins, f"s_cmp_{name}_f32")(s[0], s[1]))
        assert bool(m.waves.scc[0]) == meaning(a, b), (a, b)


def test_functions_of_one_scalar() -> None:
    m = machine()
    m.set_scalar(0, bits32(2.25))
    m.run(
        ins.v_s_exp_f32(s[1], s[0]),
        ins.v_s_rcp_f32(s[2], s[0]),
        ins.v_s_sqrt_f32(s[3], s[0]),
    )
    results = [f32(int(m.waves.s[i, 0])) for i in (1, 2, 3)]
    np.testing.assert_allclose(results, [2**2.25, 1 / 2.25, 1.5], rtol=1e-7)


def test_sums_and_products_of_64_bits() -> None:
    a, b = 0x0123456789ABCDEF, 0xFEDCBA9876543210
    m = machine()
    for register, value in enumerate((a & MASK, a >> 32, b & MASK, b >> 32)):
        m.set_scalar(register, value)
    m.run(
        ins.s_add_nc_u64(s[4:5], s[0:1], s[2:3]),
        ins.s_sub_nc_u64(s[6:7], s[0:1], s[2:3]),
        ins.s_mul_u64(s[8:9], s[0:1], s[2:3]),
    )
    for register, value in ((4, a + b), (6, a - b), (8, a * b)):
        low, high = (int(m.waves.s[register + i, 0]) for i in (0, 1))
        assert low | high << 32 == value % 2**64


# Vectors.


def test_minimum_and_maximum_keep_nan() -> None:
    m = machine()
    a, b = numbers(1), numbers(2)
    a[0, :3] = [0x7FC00000, 0x80000000, 0]
    b[0, :3] = [0x3F800000, 0, 0x80000000]
    m.set(1, a)
    m.set(2, b)
    m.run(ins.v_minimum_f32(v[3], v[1], v[2]), ins.v_maximum_f32(v[4], v[1], v[2]))
    least, most = m.waves.f[3], m.waves.f[4]
    assert np.isnan(least[0, 0])
    assert np.isnan(most[0, 0])
    assert np.signbit(least[0, 1:3]).all()
    assert not np.signbit(most[0, 1:3]).any()
    np.testing.assert_array_equal(least, np.minimum(a.view(np.float32), b.view(np.float32)))
    np.testing.assert_array_equal(most, np.maximum(a.view(np.float32), b.view(np.float32)))


def test_each_lane_chooses_within_a_row() -> None:
    m = machine()
    values, choice = integers(1), integers(2)
    m.set(1, values)
    m.set(2, choice)
    m.run(ins.v_permlane16_var_b32(v[3], v[1], v[2]), ins.v_permlanex16_var_b32(v[4], v[1], v[2]))
    lane = np.arange(LANES)
    for register, other in ((3, 0), (4, 16)):
        source = ((lane & 16) ^ other) | (choice & 15).astype(int)
        assert np.array_equal(m.waves.v[register], np.take_along_axis(values, source, axis=1))


# Memory.


def test_memory_with_signed_24_bit_offsets() -> None:
    m = machine(checks=True)
    data = integers(3).ravel()
    address = m.memory.allocate("buffer", data.nbytes, data)
    m.set_scalar(0, address & MASK)
    m.set_scalar(1, address >> 32)
    lane = np.arange(WAVES * LANES, dtype=np.uint32).reshape(WAVES, LANES) * 4
    m.set(1, lane + np.uint32(8192))
    m.run(
        ins.global_load_b32(v[2], v[1:2], s[0:1], ioffset=-8192 & 0xFFFFFF),
        ins.s_wait_loadcnt(0),
        ins.v_not_b32_e32(v[3], v[2]),
        ins.global_store_b32(vaddr=v[1:2], vsrc=v[3], saddr=s[0:1], ioffset=-8192 & 0xFFFFFF),
        ins.global_load_b32(v[4], v[1:2], s[0:1], ioffset=-8192 & 0xFFFFFF),
    )
    assert np.array_equal(m.waves.v[2].ravel(), data)
    assert np.array_equal(m.waves.v[4], ~m.waves.v[2])


def test_a_buffer_resource_in_any_registers() -> None:
    m = machine(checks=True)
    data = np.arange(16, dtype=np.uint32) + 100
    address = m.memory.allocate("buffer", data.nbytes, data)
    for i, word in enumerate((address & MASK, address >> 32, data.nbytes, 0x31014000)):
        m.set_scalar(36 + i, word)
    offsets = np.arange(LANES, dtype=np.uint32) * 4
    m.set(1, np.broadcast_to(offsets, (WAVES, LANES)).copy())
    m.run(ins.buffer_load_b32(v[2], v[1], NULL, rsrc=36, offen=1, ioffset=8))
    assert m.waves.v[2, 0].tolist() == [*range(102, 116)] + [0] * 18


def test_scratch() -> None:
    m = machine(checks=True)
    m.set(1, integers(4))
    m.run(
        ins.scratch_store_b32(vsrc=v[1], saddr=NULL, ioffset=12),
        ins.scratch_load_b32(v[2], saddr=NULL, ioffset=12),
        # Anywhere.
        ins.scratch_store_b32(vsrc=v[1], saddr=NULL, ioffset=16),
        ins.scratch_load_b32(v[3], saddr=NULL, ioffset=14),
    )
    assert np.array_equal(m.waves.v[2], m.waves.v[1])
    turned = m.waves.v[1] >> np.uint32(16) | m.waves.v[1] << np.uint32(16)
    assert np.array_equal(m.waves.v[3], turned)


def test_scalar_loads_of_bytes() -> None:
    m = machine(checks=True)
    data = np.array([0x12, 0xFE, 0x34, 0x80], np.uint8)
    address = m.memory.allocate("buffer", 4, data)
    m.set_scalar(0, address & MASK)
    m.set_scalar(1, address >> 32)
    m.run(
        ins.s_load_u8(s[4], s[0:1], NULL, ioffset=1),
        ins.s_load_i8(s[5], s[0:1], NULL, ioffset=1),
        ins.s_load_u16(s[6], s[0:1], NULL, ioffset=2),
        ins.s_load_i16(s[7], s[0:1], NULL, ioffset=2),
    )
    loaded = [int(m.waves.s[i, 0]) for i in range(4, 8)]
    assert loaded == [0xFE, 0xFFFFFFFE, 0x8034, 0xFFFF8034]


# The start, and names.


def test_a_wave_finds_its_workgroup_in_trap_registers() -> None:
    m = machine()
    ids = tuple(np.arange(WAVES) + start for start in (5, 9, 2))
    set_trap_registers(m.waves, ids, (True, True, False))
    assert m.waves.s[TTMP + 9].tolist() == [5, 6, 7]
    # Without z, y may be read as the whole register.
    assert m.waves.s[TTMP + 7].tolist() == [9, 10, 11]
    set_trap_registers(m.waves, ids, (True, True, True))
    assert m.waves.s[TTMP + 7].tolist() == [9 | 2 << 16, 10 | 3 << 16, 11 | 4 << 16]


def test_names_of_a_family() -> None:
    assert RDNA4.usual_name("v_max_num_f32_e32") == "v_max_f32"
    assert RDNA4.usual_name("v_maximum_f32") == "v_maximum_f32"
    assert family("gfx1200") is RDNA4
    with pytest.raises(EmulatorError, match="gfx908: the emulator executes"):
        family("gfx908")
