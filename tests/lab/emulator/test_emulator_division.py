"""Divisions as cards do them: by values that AMD measured on gfx1100 and gfx1201.

The guides' texts differ from the cards. The values are those of rocjitsu's tests of divisions
(ROCm/rocm-systems), of v_div_scale_f32, v_div_scale_f64, v_div_fmas_f32, v_div_fmas_f64,
v_div_fixup_f32 and v_div_fixup_f64.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import VCC as VCC_FIELD
from tinygrad.renderer.amd.dsl import v

from irattn.lab.emulator.machine.waves import VCC, unpack
from tests.support.emulator.machine import TABLES, WAVES, Machine

CHIPS = ("gfx1100", "gfx1201", "gfx90a", "gfx942")
KINDS = {"f32": np.float32, "f64": np.float64}
FLUSH, KEEP = 0, 3
INF = math.inf
# So many divisions, of numbers with every exponent.
DIVISIONS = 9_600

each_gfx = pytest.mark.parametrize("gfx", CHIPS)
each_mode = pytest.mark.parametrize("mode", [FLUSH, KEEP], ids=["flush", "keep"])


class Division:
    """A machine with numbers of one type in the first lanes of its registers."""

    def __init__(self, gfx: str, kind: str, mode: int = KEEP) -> None:
        self.kind, self.ins = KINDS[kind], TABLES[gfx]
        self.machine = Machine(gfx)
        self.machine.waves.denormals = mode
        self.words = 2 if kind == "f64" else 1
        self.suffix = kind
        self.lanes = self.machine.lanes
        self.gfx = gfx

    def at(self, number: int) -> Any:
        """The operand of a number."""
        first = 4 + self.words * number
        return v[first : first + 1] if self.words == 2 else v[first]

    def set(self, number: int, values: Any) -> None:
        """Give a number to the lanes, the last value again to those that are left."""
        given = np.asarray(values, self.kind).ravel()
        shape = WAVES, self.lanes
        full = np.resize(np.pad(given, (0, -given.size % (WAVES * self.lanes)), "edge"), shape)
        words = full.view(np.uint32).reshape(*shape, self.words)
        for i in range(self.words):
            self.machine.set(4 + self.words * number + i, np.ascontiguousarray(words[..., i]))

    def get(self, number: int, count: int) -> np.ndarray:
        """A number of the first lanes."""
        first = 4 + self.words * number
        words = self.machine.waves.v[first : first + self.words]
        joined = np.moveaxis(words, 0, -1).copy().view(self.kind)
        return joined.ravel()[:count]

    def op(self, name: str, *operands: Any) -> Any:
        """An instruction; the tables call it by its length or not."""
        for suffix in ("", "_e64", "_e32"):
            found = getattr(self.ins, f"{name}_{self.suffix}{suffix}", None)
            if found is not None:
                return found(*operands)
        raise KeyError(name)

    def run(self, *instructions: Any) -> None:
        """Execute."""
        self.machine.run(*instructions)

    def vcc(self, count: int) -> np.ndarray:
        """VCC of the first lanes."""
        words = self.machine.waves.s[VCC : VCC + self.lanes // 32]
        return unpack(words).ravel()[:count]

    def denormals(self, *, keep: bool) -> Any:
        """The mode for f32 that compilers set for the steps of a division, and set back."""
        if "gfx1" in self.gfx:
            return self.ins.s_denorm_mode(15 if keep else 12)
        return self.ins.s_setreg_imm32_b32(simm16=1 | 4 << 6 | 1 << 11, literal=3 if keep else 0)


def bits(values: Any) -> list[int]:
    array = np.ascontiguousarray(values)
    return array.view(f"u{array.itemsize}").tolist()


def f32(pattern: int) -> np.float32:
    return np.uint32(pattern).view(np.float32)


# What cards give: numerator, denominator, each of them scaled, and VCC.
SCALED = {
    "f32": [
        (2.0**-140, 1.0, 2.0**-76, 1.0, True),
        (2.0**-10, 2.0**127, 2.0**-10, 2.0**63, True),
        (2.0**-30, 2.0**70, 2.0**34, 2.0**70, True),
        (2.0**-24, 2.0**65, 2.0**-24, 2.0**65, False),
        (2.0**100, 2.0**-20, 2.0**100, 2.0**44, True),
        (2.0**-53, 2.0**-149, 2.0**11, 2.0**-85, False),
        (2.0**-103, 2.0**-126, 2.0**-39, 2.0**-62, False),
        (2.0**-102, 2.0**-126, 2.0**-102, 2.0**-126, False),
        (1.0, 2.0**126, 1.0, 2.0**62, True),
        (2.0**31, 2.0**126, 2.0**-33, 2.0**62, False),
        (INF, 1.0, INF, 2.0**64, True),
    ],
    "f64": [
        (2.0**-1040, 1.0, 2.0**-912, 1.0, True),
        (2.0**-10, 2.0**1023, 2.0**-10, 2.0**895, True),
        (2.0**-970, 2.0**-1022, 2.0**-842, 2.0**-894, False),
        (2.0**-969, 2.0**-1022, 2.0**-969, 2.0**-1022, False),
    ],
}


@each_gfx
@pytest.mark.parametrize("kind", KINDS)
def test_scaling_is_by_encoded_exponents(kind: str, gfx: str) -> None:
    n, d, of_n, of_d, vcc = zip(*SCALED[kind], strict=True)
    for number, expected in ((0, of_n), (1, of_d)):
        division = Division(gfx, kind)
        division.set(0, n)
        division.set(1, d)
        at = division.at
        division.run(division.op("v_div_scale", at(2), VCC_FIELD, at(number), at(1), at(0)))
        assert division.get(2, len(n)).tolist() == list(expected)
        assert division.vcc(len(n)).tolist() == list(vcc)


def rule(value: int, d: int, n: int, *, flush: bool) -> tuple[int, bool]:
    """V_DIV_SCALE_F32 for bits of numbers, as the card does it: the result's bits, and VCC."""
    value, d, n = (b & 0x80000000 if flush and not b >> 23 & 255 else b for b in (value, d, n))
    of_d, of_n = d >> 23 & 255, n >> 23 & 255
    delta, is_d = of_n - of_d, value == d
    vcc, power = False, 0
    if delta >= 96:
        vcc, power = True, 64 if is_d else 0
    elif of_d == 0:
        power = 64
    elif of_d >= 253:
        vcc = delta <= -96
        power = 0 if vcc and not is_d else -64
    elif delta <= -96:
        vcc, power = True, 0 if is_d else 64
    elif of_n <= 24:
        power = 64
    if not (d & 0x7FFFFFFF and n & 0x7FFFFFFF):
        return 0xFFC00000, vcc
    if value & 0x7FFFFFFF > 0x7F800000:
        return value | 0x400000, vcc
    return int(np.float32(float(f32(value)) * 2.0**power).view(np.uint32)), vcc


