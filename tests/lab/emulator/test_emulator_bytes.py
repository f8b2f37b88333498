"""Floats of one byte, and matrices of bytes and nibbles (WMMA).

The conversions are v_cvt_f32_fp8, v_cvt_f32_bf8, v_cvt_pk_f32_fp8, v_cvt_pk_f32_bf8,
v_cvt_pk_fp8_f32 and v_cvt_pk_bf8_f32.
"""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import v

from support.emulator.machine import LANES, MASK, TABLES, WAVES, Machine

# Bits behind the point, bias, and whether it is that of the OCP. CDNA3 has its own (FNUZ).
FORMS = {
    ("gfx1201", "fp8"): (3, 7, True),
    ("gfx1201", "bf8"): (2, 15, True),
    ("gfx950", "fp8"): (3, 7, True),
    ("gfx950", "bf8"): (2, 15, True),
    ("gfx942", "fp8"): (3, 8, False),
    ("gfx942", "bf8"): (2, 16, False),
}
each_form = pytest.mark.parametrize(("gfx", "name"), FORMS)


def value(code: int, gfx: str, name: str) -> float:
    """What a byte stands for."""
    places, bias, ocp = FORMS[gfx, name]
    exponent, fraction = (code & 0x7F) >> places, code & ((1 << places) - 1)
    sign = -1.0 if code >> 7 else 1.0
    if not ocp and code == 0x80:
        return math.nan
    if ocp and name == "bf8" and exponent == 31:
        return math.nan if fraction else sign * math.inf
    if ocp and name == "fp8" and code & 0x7F == 0x7F:
        return math.nan
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - places)
    return sign * math.ldexp(fraction + (1 << places), exponent - bias - places)


def op(gfx: str, name: str, *operands: Any, **fields: int) -> Any:
    for suffix in ("_e64", ""):
        found = getattr(TABLES[gfx], f"{name}{suffix}", None)
        if found is not None:
            return found(*operands, **fields)
    raise KeyError(name)


def bits(numbers: Any) -> list[int]:
    """f32 as bits; all NaN as one."""
    array = np.asarray(numbers, np.float32)
    return np.where(np.isnan(array), 0x7FC00000, array.view(np.uint32)).tolist()


@each_form
def test_every_byte_is_read(gfx: str, name: str) -> None:
    """In each of the places that can be chosen; those bits are in the other order."""
    for chosen in (0, 1, 2, 3) if gfx == "gfx1201" else (0,):
        machine, byte = Machine(gfx), {0: 0, 1: 2, 2: 1, 3: 3}[chosen]
        count = WAVES * machine.lanes
        for start in range(0, 256, count):
            codes = (start + np.arange(count)) % 256
            words = (codes << 8 * byte | 0x5A5A5A5A & ~(255 << 8 * byte)).astype(np.uint32)
            machine.set(1, words.reshape(WAVES, -1))
            machine.run(op(gfx, f"v_cvt_f32_{name}", v[2], v[1], opsel=chosen))
            expected = [value(int(code), gfx, name) for code in codes]
            assert bits(machine.waves.f[2].ravel()) == bits(expected)


@each_form
def test_pairs_of_bytes_are_read(gfx: str, name: str) -> None:
    for half in (0, 1) if gfx == "gfx1201" else (0,):
        machine = Machine(gfx)
        machine.set(1, np.full((WAVES, machine.lanes), 0x3CC1A539, np.uint32))
        machine.run(op(gfx, f"v_cvt_pk_f32_{name}", v[2:3], v[1], opsel=half))
        pair = 0x3CC1A539 >> 16 * half
        expected = [value(pair & 255, gfx, name), value(pair >> 8 & 255, gfx, name)]
        assert bits(machine.waves.f[2:4, 0, 0]) == bits(expected)


def nearest(number: float, gfx: str, name: str) -> int:
    """The byte that is nearest, the even one of two; what is too large is infinity or NaN."""
    _, _, ocp = FORMS[gfx, name]
    nan = 0x7F if ocp else 0x80
    sign = 0x80 if math.copysign(1, number) < 0 else 0
    if math.isnan(number):
        return nan
    finite = [code for code in range(128) if math.isfinite(value(code, gfx, name))]
    last = value(finite[-1], gfx, name)
    step = last - value(finite[-2], gfx, name)
    limit = last + step / 2
    if abs(number) > limit or (abs(number) == limit and finite[-1] & 1):
        return sign | 0x7C if ocp and name == "bf8" else (nan | (sign if ocp else 0))
    code = min(finite, key=lambda c: (abs(value(c, gfx, name) - abs(number)), c & 1))
    return code if not ocp and code == 0 else sign | code


def numbers(gfx: str, name: str, count: int) -> np.ndarray:
    """Numbers of all sizes, numbers between two bytes, and special ones."""
    rng = np.random.default_rng(5)
    drawn = rng.standard_normal(count) * 2.0 ** rng.integers(-20, 18, count)
    finite = [value(code, gfx, name) for code in range(128)]
    finite = [x for x in finite if math.isfinite(x)]
    between = [(a + b) / 2 for a, b in pairwise(finite)]
    step = finite[-1] - finite[-2]
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, finite[-1] + step / 2, 2 * finite[-1]]
    every = [*special, *finite, *between, *(-x for x in between)]
    return np.array([*every, *drawn], np.float32)[:count]


