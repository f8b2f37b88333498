"""Single instructions of the emulator against statements of their meaning in plain Python.

Instruction words are put together by the instruction tables of `tinygrad`; what they should do is
said here with Python's integers, with `struct`, and with `math` in double precision.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, SCC, VCC, s, v
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.machine.waves import EXEC
from support.emulator.machine import (
    LANES,
    MASK,
    SPECIAL,
    TABLES,
    WAVES,
    Machine,
    bits16,
    bits32,
    f16,
    f32,
    integers,
    numbers,
    signed,
)

pytestmark = pytest.mark.slow

# What RDNA4 calls them.
RDNA4_NAMES = {
    "s_add_u32": "s_add_co_u32",
    "s_sub_u32": "s_sub_co_u32",
    "s_add_i32": "s_add_co_i32",
    "s_sub_i32": "s_sub_co_i32",
    "v_min_f32_e32": "v_min_num_f32_e32",
    "v_max_f32_e32": "v_max_num_f32_e32",
    "v_min3_f32": "v_min3_num_f32",
    "v_max3_f32": "v_max3_num_f32",
    "v_max_f16_e32": "v_max_num_f16_e32",
    "v_pk_min_f16": "v_pk_min_num_f16",
}
# What CDNA calls them, and what it does not have.
CDNA_NAMES = {
    "v_add_nc_u32_e32": "v_add_u32_e32",
    "v_sub_nc_u32_e32": "v_sub_u32_e32",
    "v_subrev_nc_u32_e32": "v_subrev_u32_e32",
    "v_clz_i32_u32_e32": "v_ffbh_u32_e32",
    "v_ctz_i32_b32_e32": "v_ffbl_b32_e32",
    "s_and_not1_b32": "s_andn2_b32",
}
NOT_CDNA = ("v_xor3_b32", "v_maxmin_u32", "v_minmax_i32")
OWN_NAMES: dict[str, dict[str, str]] = {
    "gfx1100": {},
    "gfx1201": RDNA4_NAMES,
    "gfx942": CDNA_NAMES,
    "gfx90a": CDNA_NAMES,
}
each_gfx = pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201"])


def instruction(gfx: str, name: str) -> Any:
    """What makes an instruction of a family, by its name on RDNA3."""
    own = OWN_NAMES[gfx].get(name, name)
    # The tables of CDNA say the encoding where there is only one, too.
    return getattr(TABLES[gfx], own, None) or getattr(TABLES[gfx], f"{own}_e64")


def each_family(names: Iterable[str]) -> Any:
    """Names of instructions on all families that have them."""
    cases = [
        (name, gfx)
        for gfx in OWN_NAMES
        for name in names
        if not (gfx.startswith("gfx9") and name in NOT_CDNA)
    ]
    return pytest.mark.parametrize(("name", "gfx"), cases)


INTEGER: dict[str, Callable[..., int]] = {
    "v_add_nc_u32_e32": lambda a, b: a + b,
    "v_sub_nc_u32_e32": lambda a, b: a - b,
    "v_subrev_nc_u32_e32": lambda a, b: b - a,
    "v_and_b32_e32": lambda a, b: a & b,
    "v_or_b32_e32": lambda a, b: a | b,
    "v_xor_b32_e32": lambda a, b: a ^ b,
    "v_xnor_b32_e32": lambda a, b: ~(a ^ b),
    "v_lshlrev_b32_e32": lambda a, b: b << (a % 32),
    "v_lshrrev_b32_e32": lambda a, b: b >> (a % 32),
    "v_ashrrev_i32_e32": lambda a, b: signed(b) >> (a % 32),
    "v_min_u32_e32": min,
    "v_max_u32_e32": max,
    "v_min_i32_e32": lambda a, b: min(signed(a), signed(b)),
    "v_max_i32_e32": lambda a, b: max(signed(a), signed(b)),
    "v_mul_u32_u24_e32": lambda a, b: (a % 2**24) * (b % 2**24),
    "v_mul_i32_i24_e32": lambda a, b: signed(a, 24) * signed(b, 24),
    "v_mul_hi_u32_u24_e32": lambda a, b: (a % 2**24) * (b % 2**24) >> 32,
    "v_mul_lo_u32": lambda a, b: a * b,
    "v_mul_hi_u32": lambda a, b: a * b >> 32,
    "v_mul_hi_i32": lambda a, b: signed(a) * signed(b) >> 32,
    "v_bfm_b32": lambda a, b: ((1 << a % 32) - 1) << (b % 32),
    "v_bcnt_u32_b32": lambda a, b: a.bit_count() + b,
    "v_add3_u32": lambda a, b, c: a + b + c,
    "v_lshl_add_u32": lambda a, b, c: ((a << b % 32) & MASK) + c,
    "v_add_lshl_u32": lambda a, b, c: ((a + b) & MASK) << (c % 32),
    "v_lshl_or_b32": lambda a, b, c: a << (b % 32) | c,
    "v_and_or_b32": lambda a, b, c: a & b | c,
    "v_or3_b32": lambda a, b, c: a | b | c,
    "v_xor3_b32": lambda a, b, c: a ^ b ^ c,
    "v_xad_u32": lambda a, b, c: (a ^ b) + c,
    "v_bfe_u32": lambda a, b, c: a >> b % 32 & ((1 << c % 32) - 1),
    "v_bfe_i32": lambda a, b, c: signed(signed(a) >> b % 32, c % 32) if c % 32 else 0,
    "v_bfi_b32": lambda a, b, c: (a & b) | (~a & c),
    "v_alignbit_b32": lambda a, b, c: (a << 32 | b) >> c % 32,
    "v_alignbyte_b32": lambda a, b, c: (a << 32 | b) >> 8 * (c % 4),
    "v_mad_u32_u24": lambda a, b, c: (a % 2**24) * (b % 2**24) + c,
    "v_mad_i32_i24": lambda a, b, c: signed(a, 24) * signed(b, 24) + signed(c),
    "v_min3_u32": lambda a, b, c: min(a, b, c),
    "v_max3_i32": lambda a, b, c: max(signed(a), signed(b), signed(c)),
    "v_med3_u32": lambda a, b, c: sorted((a, b, c))[1],
    "v_med3_i32": lambda a, b, c: sorted((signed(a), signed(b), signed(c)))[1],
    "v_maxmin_u32": lambda a, b, c: min(max(a, b), c),
    "v_minmax_i32": lambda a, b, c: max(min(signed(a), signed(b)), signed(c)),
    "v_mov_b32_e32": lambda a: a,
    "v_not_b32_e32": lambda a: ~a,
    "v_bfrev_b32_e32": lambda a: int(f"{a:032b}"[::-1], 2),
    "v_clz_i32_u32_e32": lambda a: 32 - a.bit_length() if a else -1,
    "v_ctz_i32_b32_e32": lambda a: (a & -a).bit_length() - 1 if a else -1,
    "v_cvt_f32_u32_e32": lambda a: bits32(a),
    "v_cvt_f32_i32_e32": lambda a: bits32(signed(a)),
    "v_cvt_f32_ubyte2_e32": lambda a: bits32(a >> 16 & 255),
}


def _to_int(value: float, low: int, high: int) -> int:
    if math.isnan(value):
        return 0
    return low if value <= low else high if value >= high else math.trunc(value)


def _round_even(value: float) -> float:
    return value if math.isinf(value) or math.isnan(value) else math.copysign(round(value), value)


def _guarded(function: Callable[[float], float], at_zero: float) -> Callable[[float], float]:
    def compute(a: float) -> float:
        if a == 0:
            return math.copysign(at_zero, a) if at_zero > 0 else at_zero
        try:
            return function(a)
        except (ValueError, OverflowError):
            return math.nan if a < 0 else math.inf

    return compute


def _least(*given: float) -> float:
    return min((x for x in given if not math.isnan(x)), default=math.nan)


def _most(*given: float) -> float:
    return max((x for x in given if not math.isnan(x)), default=math.nan)


FLOAT: dict[str, Callable[..., float]] = {
    "v_add_f32_e32": lambda a, b: a + b,
    "v_sub_f32_e32": lambda a, b: a - b,
    "v_subrev_f32_e32": lambda a, b: b - a,
    "v_mul_f32_e32": lambda a, b: a * b,
    "v_min_f32_e32": _least,
    "v_max_f32_e32": _most,
    "v_fma_f32": lambda a, b, c: a * b + c,
    "v_min3_f32": _least,
    "v_max3_f32": _most,
    "v_trunc_f32_e32": lambda a: a if math.isinf(a) else math.copysign(math.trunc(a), a),
    "v_rndne_f32_e32": _round_even,
    "v_floor_f32_e32": lambda a: a if math.isinf(a) or a == 0 else float(math.floor(a)),
    "v_exp_f32_e32": lambda a: math.inf if a > 200 else 2.0**a,
    "v_rcp_f32_e32": _guarded(lambda a: 1 / a, math.inf),
    "v_rsq_f32_e32": _guarded(lambda a: 1 / math.sqrt(a), math.inf),
    "v_sqrt_f32_e32": lambda a: a if a == 0 else math.nan if a < 0 else math.sqrt(a),
    "v_log_f32_e32": lambda a: (
        -math.inf if a == 0 else math.nan if a < 0 else math.inf if a == math.inf else math.log2(a)
    ),
}


def _encode(gfx: str, name: str, count: int) -> Any:
    return instruction(gfx, name)(v[0], *(v[i + 1] for i in range(count)))


@each_family(INTEGER)
def test_integer_instructions(name: str, gfx: str) -> None:
    meaning = INTEGER[name]
    count = meaning.__code__.co_argcount if hasattr(meaning, "__code__") else 2
    machine = Machine(gfx)
    given = [integers(seed, machine.lanes) for seed in range(count)]
    for i, values in enumerate(given):
        machine.set(i + 1, values)
    machine.run(_encode(gfx, name, count))
    expected = [
        meaning(*(int(x) for x in row)) & MASK for row in zip(*map(np.ravel, given), strict=True)
    ]
    assert machine.waves.v[0].ravel().tolist() == expected


@each_family(FLOAT)
def test_float_instructions(name: str, gfx: str) -> None:
    meaning = FLOAT[name]
    count = 3 if "3" in name.split("_")[1] or "fma" in name else 2
    if name.split("_")[1] in ("trunc", "rndne", "floor", "exp", "rcp", "rsq", "sqrt", "log"):
        count = 1
    machine = Machine(gfx)
    given = [numbers(seed, machine.lanes) for seed in range(count)]
    for i, values in enumerate(given):
        machine.set(i + 1, values)
    machine.run(_encode(gfx, name, count))
    rows = zip(*map(np.ravel, given), strict=True)
    expected = [f32(bits32(meaning(*(f32(int(x)) for x in row)))) for row in rows]
    np.testing.assert_array_max_ulp(
        machine.waves.f[0].ravel(), np.array(expected, np.float32), maxulp=1
    )


HALF: dict[str, Callable[..., float]] = {
    "v_add_f16_e32": lambda a, b: a + b,
    "v_mul_f16_e32": lambda a, b: a * b,
    "v_max_f16_e32": max,
}


@pytest.mark.parametrize("name", HALF)
@each_gfx
def test_half_instructions_keep_the_other_half(name: str, gfx: str) -> None:
    machine = Machine(gfx)
    rng = np.random.default_rng(1)
    pairs = rng.standard_normal((2, WAVES, LANES, 2)).astype(np.float16)
    for i in range(2):
        machine.set(i + 1, pairs[i].view(np.uint32)[..., 0])
    before = integers(7)
    machine.set(0, before)
    machine.run(_encode(gfx, name, 2))
    low = pairs[..., 0].reshape(2, -1)
    expected = [bits16(HALF[name](float(a), float(b))) for a, b in low.T]
    assert (machine.waves.v[0].ravel() & 0xFFFF).tolist() == expected
    assert np.array_equal(machine.waves.v[0] >> 16, before >> 16)


PACKED: dict[str, Callable[..., float]] = {
    "v_pk_add_f16": lambda a, b: a + b,
    "v_pk_mul_f16": lambda a, b: a * b,
    "v_pk_fma_f16": lambda a, b, c: a * b + c,
    "v_pk_min_f16": min,
}


@each_family(PACKED)
def test_packed_instructions(name: str, gfx: str) -> None:
    count = 3 if "fma" in name else 2
    machine = Machine(gfx)
    rng = np.random.default_rng(2)
    pairs = rng.standard_normal((count, WAVES, machine.lanes, 2)).astype(np.float16)
    for i in range(count):
        machine.set(i + 1, pairs[i].view(np.uint32)[..., 0])
    machine.run(_encode(gfx, name, count))
    expected = [bits16(PACKED[name](*map(float, row))) for row in pairs.reshape(count, -1).T]
    assert machine.waves.v[0].view(np.uint16).ravel().tolist() == expected


CONVERSIONS: dict[str, Callable[[int], int]] = {
    "v_cvt_f16_f32_e32": lambda a: bits16(f32(a)),
    "v_cvt_i32_f32_e32": lambda a: _to_int(f32(a), -(2**31), 2**31 - 1),
    "v_cvt_u32_f32_e32": lambda a: _to_int(f32(a), 0, 2**32 - 1),
    "v_cvt_f32_f16_e32": lambda a: bits32(f16(a)),
}


@each_family(CONVERSIONS)
def test_conversions(name: str, gfx: str) -> None:
    machine = Machine(gfx)
    values = numbers(3, machine.lanes)
    machine.set(1, values)
    machine.set(0, np.zeros((WAVES, machine.lanes), np.uint32))
    machine.run(_encode(gfx, name, 1))
    expected = [CONVERSIONS[name](int(a)) & MASK for a in values.ravel()]
    results = machine.waves.v[0].ravel().tolist()
    same = [
        a == b or (math.isnan(f32(a)) and math.isnan(f32(b)))
        for a, b in zip(results, expected, strict=True)
    ]
    assert all(same)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
}


@pytest.mark.parametrize("relation", COMPARISONS)
@pytest.mark.parametrize("kind", ["u32", "i32", "f32"])
@each_gfx
def test_comparisons_give_masks_of_active_lanes(relation: str, kind: str, gfx: str) -> None:
    machine = Machine(gfx)
    source = numbers if kind == "f32" else integers
    a, b = source(4), source(5)
    b[:, ::5] = a[:, ::5]
    machine.set(1, a)
    machine.set(2, b)
    machine.set_scalar(EXEC, 0x7FFFFFFF)
    machine.run(instruction(gfx, f"v_cmp_{relation}_{kind}_e32")(v[1], v[2]))
    view = {"u32": int, "i32": lambda x: signed(int(x)), "f32": lambda x: f32(int(x))}[kind]
    for wave in range(WAVES):
        mask = sum(
            COMPARISONS[relation](view(a[wave, lane]), view(b[wave, lane])) << lane
            for lane in range(31)
        )
        assert int(machine.waves.s[106, wave]) == mask


def test_negated_comparison_holds_for_nan() -> None:
    machine = Machine()
    nan = np.full((WAVES, LANES), np.nan, np.float32)
    machine.set(1, nan)
    machine.run(ins.v_cmp_nlt_f32_e32(v[1], v[1]))
    assert int(machine.waves.s[106, 0]) == MASK


SCALAR: dict[str, Callable[[int, int], tuple[int, int | None]]] = {
    "s_add_u32": lambda a, b: (a + b, int(a + b > MASK)),
    "s_sub_u32": lambda a, b: (a - b, int(b > a)),
    "s_add_i32": lambda a, b: (
        a + b,
        int(signed(a) + signed(b) != signed(a + b)),
    ),
    "s_sub_i32": lambda a, b: (a - b, int(signed(a) - signed(b) != signed(a - b))),
    "s_and_b32": lambda a, b: (a & b, int(a & b != 0)),
    "s_or_b32": lambda a, b: (a | b, int(a | b != 0)),
    "s_xor_b32": lambda a, b: (a ^ b, int(a ^ b != 0)),
    "s_and_not1_b32": lambda a, b: (a & ~b, int(a & ~b & MASK != 0)),
    "s_lshl_b32": lambda a, b: (a << b % 32, int(a << b % 32 & MASK != 0)),
    "s_lshr_b32": lambda a, b: (a >> b % 32, int(a >> b % 32 != 0)),
    "s_ashr_i32": lambda a, b: (signed(a) >> b % 32, int(signed(a) >> b % 32 != 0)),
    "s_mul_i32": lambda a, b: (a * b, None),
    "s_mul_hi_u32": lambda a, b: (a * b >> 32, None),
    "s_mul_hi_i32": lambda a, b: (signed(a) * signed(b) >> 32, None),
    "s_min_u32": lambda a, b: (min(a, b), int(a < b)),
    "s_max_i32": lambda a, b: (max(signed(a), signed(b)), int(signed(a) >= signed(b))),
    "s_lshl2_add_u32": lambda a, b: (
        ((a << 2) & MASK) + b,
        int((a << 2) + b > MASK),
    ),
    "s_bfe_u32": lambda a, b: (
        a >> b % 32 & ((1 << min(b >> 16 & 127, 63)) - 1) & MASK,
        int(a >> b % 32 & ((1 << min(b >> 16 & 127, 63)) - 1) & MASK != 0),
    ),
    "s_pack_ll_b32_b16": lambda a, b: (a & 0xFFFF | b << 16, None),
    "s_bfm_b32": lambda a, b: (((1 << a % 32) - 1) << b % 32, None),
}


@each_family(SCALAR)
def test_scalar_instructions(name: str, gfx: str) -> None:
    values = [*SPECIAL, 0x12345678, 0x00080004, 0x89ABCDEF]
    for a in values:
        b = values[(values.index(a) * 5 + 3) % len(values)]
        machine = Machine(gfx)
        machine.set_scalar(0, a)
        machine.set_scalar(1, b)
        machine.run(instruction(gfx, name)(s[2], s[0], s[1]))
        result, scc = SCALAR[name](a, b)
        assert int(machine.waves.s[2, 0]) == result & MASK, (hex(a), hex(b))
        if scc is not None:
            assert int(machine.waves.scc[0]) == scc, (hex(a), hex(b))


@each_gfx
def test_save_exec_keeps_and_narrows(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    machine.set_scalar(3, 0x00FF00FF)
    machine.set(0, np.zeros((WAVES, LANES), np.uint32))
    machine.run(ins.s_and_saveexec_b32(s[4], s[3]), ins.v_mov_b32_e32(v[0], 1))
    assert int(machine.waves.s[4, 0]) == MASK
    assert machine.waves.v[0, 0].tolist() == [int(0x00FF00FF >> lane & 1) for lane in range(32)]


@each_gfx
def test_carries_chain_to_64_bits(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    for register, seed in ((1, 1), (2, 2), (3, 3), (4, 4)):
        machine.set(register, integers(seed))
    machine.run(
        ins.v_add_co_u32(v[5], VCC, v[1], v[3]),
        ins.v_add_co_ci_u32_e32(v[6], v[2], v[4]),
    )
    low, high, other_low, other_high, found_low, found_high = (
        machine.waves.v[i].astype(object) for i in (1, 2, 3, 4, 5, 6)
    )
    total = (low + (high << 32) + other_low + (other_high << 32)) % 2**64
    assert np.array_equal(total, found_low + (found_high << 32))


def test_mad_with_64_bit_sum() -> None:
    machine = Machine()
    for register, seed in ((1, 1), (2, 2), (4, 3), (5, 4)):
        machine.set(register, integers(seed))
    machine.run(ins.v_mad_u64_u32(v[6:7], NULL, v[1], v[2], v[4:5]))
    a, b, low, high, r0, r1 = (machine.waves.v[i].astype(object) for i in (1, 2, 4, 5, 6, 7))
    assert np.array_equal((a * b + low + (high << 32)) % 2**64, r0 + (r1 << 32))


@pytest.mark.parametrize(
    ("control", "source"),
    [
        (0b11_10_01_00, lambda i: i),
        (0b00_00_00_00, lambda i: i & ~3),
        (0x101, lambda i: i + 1 if i % 16 < 15 else None),
        (0x111, lambda i: i - 1 if i % 16 else None),
        (0x128, lambda i: i & 16 | (i - 8) % 16),
        (0x140, lambda i: i & 16 | 15 - i % 16),
        (0x141, lambda i: i & ~7 | 7 - i % 8),
        (0x155, lambda i: i & 16 | 5),
        (0x161, lambda i: i ^ 1),
    ],
)
@each_gfx
def test_dpp_reads_other_lanes_of_the_row(
    control: int, source: Callable[[int], int | None], gfx: str
) -> None:
    """The destination is the source and the other operand too: all is read before it is written."""
    ins = TABLES[gfx]
    machine = Machine(gfx)
    values = integers(6)
    machine.set(1, values)
    machine.run(_dpp(ins, ins.VOP2Op.V_ADD_NC_U32_E32, 1, control))
    for wave in range(WAVES):
        expected = []
        for lane in range(LANES):
            other = source(lane)
            own = int(values[wave, lane])
            expected.append(own if other is None else (own + int(values[wave, other])) & MASK)
        assert machine.waves.v[1, wave].tolist() == expected


def _dpp(ins: Any, op: Any, target: int, control: int) -> Any:
    """An operation on v1 of other lanes and the destination."""
    made = ins.VOP2_DPP16(
        op=op,
        vdst=v[target],
        vsrc0=v[1],
        vsrc1=v[target],
        dpp=control,
        row_mask=15,
        bank_mask=15,
    )
    # What stands for the first source says that DPP follows.
    made._raw = made._raw & ~0x1FF | 250
    return made


OTHERS = {
    0x130: "wave_shl",
    0x134: "wave_rol",
    0x138: "wave_shr",
    0x13C: "wave_ror",
    0x142: "row_bcast:15",
    0x143: "row_bcast:31",
}


@pytest.mark.parametrize("control", OTHERS)
@each_gfx
def test_controls_that_only_gfx9_has_are_refused(control: int, gfx: str) -> None:
    ins = TABLES[gfx]
    with pytest.raises(
        EmulatorError, match=rf"DPP control {OTHERS[control]} .*which only GFX9 has"
    ):
        Machine(gfx).run(_dpp(ins, ins.VOP2Op.V_ADD_NC_U32_E32, 1, control))


@pytest.mark.parametrize("control", [0x160, 0x16F])
def test_controls_that_only_rdna_has_are_refused(control: int) -> None:
    ins = TABLES["gfx942"]
    with pytest.raises(EmulatorError, match=r"DPP control row_xmask .*which only RDNA has"):
        Machine("gfx942").run(_dpp(ins, ins.VOP2Op.V_ADD_U32_E32, 1, control))


@pytest.mark.parametrize("inactive", [False, True], ids=["zero", "inactive"])
@each_gfx
def test_dpp8_reads_one_of_eight_lanes(inactive: bool, gfx: str) -> None:
    """By a choice for each of eight; lanes that are off give 0, or what they have."""
    ins, choice = TABLES[gfx], (7, 0, 3, 3, 1, 6, 5, 2)
    machine = Machine(gfx)
    values = integers(6)
    machine.set(1, values)
    machine.set(2, integers(7))
    before = machine.waves.v[2].copy()
    machine.set_scalar(EXEC, 0x0FF0FFF0)
    chosen = {f"lane_sel_{i}": lane for i, lane in enumerate(choice)}
    move = ins.VOP1_DPP8(op=ins.VOP1Op.V_MOV_B32_E32, vdst=v[2], vsrc0=v[1], **chosen)
    # What stands for the first source says that DPP8 follows, and whether lanes that are off count.
    move._raw = move._raw & ~0x1FF | 233 + inactive
    machine.run(move)
    is_on = (0x0FF0FFF0 >> np.arange(LANES) & 1).astype(bool)
    source = np.arange(LANES) & ~7 | np.array(choice)[np.arange(LANES) & 7]
    moved = np.where(is_on[source] | inactive, values[:, source], 0)
    assert np.array_equal(machine.waves.v[2], np.where(is_on, moved, before))


@pytest.mark.parametrize("exec_mask", [MASK, 0x0FFF0FFF])
def test_dpp_of_16_bits(exec_mask: int) -> None:
    """Halves of lanes of several waves; the first of a row has none before it."""
    ins = TABLES["gfx1100"]
    machine = Machine("gfx1100")
    values = np.random.default_rng(0).standard_normal((WAVES, LANES)).astype(np.float16)
    machine.set(1, values.view(np.uint16).astype(np.uint32))
    machine.set(2, np.zeros((WAVES, LANES), np.uint32))
    machine.set_scalar(EXEC, exec_mask)
    machine.run(_dpp(ins, ins.VOP2Op.V_ADD_F16_E32, 2, 0x111))
    executes = exec_mask >> np.arange(LANES) & 1
    expected = np.where((np.arange(LANES) % 16 > 0) & (executes == 1), np.roll(values, 1, 1), 0)
    assert np.array_equal(machine.waves.h[2, ..., 0], expected)


@each_gfx
def test_a_signed_sum_with_the_condition_code(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    machine.waves.s[0] = [5, MASK, 0]
    machine.run(
        ins.s_cmp_eq_u32(s[0], s[0]),
        instruction(gfx, "s_add_i32")(s[1], s[0], SCC),
    )
    assert machine.waves.s[1].tolist() == [6, 0, 1]


@each_gfx
def test_permlanex16_crosses_rows(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    values = integers(8)
    machine.set(1, values)
    machine.set_scalar(0, 0x76543210)
    machine.set_scalar(1, 0xFEDCBA98)
    machine.run(ins.v_permlanex16_b32(v[2], v[1], s[0], s[1]))
    assert np.array_equal(machine.waves.v[2], np.roll(values, 16, axis=1))


@each_gfx
def test_bpermute_and_lanes(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    values = integers(9)
    machine.set(1, values)
    lane = np.arange(LANES, dtype=np.uint32)
    machine.set(2, np.broadcast_to((lane * 7 % 32) * 4, (WAVES, LANES)).astype(np.uint32))
    machine.run(
        ins.ds_bpermute_b32(v[3], v[2], v[1]),
        ins.v_readlane_b32(s[5], v[1], 9),
        ins.v_readfirstlane_b32_e32(s[6], v[1]),
    )
    assert np.array_equal(machine.waves.v[3], values[:, lane * 7 % 32])
    assert machine.waves.s[5].tolist() == values[:, 9].tolist()
    assert machine.waves.s[6].tolist() == values[:, 0].tolist()


@each_gfx
def test_paired_instructions_read_before_they_write(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    a, b = numbers(10), numbers(11)
    machine.set(2, a)
    machine.set(3, b)
    pair = ins.VOPD(
        opx=ins.VOPDOp.V_DUAL_MOV_B32,
        opy=ins.VOPDOp.V_DUAL_MOV_B32,
        vdstx=v[2],
        srcx0=v[3],
        vdsty=v[3],
        srcy0=v[2],
    )
    machine.run(pair)
    assert np.array_equal(machine.waves.v[2], b)
    assert np.array_equal(machine.waves.v[3], a)


@each_gfx
def test_mixed_fma_takes_halves(gfx: str) -> None:
    ins = TABLES[gfx]
    machine = Machine(gfx)
    rng = np.random.default_rng(5)
    pairs = rng.standard_normal((WAVES, LANES, 2)).astype(np.float16)
    single = rng.standard_normal((WAVES, LANES)).astype(np.float32)
    machine.set(1, pairs.view(np.uint32)[..., 0])
    machine.set(2, single)
    machine.run(ins.v_fma_mix_f32(v[3], v[1], v[2], v[2], opsel=1, opsel_hi=1, opsel_hi2=0))
    expected = pairs[..., 1].astype(np.float64) * single + single
    assert np.array_equal(machine.waves.f[3], expected.astype(np.float32))


@each_gfx
def test_flushing_denormals_is_a_mode(gfx: str) -> None:
    ins = TABLES[gfx]
    tiny = np.full((WAVES, LANES), 2.0**-130, np.float32)
    for mode, expected in ((15, 2.0**-110), (12, 0.0)):
        machine = Machine(gfx)
        machine.set(1, tiny)
        machine.run(
            ins.s_denorm_mode(mode),
            ins.v_mul_f32_e32(v[2], 2.0, v[1]),
            ins.v_ldexp_f32(v[2], v[2], 19),
        )
        assert machine.waves.f[2, 0, 0] == expected
    assert np.float32(2.0**-130) * np.ones(8, np.float32)[0] != 0


@each_gfx
def test_other_roundings_than_to_nearest_are_refused(gfx: str) -> None:
    ins = TABLES[gfx]
    Machine(gfx).run(ins.s_round_mode(0))
    with pytest.raises(EmulatorError, match="rounding mode other than to nearest"):
        Machine(gfx).run(ins.s_round_mode(1))


def _matrix_bits(values: np.ndarray, kind: str) -> np.ndarray:
    """Small integers as the bits of f16 or bf16, which hold them exactly."""
    if kind == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(np.float16).view(np.uint16)


@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("result", ["f32", "low half", "high half"])
def test_matrix_product(kind: str, result: str) -> None:
    """A and B lie in both half waves; C and D have even rows in the first, odd ones after."""
    machine = Machine()
    rng = np.random.default_rng(6)
    a, b = (rng.integers(-4, 5, (WAVES, 16, 16)).astype(np.float32) for _ in range(2))
    c = rng.integers(-4, 5, (WAVES, 16, 16)).astype(np.float32)
    for register, matrix in ((0, a), (8, b.transpose(0, 2, 1))):
        words = np.ascontiguousarray(_matrix_bits(matrix, kind)).view(np.uint32)
        for i in range(8):
            machine.set(register + i, np.concatenate([words[..., i]] * 2, axis=1))
    expected = a.astype(np.float64) @ b + c
    shift = {"f32": 0, "low half": 0, "high half": 16}[result]
    other = 0xABCD << (16 - shift)

    def rows(matrix: np.ndarray, i: int) -> np.ndarray:
        """Rows 2 i and 2 i + 1 as bits of one register."""
        values = np.concatenate([matrix[:, 2 * i], matrix[:, 2 * i + 1]], axis=1)
        if result == "f32":
            return values.astype(np.float32).view(np.uint32)
        # The half that is not chosen belongs to somebody else.
        return _matrix_bits(values, kind).astype(np.uint32) << shift | np.uint32(other)

    for i in range(8):
        machine.set(16 + i, rows(c, i))
    multiply = getattr(ins, f"v_wmma_{'f32' if result == 'f32' else kind}_16x16x16_{kind}")
    opsel = 4 if result == "high half" else 0
    machine.run(multiply(v[16:23], v[0:7], v[8:15], v[16:23], opsel=opsel))
    for i in range(8):
        assert np.array_equal(machine.waves.v[16 + i], rows(expected, i))