def drawn(kind: str, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators with all exponents, special ones, and those of the rule."""
    rng, dtype = np.random.default_rng(seed), KINDS[kind]
    width = np.dtype(dtype).itemsize * 8
    places, bias = (23, 127) if width == 32 else (52, 1023)
    exponents = rng.integers(0, 2 * bias + 2, (2, count))
    # Quotients near both ends of the range, where numbers are scaled.
    edges = rng.choice([-2 * bias, -bias - 3, -bias, -bias + 31, bias, 96, -96, 0], count)
    near = np.clip(exponents[1] + edges + rng.integers(-3, 4, count), 0, 2 * bias + 1)
    exponents[0] = np.where(rng.random(count) < 0.4, near, exponents[0])
    fractions = rng.integers(0, 1 << places, (2, count), dtype=np.uint64)
    fractions[rng.random((2, count)) < 0.1] = 0
    fractions[rng.random((2, count)) < 0.05] = (1 << places) - 1
    signs = rng.integers(0, 2, (2, count)).astype(np.uint64) << np.uint64(width - 1)
    n, d = (signs | exponents.astype(np.uint64) << np.uint64(places) | fractions).astype(
        f"u{width // 8}"
    )
    every = np.array([0.0, 1.0, 2.0**-bias, INF, math.nan, -0.0, -1.0, -INF], dtype)
    every = np.append(every, np.array([1], n.dtype).view(dtype)).view(n.dtype)
    pairs = np.array([(a, b) for a in every for b in every], n.dtype)
    n[: len(pairs)], d[: len(pairs)] = pairs.T
    return n.view(dtype), d.view(dtype)


@each_gfx
@each_mode
def test_scaling_follows_the_rule_of_the_card(mode: int, gfx: str) -> None:
    division = Division(gfx, "f32", mode)
    count = WAVES * division.lanes
    for seed in range(4):
        n, d = drawn("f32", count, seed)
        division.set(0, n)
        division.set(1, d)
        for number, value in ((0, n), (1, d)):
            at = division.at
            division.run(division.op("v_div_scale", at(2), VCC_FIELD, at(number), at(1), at(0)))
            division.machine.waves.denormals = mode
            given = list(zip(*map(bits, (value, d, n)), strict=True))
            expected = [rule(*one, flush=mode == FLUSH) for one in given]
            assert bits(division.get(2, count)) == [one[0] for one in expected]
            assert division.vcc(count).tolist() == [one[1] for one in expected]


# Sources, VCC, and what the card gives: the sum chooses nothing, and all is rounded once.
FUSED = {
    "f32": [
        (0.0, 0.0, 1.0, 1, 2.0**-64),
        (0.0, 0.0, 2.0, 1, 2.0**65),
        (1.0, 2.0, 0.0, 1, 2.0**-63),
        (0.5, 1.0, 1.5, 1, 2.0**-63),
        (2.0**-100, 2.0**-100, 2.0**-86, 1, 2.0**-149),
        (-(2.0**-100), 2.0**-100, 2.0**-86, 1, 0.0),
        (2.0**100, 2.0**50, 0.0, 1, 2.0**86),
        (1 + 2.0**-23, 1 - 2.0**-23, -1.0, 0, -(2.0**-46)),
        (1.5, 2.0, 0.25, 0, 3.25),
    ],
    "f64": [
        (0.0, 0.0, 1.0, 1, 2.0**-128),
        (0.0, 0.0, 2.0, 1, 2.0**129),
        (1.0, 2.0, 0.0, 1, 2.0**-127),
        (2.0**-600, 2.0**-600, 2.0**-947, 1, 2.0**-1074),
        (-(2.0**-600), 2.0**-600, 2.0**-947, 1, 0.0),
        (2.0**800, 2.0**300, 0.0, 1, 2.0**972),
        (1.5, 2.0, 0.25, 0, 3.25),
    ],
}


@each_gfx
@pytest.mark.parametrize("kind", KINDS)
def test_the_last_product_is_rounded_and_scaled_once(kind: str, gfx: str) -> None:
    *sources, vcc, expected = zip(*FUSED[kind], strict=True)
    division = Division(gfx, kind)
    for number, values in enumerate(sources):
        division.set(number, values)
    count = len(expected)
    division.machine.set_scalar(VCC, sum(on << lane for lane, on in enumerate(vcc)))
    division.machine.set_scalar(VCC + 1, 0)
    at = division.at
    division.run(division.op("v_div_fmas", at(3), at(0), at(1), at(2)))
    assert division.get(3, count).tolist() == list(expected)


def fixed(given: list[tuple[Any, Any, Any]], gfx: str, kind: str, mode: int) -> list[int]:
    """The bits that V_DIV_FIXUP gives for quotients, denominators and numerators."""
    division = Division(gfx, kind, mode)
    for number, values in enumerate(zip(*given, strict=True)):
        division.set(number, np.array(values, KINDS[kind]))
    at = division.at
    division.run(division.op("v_div_fixup", at(3), at(0), at(1), at(2)))
    return bits(division.get(3, len(given)))


NAN, SIGNALLING, LEAST = f32(0x7FC00000), f32(0xFF800123), f32(1)
FIXED = [
    ((-3.0, 1.0, 1.0), 0x40400000),
    # A quotient that is no number stands for one that is too large.
    ((NAN, 1.0, 1.0), 0x7F800000),
    ((NAN, -1.0, 1.0), 0xFF800000),
    ((NAN, 2.0**-130, 2.0**100), 0x7F800000),
    ((NAN, 2.0**120, 2.0**-100), 0),
    ((1.0, 0.0, 0.0), 0xFFC00000),
    ((1.0, INF, -INF), 0xFFC00000),
    ((1.0, -1.0, 0.0), 0x80000000),
    ((1.0, 0.0, -1.0), 0xFF800000),
    ((1.0, NAN, SIGNALLING), 0xFFC00123),
    ((1.0, SIGNALLING, 1.0), 0xFFC00123),
    ((LEAST, 1.0, 1.0), 1),
]


@each_gfx
@each_mode
def test_quotients_are_fixed_as_cards_do_it(mode: int, gfx: str) -> None:
    """2**-130 counts as zero where denormal numbers are flushed, with the same result."""
    found = fixed([given for given, _ in FIXED], gfx, "f32", mode)
    assert list(map(hex, found)) == [hex(expected) for _, expected in FIXED]


@each_gfx
def test_denormal_operands_are_fixed_by_the_mode(gfx: str) -> None:
    given = [(1.0, 1.0, LEAST), (2.0, LEAST, 1.0)]
    assert fixed(given, gfx, "f32", KEEP) == [0x3F800000, 0x40000000]
    assert fixed(given, gfx, "f32", FLUSH) == [0, 0x7F800000]


@each_gfx
def test_quotients_of_doubles_are_fixed(gfx: str) -> None:
    given = [(3.0, -1.0, 1.0), (math.nan, 1.0, 1.0), (1.0, 0.0, 0.0), (1.0, 2.0**600, 2.0**-600)]
    found = fixed(given, gfx, "f64", KEEP)
    assert found == [*bits(np.array([-3.0, INF])), 0xFFF8000000000000, 0]


def f32_steps(division: Division) -> list[Any]:
    """A division as LLVM writes it."""
    op, at = division.op, division.at
    n, d, scaled_d, inverse, scaled_n, q, r = (at(i) for i in range(7))
    return [
        op("v_div_scale", scaled_d, VCC_FIELD, d, d, n),
        op("v_rcp", inverse, scaled_d),
        op("v_div_scale", scaled_n, VCC_FIELD, n, d, n),
        division.denormals(keep=True),
        op("v_fma", r, -scaled_d, inverse, 1.0),
        op("v_fma", inverse, r, inverse, inverse),
        op("v_mul", q, scaled_n, inverse),
        op("v_fma", r, -scaled_d, q, scaled_n),
        op("v_fma", q, r, inverse, q),
        op("v_fma", r, -scaled_d, q, scaled_n),
        division.denormals(keep=division.machine.waves.denormals == KEEP),
        op("v_div_fmas", q, r, inverse, q),
        op("v_div_fixup", q, q, d, n),
    ]


def f64_steps(division: Division) -> list[Any]:
    """The steps of a division in f64, one more towards the reciprocal than in f32."""
    op, at = division.op, division.at
    n, d, scaled_d, inverse, scaled_n, q, r = (at(i) for i in range(7))
    return [
        op("v_div_scale", scaled_d, VCC_FIELD, d, d, n),
        op("v_rcp", inverse, scaled_d),
        op("v_fma", r, -scaled_d, inverse, 1.0),
        op("v_fma", inverse, inverse, r, inverse),
        op("v_fma", r, -scaled_d, inverse, 1.0),
        op("v_fma", inverse, inverse, r, inverse),
        op("v_div_scale", scaled_n, VCC_FIELD, n, d, n),
        op("v_mul", q, scaled_n, inverse),
        op("v_fma", r, -scaled_d, q, scaled_n),
        op("v_div_fmas", q, r, inverse, q),
        op("v_div_fixup", q, q, d, n),
    ]


def quotients(
    gfx: str, kind: str, mode: int, count: int, steps: Callable[[Division], list[Any]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numerators, denominators, and what the machine's divisions give."""
    n, d = drawn(kind, count, 11)
    found = []
    division = Division(gfx, kind, mode)
    at_once = WAVES * division.lanes
    instructions = steps(division)
    for start in range(0, count, at_once):
        division.set(0, n[start : start + at_once])
        division.set(1, d[start : start + at_once])
        division.run(*instructions)
        found.append(division.get(5, at_once))
    return n, d, np.concatenate(found)[:count]


def flushed(values: np.ndarray) -> np.ndarray:
    tiny = np.abs(values) < np.finfo(values.dtype).tiny
    return np.where(tiny, np.copysign(values.dtype.type(0), values), values)


def assert_rounded(n: np.ndarray, d: np.ndarray, found: np.ndarray, mode: int) -> None:
    """Quotients are those of IEEE 754, bit for bit, but for what NaN carry."""
    with np.errstate(all="ignore"):
        expected = flushed(flushed(n) / flushed(d)) if mode == FLUSH else n / d
    is_nan = np.isnan(expected)
    words = (array.view(f"u{array.itemsize}") for array in (found, expected))
    same = np.where(is_nan, np.isnan(found), np.equal(*words))
    wrong = [(n[i], d[i], found[i], expected[i]) for i in np.flatnonzero(~same)]
    assert not wrong, f"{len(wrong)} of {len(n)}: {wrong[:4]}"


@each_gfx
@each_mode
def test_compiled_divisions_are_correctly_rounded(mode: int, gfx: str) -> None:
    n, d, found = quotients(gfx, "f32", mode, DIVISIONS, f32_steps)
    assert_rounded(n, d, found, mode)


@each_gfx
def test_compiled_divisions_of_doubles_are_correctly_rounded(gfx: str) -> None:
    n, d, found = quotients(gfx, "f64", KEEP, 2 * WAVES * 64, f64_steps)
    assert_rounded(n, d, found, KEEP)
