"""Clamps of integers, and signs that dot products choose: against Python's own integers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import VCC, v

from tests.support.emulator.machine import MASK, TABLES, Machine, integers, signed

RDNA = ("gfx1100", "gfx1201")
each_rdna = pytest.mark.parametrize("gfx", RDNA)


def machine(gfx: str) -> Machine:
    """v1 to v3 at random, with extremes among them."""
    new = Machine(gfx)
    for register in (1, 2, 3):
        new.set(register, integers(register, new.lanes))
    return new


def kept(value: int, width: int, is_signed: bool) -> int:
    """A number kept within its width, as bits."""
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    return min(max(value, least), most) & ((1 << width) - 1)


Compute = Callable[[int, int, int], int]
CLAMPED: list[tuple[str, int, Compute]] = [
    ("v_add_nc_u32", 32, lambda a, b, c: a + b),
    ("v_sub_nc_u32", 32, lambda a, b, c: a - b),
    ("v_subrev_nc_u32", 32, lambda a, b, c: b - a),
    ("v_add_nc_i32", 32, lambda a, b, c: a + b),
    ("v_sub_nc_i32", 32, lambda a, b, c: a - b),
    ("v_add_nc_u16", 16, lambda a, b, c: a + b),
    ("v_sub_nc_u16", 16, lambda a, b, c: a - b),
    ("v_add_nc_i16", 16, lambda a, b, c: a + b),
    ("v_sub_nc_i16", 16, lambda a, b, c: a - b),
    ("v_mad_u16", 16, lambda a, b, c: a * b + c),
    ("v_mad_i16", 16, lambda a, b, c: a * b + c),
    ("v_sad_u32", 32, lambda a, b, c: abs(a - b) + c),
]


def number(bits: Any, width: int, is_signed: bool) -> int:
    low = int(bits) & ((1 << width) - 1)
    return signed(low, width) if is_signed else low


@each_rdna
@pytest.mark.parametrize(("name", "width", "compute"), CLAMPED, ids=[one[0] for one in CLAMPED])
def test_a_clamp_keeps_integers_in_range(name: str, width: int, compute: Compute, gfx: str) -> None:
    ins, is_signed = TABLES[gfx], "_i" in name
    op = getattr(ins, f"{name}_e64", None) or getattr(ins, name)
    sources = [v[1], v[2], v[3]] if "mad" in name or "sad" in name else [v[1], v[2]]
    m = machine(gfx)
    given = m.waves.v[1:4].reshape(3, -1).copy()
    m.run(op(v[4], *sources, clmp=1))
    found = (m.waves.v[4].ravel() & ((1 << width) - 1)).tolist()
    numbers = [[number(bits, width, is_signed) for bits in lane] for lane in given.T]
    assert found == [kept(compute(*lane), width, is_signed) for lane in numbers]


@each_rdna
def test_a_clamp_keeps_sums_with_carries_in_range(gfx: str) -> None:
    """The carry is that of the sum before."""
    ins, m = TABLES[gfx], machine(gfx)
    a, b = (m.waves.v[i].astype(np.int64) for i in (1, 2))
    m.run(ins.v_add_co_u32(v[4], VCC, v[1], v[2], clmp=1))
    assert np.array_equal(m.waves.v[4], np.minimum(a + b, MASK))
    assert m.waves.s[106].tolist() == [int((w > MASK) @ (1 << np.arange(32))) for w in a + b]
    m.run(ins.v_sub_co_u32(v[4], VCC, v[1], v[2], clmp=1))
    assert np.array_equal(m.waves.v[4], np.maximum(a - b, 0))


@pytest.mark.parametrize("gfx", [*RDNA, "gfx942"])
@pytest.mark.parametrize("name", ["v_pk_add_u16", "v_pk_sub_i16", "v_pk_mad_u16"])
def test_a_clamp_keeps_both_halves_in_range(name: str, gfx: str) -> None:
    m, is_signed = machine(gfx), "_i" in name
    given = m.waves.v[1:4].reshape(3, -1).copy()
    sources = [v[1], v[2], v[3]] if "mad" in name else [v[1], v[2]]
    m.run(getattr(TABLES[gfx], name)(v[4], *sources, clmp=1))
    for lane, found in zip(given.T, m.waves.v[4].ravel().tolist(), strict=True):
        expected = 0
        for half in (0, 16):
            a, b, c = (number(int(bits) >> half, 16, is_signed) for bits in lane)
            value = {"add": a + b, "sub": a - b, "mad": a * b + c}[name.split("_")[2]]
            expected |= kept(value, 16, is_signed) << half
        assert found == expected


def test_a_clamp_keeps_both_halves_between_0_and_1() -> None:
    m = Machine()
    m.set(1, np.full((3, 32), 0x4000B800, np.uint32))
    m.run(TABLES["gfx1100"].v_pk_add_f16(v[2], v[1], v[1], clmp=1))
    assert (m.waves.v[2] == 0x3C000000).all()


def dot(a: int, b: int, c: int, bits: int, signs: int) -> int:
    """The sum before it is cut off."""
    mask = (1 << bits) - 1
    for i in range(0, 32, bits):
        pair = (a >> i & mask, b >> i & mask)
        x, y = (signed(n, bits) if signs >> k & 1 else n for k, n in enumerate(pair))
        c += x * y
    return c


@each_rdna
@pytest.mark.parametrize("clamp", [0, 1])
@pytest.mark.parametrize("signs", range(4))
@pytest.mark.parametrize(("name", "bits"), [("v_dot4_i32_iu8", 8), ("v_dot8_i32_iu4", 4)])
def test_dot_products_choose_signs(name: str, bits: int, signs: int, clamp: int, gfx: str) -> None:
    m = machine(gfx)
    given = m.waves.v[1:4].reshape(3, -1).T.tolist()
    m.run(getattr(TABLES[gfx], name)(v[4], v[1], v[2], v[3], neg=signs, clmp=clamp))
    sums = [dot(a, b, signed(c), bits, signs) for a, b, c in given]
    expected = [kept(x, 32, True) if clamp else x & MASK for x in sums]
    assert m.waves.v[4].ravel().tolist() == expected


def test_paired_dot_products() -> None:
    """Halves of 1.5 and 2, and of bfloat16."""
    ins = TABLES["gfx1100"]
    for name, half in (("F16", (0x3E00, 0x4000)), ("BF16", (0x3FC0, 0x4000))):
        m = Machine()
        m.set(1, np.full((3, 32), half[0] | half[1] << 16, np.uint32))
        m.set(2, np.full((3, 32), 10.0, np.float32))
        both = ins.VOPDOp[f"V_DUAL_DOT2ACC_F32_{name}"], ins.VOPDOp.V_DUAL_MOV_B32
        m.run(ins.VOPD(*both, v[2], v[3], v[1], v[1], v[1], v[1]))
        assert (m.waves.f[2] == 10 + 1.5 * 1.5 + 4).all()