@pytest.mark.slow
@each_form
def test_numbers_are_rounded_to_bytes(gfx: str, name: str) -> None:
    """Into either half; the other one stays. NaN has a sign or none: that is left open."""
    for half in (0, 1):
        machine = Machine(gfx)
        count = WAVES * machine.lanes
        given = numbers(gfx, name, 6 * count)
        for start in range(0, given.size, count):
            low = given[start : start + count]
            machine.set(1, low.reshape(WAVES, -1).copy())
            machine.set(2, low[::-1].reshape(WAVES, -1).copy())
            machine.set(3, np.full((WAVES, machine.lanes), 0x12345678, np.uint32))
            machine.run(op(gfx, f"v_cvt_pk_{name}_f32", v[3], v[1], v[2], opsel=8 * half))
            words = machine.waves.v[3].ravel()
            assert set((words >> 16 * (1 - half) & 0xFFFF).tolist()) == {0x5678 if half else 0x1234}
            pairs = words >> 16 * half & 0xFFFF
            for found, wanted in ((pairs & 255, low), (pairs >> 8, low[::-1])):
                expected = [nearest(float(x), gfx, name) for x in wanted]
                values = [value(int(code), gfx, name) for code in found]
                assert bits(values) == bits([value(code, gfx, name) for code in expected])


# Matrices.


def held(matrix: np.ndarray, width: int, gfx: str) -> list[np.ndarray]:
    """Codes of A by rows or B by columns, [waves, 16, 16], as words [waves, lanes]."""
    lane = np.arange(LANES)
    per_word = 32 // width
    each = 16 if gfx == "gfx1100" else 8
    words = []
    for first in range(0, each, per_word):
        word = np.zeros((WAVES, LANES), np.uint32)
        for i in range(per_word):
            # RDNA3 has all of a row in both half waves, RDNA4 half of it in each.
            k = first + i + (0 if gfx == "gfx1100" else 8 * (lane // 16))
            code = matrix[:, lane % 16, k].astype(np.int64) & (1 << width) - 1
            word |= (code << width * i).astype(np.uint32)
        words.append(word)
    return words


def rows(gfx: str, i: int) -> tuple[int, int]:
    """The rows of C and D in register i, in the lower and the upper half wave."""
    return (2 * i, 2 * i + 1) if gfx == "gfx1100" else (i, 8 + i)


def multiplied(
    gfx: str, name: str, a: np.ndarray, b: np.ndarray, c: np.ndarray, width: int, **fields: int
) -> np.ndarray:
    """D of codes of A and B, with the bits of C: [waves, 16, 16]."""
    machine, d = Machine(gfx, checks=True), np.zeros((WAVES, 16, 16), np.uint32)
    for register, matrix in ((0, a), (4, b.transpose(0, 2, 1))):
        words = held(matrix, width, gfx)
        for i, word in enumerate(words):
            machine.set(register + i, word)
    for i in range(8):
        low, high = rows(gfx, i)
        machine.set(16 + i, np.concatenate([c[:, low], c[:, high]], axis=1))
    count = len(words) - 1
    sources = (v[0:count], v[4 : 4 + count]) if count else (v[0], v[4])
    machine.run(getattr(TABLES[gfx], name)(v[24:31], *sources, v[16:23], **fields))
    for i in range(8):
        low, high = rows(gfx, i)
        d[:, low], d[:, high] = machine.waves.v[24 + i, :, :16], machine.waves.v[24 + i, :, 16:]
    return d


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize("clamp", [0, 1])
@pytest.mark.parametrize("signs", range(4))
@pytest.mark.parametrize("width", [8, 4])
def test_matrices_of_integers(width: int, signs: int, clamp: int, gfx: str) -> None:
    rng = np.random.default_rng(2)
    half = 1 << width - 1
    codes = rng.integers(0, 2 * half, (2, WAVES, 16, 16))
    a, b = (np.where((signs >> i & 1) * (x >= half), x - 2 * half, x) for i, x in enumerate(codes))
    c = rng.integers(-(2**31), 2**31, (WAVES, 16, 16))
    name = f"v_wmma_i32_16x16x16_iu{width}"
    found = multiplied(gfx, name, *codes, c.astype(np.uint32), width, neg=signs, clmp=clamp)
    expected = a @ b + c
    expected = np.clip(expected, -(2**31), 2**31 - 1) if clamp else expected & MASK
    assert np.array_equal(found, expected.astype(np.int64).astype(np.uint32))


@pytest.mark.parametrize("second", ["fp8", "bf8"])
@pytest.mark.parametrize("first", ["fp8", "bf8"])
def test_matrices_of_bytes_that_are_floats(first: str, second: str) -> None:
    """Small halves, which products of both kinds hold exactly."""
    rng = np.random.default_rng(3)
    known = {
        kind: {value(code, "gfx1201", kind): code for code in range(256)}
        for kind in (first, second)
    }
    a, b = (rng.integers(-4, 5, (WAVES, 16, 16)) / 2 for _ in range(2))
    codes = [
        np.vectorize(known[kind].__getitem__)(x + 0.0) for kind, x in ((first, a), (second, b))
    ]
    c = rng.integers(-9, 10, (WAVES, 16, 16)).astype(np.float32)
    name = f"v_wmma_f32_16x16x16_{first}_{second}"
    found = multiplied("gfx1201", name, *codes, c.view(np.uint32), 8)
    assert np.array_equal(found.view(np.float32), (a @ b + c).astype(np.float32))
