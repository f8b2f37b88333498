"""Single instructions of CDNA that RDNA3 does not have, or has otherwise.

What they should do is said here in NumPy, following AMD's CDNA3 guide and its matrix instruction
calculator.
"""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import VCC, s, v
from tinygrad.runtime.autogen.amd.cdna import ins

from irattn.binary.codeobject import instructions, opcodes
from irattn.core.errors import EmulatorError
from irattn.lab.emulator import executes
from irattn.lab.emulator.machine.start import SCRATCH_BUFFER
from irattn.lab.emulator.machine.waves import EXEC
from support.emulator.machine import ACCUMULATORS, MASK, WAVES, Machine, integers, numbers

LANES = 64
LANE = np.arange(LANES)


class Raw:
    """An instruction given by its bits."""

    def __init__(self, bits: int, size: int) -> None:
        self.bits, self.size = bits, size

    def to_bytes(self) -> bytes:
        return self.bits.to_bytes(self.size, "little")


def machine(gfx: str = "gfx942", **how: Any) -> Machine:
    return Machine(gfx, **how)


def changed(instruction: Any, **fields: int) -> Raw:
    """An instruction with other bits in some fields, which its helper has no argument for."""
    raw = int.from_bytes(instruction.to_bytes(), "little")
    layout = dict(type(instruction)._fields)
    for name, value in fields.items():
        field = layout[name]
        raw = raw & ~(field.mask << field.lo) | value << field.lo
    return Raw(raw, len(instruction.to_bytes()))


def matrix_opcodes() -> list[Any]:
    """Chip, opcode, rows, k and type of every matrix instruction that is executed."""
    cases = []
    for gfx in ("gfx90a", "gfx942", "gfx950"):
        for op in sorted(opcodes(gfx), key=lambda op: op.name):
            # Those of chosen formats are in test_matrix_formats, sparse ones in their own.
            is_other = "f8f6f4" in op.name or "smfmac" in op.name
            if op.kind == "matrix" and executes(op, gfx) and not is_other:
                field = dict(op.encoding._fields)["op"]
                _, _, _, shape, kind, *more = op.name.split("_")
                rows, _, depth = map(int, shape.split("x"))
                kinds = kind, more[0] if more and more[0] in BYTES else kind
                code = op.raw >> field.lo & field.mask
                cases.append(pytest.param(gfx, code, rows, depth, kinds, id=f"{gfx}-{op.name}"))
    return cases


# Bits behind the point of floats of one byte, and their bias by what CDNA3 and the OCP have.
BYTES = {"fp8": (3, {"gfx942": 8, "gfx950": 7}), "bf8": (2, {"gfx942": 16, "gfx950": 15})}


def _element(values: np.ndarray, kind: str, gfx: str) -> np.ndarray:
    """Small integers as floats of 8 to 32 bits, which hold them exactly, or as bytes."""
    if kind == "i8":
        return values.astype(np.int8)
    if kind in BYTES:
        places, bias = BYTES[kind]
        fraction, exponent = np.frexp(np.abs(values).astype(np.float64))
        # The first bit of a number is not written.
        code = (exponent - 1 + bias.get(gfx, bias["gfx942"])) << places
        code += ((2 * fraction - 1) * (1 << places)).astype(int)
        return np.where(values, code | (values < 0) << 7, 0).astype(np.uint8)
    if kind == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(np.float16 if kind == "f16" else np.float32)


@pytest.mark.parametrize(("gfx", "opcode", "rows", "depth", "kinds"), matrix_opcodes())
def test_matrix_instructions(
    gfx: str, opcode: int, rows: int, depth: int, kinds: tuple[str, str]
) -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(-8, 8, (WAVES, rows, depth))
    b = rng.integers(-8, 8, (WAVES, depth, rows))
    c = rng.integers(-8, 8, (WAVES, rows, rows))
    m = machine(gfx)
    per_lane = depth * rows // LANES
    first = per_lane * (LANE // rows)
    for register, factor, kind in ((0, a, kinds[0]), (8, b.transpose(0, 2, 1), kinds[1])):
        held = [factor[:, LANE % rows, first + i] for i in range(per_lane)]
        words = _element(np.stack(held, axis=-1), kind, gfx).view(np.uint32)
        for i in range(words.shape[-1]):
            m.set(register + i, words[..., i].copy())
    registers, result = rows * rows // LANES, np.int32 if kinds[0] == "i8" else np.float32
    # Four rows at a time go to each group of lanes.
    row = [LANES // rows * 4 * (i // 4) + 4 * (LANE // rows) + i % 4 for i in range(registers)]
    for i in range(registers):
        m.set(16 + i, c[:, row[i], LANE % rows].astype(result))
    product = ins.v_mfma_f32_16x16x16_bf16(v[32:35], v[0:1], v[8:9], v[16:19])
    m.run(changed(product, op=opcode))
    expected = a @ b + c
    for i in range(registers):
        found = m.waves.v[32 + i].view(result)
        assert np.array_equal(found, expected[:, row[i], LANE % rows])


def test_matrix_instructions_use_accumulation_registers() -> None:
    m = machine()
    rng = np.random.default_rng(0)
    ones = np.full((WAVES, LANES), 0x3C003C00, np.uint32)
    c = rng.standard_normal((4, WAVES, LANES)).astype(np.float32)
    for i in range(2):
        m.set(ACCUMULATORS + i, ones)
        m.set(i, ones)
    for i in range(4):
        m.set(ACCUMULATORS + 4 + i, c[i])
    product = ins.v_mfma_f32_16x16x16_f16(v[8:11], v[0:1], v[0:1], v[4:7])
    m.run(changed(product, acc_cd=1, acc=1))
    for i in range(4):
        assert np.array_equal(m.waves.f[ACCUMULATORS + 8 + i], c[i] + np.float32(16))


def test_matrix_instructions_ignore_exec() -> None:
    m = machine(checks=True)
    for i in range(4):
        m.set(i, np.full((WAVES, LANES), 0x3C003C00, np.uint32))
    m.set_scalar(EXEC, 0)
    product = ins.v_mfma_f32_16x16x16_f16(v[8:11], v[0:1], v[2:3], 0)
    m.run(product)
    assert (m.waves.f[8:12] == 16).all()


@pytest.mark.parametrize(("gfx", "keeps"), [("gfx90a", False), ("gfx942", True)])
@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_gfx90a_takes_denormal_halves_as_zeros(gfx: str, keeps: bool, kind: str) -> None:
    """In products; and with them it takes denormal C as zero and gives no denormal D."""
    one = {"f16": 0x3C00, "bf16": 0x3F80}[kind]
    name = {"f16": "v_mfma_f32_16x16x16_f16", "bf16": "v_mfma_f32_16x16x16_bf16"}[kind]
    normal, denormal = {"f16": (0x0400, 0x0200), "bf16": (0x0080, 0x0040)}[kind]
    values = {0x0400: 2.0**-14, 0x0200: 2.0**-15, 0x0080: 2.0**-126, 0x0040: 2.0**-127}
    for given in (normal, denormal):
        m = machine(gfx)
        for i in range(2):
            m.set(i, np.full((WAVES, LANES), given * 0x10001, np.uint32))
            m.set(2 + i, np.full((WAVES, LANES), one * 0x10001, np.uint32))
        product = getattr(ins, name)(v[8:11], v[0:1], v[2:3], 0)
        m.run(changed(product, op=0x67) if kind == "bf16" and gfx == "gfx90a" else product)
        expected = 16 * values[given] if keeps or given == normal else 0.0
        assert (m.waves.f[8:12] == np.float32(expected)).all()


@pytest.mark.parametrize(("gfx", "keeps"), [("gfx90a", False), ("gfx942", True)])
def test_dot_products_of_gfx90a_take_denormal_halves_as_zeros(gfx: str, keeps: bool) -> None:
    m = machine(gfx)
    m.set(1, np.full((WAVES, LANES), 0x02003C00, np.uint32))
    m.set(2, np.full((WAVES, LANES), 0x3C003C00, np.uint32))
    m.set(3, np.zeros((WAVES, LANES), np.uint32))
    m.run(ins.v_dot2_f32_f16(v[4], v[1], v[2], v[3], opsel_hi=3, opsel_hi2=1))
    assert (m.waves.f[4] == np.float32(1.0 + (2.0**-15 if keeps else 0.0))).all()


def test_accumulation_registers_move() -> None:
    m = machine()
    given = integers(1, LANES)
    m.set(1, given)
    m.run(
        ins.v_accvgpr_write(v[5], v[1]),
        ins.v_accvgpr_mov_b32_e32(v[6], v[5]),
        ins.v_accvgpr_read(v[2], v[6]),
    )
    assert np.array_equal(m.waves.v[2], given)
    assert np.array_equal(m.waves.v[ACCUMULATORS + 6], given)


def test_loads_into_accumulation_registers() -> None:
    m = machine()
    m.set(0, np.broadcast_to(LANE * 4, (WAVES, LANES)).astype(np.uint32))
    m.set(1, integers(3, LANES))
    m.run(ins.ds_write_b32(addr=v[0], data0=v[1]), changed(ins.ds_read_b32(v[3], addr=v[0]), acc=1))
    assert np.array_equal(m.waves.v[ACCUMULATORS + 3][2], m.waves.v[1][2])


@pytest.mark.parametrize("name", ["v_pk_add_f32", "v_pk_mul_f32", "v_pk_fma_f32"])
def test_packed_f32_chooses_registers_and_signs(name: str) -> None:
    m = machine()
    given = [numbers(i, LANES).view(np.float32) for i in range(6)]
    for i, values in enumerate(given):
        m.set(i + 2, values)
    pairs = [v[2:3], v[4:5], v[6:7]][: 3 if "fma" in name else 2]
    # Low: a.hi, -b.lo, c.lo. High: a.lo, b.hi, -c.hi.
    how = {"opsel": 1, "opsel_hi": 2, "opsel_hi2": 1, "neg": 2, "neg_hi": 4}
    m.run(changed(getattr(ins, name)(v[8:9], *pairs), **how))
    with np.errstate(all="ignore"):
        for i, (a, b, c) in enumerate(
            ((given[1], -given[2], given[4]), (given[0], given[3], -given[5]))
        ):
            if "fma" in name:
                expected = (a.astype(np.float64) * b + c).astype(np.float32)
            else:
                expected = a + b if "add" in name else a * b
            np.testing.assert_array_equal(m.waves.f[8 + i], expected)


def test_both_halves_of_the_constant_0_are_0() -> None:
    m = machine()
    given = [numbers(i, LANES).view(np.float32) for i in range(2)]
    for i, values in enumerate(given):
        m.set(i + 2, values)
    plain = ins.v_pk_add_f32(v[8:9], v[2:3], 0)
    m.run(changed(plain, opsel=0, opsel_hi=3))
    for i in range(2):
        np.testing.assert_array_equal(m.waves.f[8 + i], np.broadcast_to(given[i], (WAVES, LANES)))


def test_nobody_knows_the_high_half_of_another_constant() -> None:
    m = Machine("gfx942", checks=True, lds=WAVES * LANES * 4)
    for i in range(4):
        m.set(i, 4 * np.arange(WAVES * LANES, dtype=np.uint32).reshape(WAVES, LANES))
    m.run(
        changed(ins.v_pk_add_f32(v[8:9], v[2:3], 1.0), opsel=0, opsel_hi=3),
        ins.ds_write_b32(addr=v[0], data0=v[8]),
    )
    with pytest.raises(EmulatorError, match="read of v9, which was never written"):
        m.run(ins.ds_write_b32(addr=v[0], data0=v[9]))


def test_a_packed_result_may_overwrite_its_sources() -> None:
    m = machine()
    low, high = integers(1, LANES), integers(2, LANES)
    m.set(2, low)
    m.set(3, high)
    swapped = changed(ins.v_pk_mov_b32(v[2:3], v[2:3], v[2:3]), opsel=1, opsel_hi=0, opsel_hi2=1)
    m.run(swapped)
    assert np.array_equal(m.waves.v[2], high)
    assert np.array_equal(m.waves.v[3], low)


def test_moves_of_64_bits() -> None:
    m = machine()
    m.set_scalar(4, 0x89ABCDEF)
    m.set_scalar(5, 0x01234567)
    m.run(ins.v_mov_b64_e32(v[2:3], s[4:5]), ins.v_mov_b64_e32(v[4:5], -1))
    assert (m.waves.v[2:4] == np.array([0x89ABCDEF, 0x01234567])[:, None, None]).all()
    assert (m.waves.v[4:6] == MASK).all()


# DPP controls of GFX9, and the lane that each lane reads; -1 for none.
DPP = {
    0x111: np.where(LANE % 16 > 0, LANE - 1, -1),
    0x102: np.where(LANE % 16 < 14, LANE + 2, -1),
    0x124: LANE & ~15 | (LANE - 4) % 16,
    0x130: np.where(LANE < 63, LANE + 1, -1),
    0x134: (LANE + 1) % 64,
    0x138: LANE - 1,
    0x13C: (LANE - 1) % 64,
    0x140: LANE ^ 15,
    0x141: LANE ^ 7,
    0x142: np.where(LANE >= 16, LANE // 16 * 16 - 1, -1),
    0x143: np.where(LANE >= 32, 31, -1),
    0x153: LANE & ~15 | 3,
    0b00_01_10_11: LANE ^ 3,
}


@pytest.mark.parametrize("zero", [0, 1])
@pytest.mark.parametrize("control", DPP)
def test_lanes_of_other_rows(control: int, zero: int) -> None:
    m = machine()
    values, before = integers(1, LANES), integers(2, LANES)
    m.set(1, values)
    m.set(0, before)
    m.run(_dpp_move(control, zero, row_mask=0xB))
    source = DPP[control]
    expected = np.where(source >= 0, values[:, source], 0 if zero else before)
    # Row 2 is left alone.
    expected = np.where(LANE // 16 == 2, before, expected)
    assert np.array_equal(m.waves.v[0], expected)


def _dpp_move(control: int, zero: int, row_mask: int) -> Raw:
    plain = int.from_bytes(ins.v_mov_b32_e32(v[0], v[0]).to_bytes(), "little")
    word = 1 | control << 8 | zero << 19 | 0xF << 24 | row_mask << 28
    return Raw(plain & ~0x1FF | 250 | word << 32, 8)


def _sdwa(instruction: Any, dst_sel: int, unused: int, src0_sel: int, **rest: int) -> Raw:
    """The SDWA form of an instruction whose first source is v1."""
    raw = int.from_bytes(instruction.to_bytes(), "little") & ~0x1FF | 249
    word = 1 | dst_sel << 8 | unused << 11 | src0_sel << 16 | rest.get("sext", 0) << 19
    word |= rest.get("neg", 0) << 20 | rest.get("src1_sel", 6) << 24
    return Raw(raw | word << 32, 8)


def test_parts_of_registers() -> None:
    m = machine()
    given, other, before = (integers(i, LANES) for i in range(3))
    m.set(1, given)
    m.set(2, other)
    for register in (3, 4, 5, 6):
        m.set(register, before)
    m.run(
        _sdwa(ins.v_mov_b32_e32(v[3], v[1]), dst_sel=6, unused=0, src0_sel=2),
        _sdwa(ins.v_mov_b32_e32(v[4], v[1]), dst_sel=6, unused=0, src0_sel=5, sext=1),
        _sdwa(ins.v_mov_b32_e32(v[5], v[1]), dst_sel=5, unused=2, src0_sel=4),
        _sdwa(ins.v_or_b32_e32(v[6], v[1], v[2]), dst_sel=1, unused=0, src0_sel=3, src1_sel=0),
    )
    assert np.array_equal(m.waves.v[3], given >> 16 & 255)
    assert np.array_equal(m.waves.i[4], given.view(np.int32) >> 16)
    assert np.array_equal(m.waves.v[5], given << 16 | before & 0xFFFF)
    assert np.array_equal(m.waves.v[6], (given >> 24 | other & 255) << 8)


def test_a_half_as_a_number() -> None:
    m = machine()
    pairs = np.random.default_rng(0).standard_normal((WAVES, LANES, 2)).astype(np.float16)
    m.set(1, pairs.view(np.uint32)[..., 0])
    m.run(_sdwa(ins.v_cvt_f32_f16_e32(v[2], v[1]), dst_sel=6, unused=0, src0_sel=5, neg=1))
    assert np.array_equal(m.waves.f[2], -pairs[..., 1].astype(np.float32))


def test_results_of_16_bits_clear_the_other_half() -> None:
    m = machine()
    a, b = (np.full((WAVES, LANES), x, np.float16) for x in (1.5, 2.25))
    for i, half in enumerate((a, b)):
        m.set(i + 1, half.view(np.uint16).astype(np.uint32) | 0xABCD0000)
    m.set(3, integers(0, LANES))
    m.run(ins.v_add_f16_e32(v[3], v[1], v[2]))
    assert (m.waves.v[3] == np.float16(3.75).view(np.uint16)).all()


def test_masks_have_64_lanes() -> None:
    m = machine(checks=True)
    a, b = integers(1, LANES), integers(2, LANES)
    m.set(1, a)
    m.set(2, b)
    m.run(
        ins.v_cmp_lt_u32_e32(v[1], v[2]),
        ins.v_cndmask_b32_e32(v[3], v[1], v[2]),
        ins.s_and_saveexec_b64(s[4:5], VCC),
        ins.v_mov_b32_e32(v[1], 0),
    )
    assert np.array_equal(m.waves.v[3], np.maximum(a, b))
    assert np.array_equal(m.waves.v[1], np.where(a < b, 0, a))
    words = np.packbits(a < b, axis=1, bitorder="little").view(np.uint32).T
    assert np.array_equal(m.waves.s[EXEC : EXEC + 2], words)
    assert (m.waves.s[4:6] == MASK).all()


def test_lanes_beyond_32_are_read_written_and_counted() -> None:
    m = machine()
    given = integers(1, LANES)
    m.set(1, given)
    m.set(4, np.broadcast_to((63 - LANE) * 4, (WAVES, LANES)).astype(np.uint32))
    m.set_scalar(6, 45)
    m.run(
        changed(ins.v_readlane_b32(v[0], v[1], s[6]), vdst=8),
        ins.v_writelane_b32(v[1], 7, 63),
        ins.v_mbcnt_lo_u32_b32(v[2], -1, 0),
        ins.v_mbcnt_hi_u32_b32(v[2], -1, v[2]),
        ins.ds_bpermute_b32(v[3], v[4], v[1]),
    )
    assert np.array_equal(m.waves.s[8], given[:, 45])
    assert (m.waves.v[1][:, 63] == 7).all()
    assert np.array_equal(m.waves.v[2], np.broadcast_to(LANE, (WAVES, LANES)))
    assert np.array_equal(m.waves.v[3], m.waves.v[1][:, ::-1])


def test_a_buffer_reaches_scratch_on_gfx90a() -> None:
    m = machine("gfx90a", scratch=64)
    for i, word in enumerate(SCRATCH_BUFFER):
        m.set_scalar(4 + i, word)
    given = integers(1, LANES)
    m.set(1, given)
    place = {"srsrc": s[4:7], "soffset": 0, "offset": 12}
    m.run(ins.buffer_store_dword(vdata=v[1], **place), ins.buffer_load_dword(vdata=v[2], **place))
    assert np.array_equal(m.waves.v[2], given)
    with pytest.raises(EmulatorError, match="outside scratch"):
        m.run(ins.buffer_store_dword(vdata=v[1], srsrc=s[4:7], soffset=0, offset=64))
    # Words of all lanes lie side by side.
    with pytest.raises(EmulatorError, match="misaligned store in scratch by a buffer"):
        m.run(ins.buffer_store_dword(vdata=v[1], srsrc=s[4:7], soffset=0, offset=14))


def test_multiply_and_add_rounds_twice_and_flushes_on_gfx90a() -> None:
    m = machine("gfx90a")
    given = [numbers(i, LANES).view(np.float32) for i in range(3)]
    for i, values in enumerate(given):
        m.set(i + 1, values)
    # The package's tables have no v_mad_f32.
    m.run(changed(ins.v_fma_f32_e64(v[0], v[1], v[2], v[3]), op=0x1C1))

    def flushed(a: np.ndarray) -> np.ndarray:
        return np.where(np.abs(a) < np.finfo(np.float32).tiny, np.float32(0) * np.sign(a), a)

    a, b, c = (flushed(x) for x in given)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(m.waves.f[0], flushed(flushed(a * b) + c))


def test_opcodes_of_gfx90a_have_their_own_names() -> None:
    word = changed(ins.v_fmac_f32_e32(v[0], v[1], v[2]), op=0x16).to_bytes()
    (older,), (newer,) = (list(instructions(word, gfx)) for gfx in ("gfx90a", "gfx950"))
    assert older.name == "v_mac_f32_e32"
    assert newer.name == "v_dot2c_f32_bf16_e32"


def test_products_of_bf16_are_added_to_what_is_there() -> None:
    m = machine("gfx950")
    floats = np.random.default_rng(3).standard_normal((3, 2, WAVES, LANES)).astype(np.float32)
    bits = floats.view(np.uint32) & np.uint32(0xFFFF0000)
    for i in range(2):
        m.set(i + 1, bits[i, 0] >> np.uint32(16) | bits[i, 1])
    m.set(3, floats[2, 0])
    m.run(changed(ins.v_fmac_f32_e32(v[3], v[1], v[2]), op=0x16))
    a, b = bits[:2].view(np.float32).astype(np.float64)
    expected = floats[2, 0] + a[0] * b[0] + a[1] * b[1]
    np.testing.assert_allclose(m.waves.f[3], expected, rtol=1e-5, atol=1e-6)


def test_bf16_pairs_and_any_function_of_bits() -> None:
    m = machine("gfx950")
    given = [integers(i, LANES) for i in range(3)]
    floats = np.random.default_rng(0).standard_normal((2, WAVES, LANES)).astype(np.float32)
    for i, values in enumerate((*given, *floats)):
        m.set(i + 1, values)
    # Table: a ^ b ^ c.
    table = 0x96
    parts = {"omod": table >> 6, "abs": table >> 3 & 7, "neg": table & 7}
    m.run(
        changed(ins.v_bitop3_b32(v[8], v[1], v[2], v[3]), **parts),
        ins.v_cvt_pk_bf16_f32(v[9], v[4], v[5]),
    )
    assert np.array_equal(m.waves.v[8], given[0] ^ given[1] ^ given[2])
    m.run(changed(ins.v_bitop3_b16(v[8], v[1], v[2], v[3]), **parts, opsel=2))
    low = given[0] ^ given[1] >> np.uint32(16) ^ given[2]
    assert np.array_equal(m.waves.v[8] & 0xFFFF, low & 0xFFFF)
    halves = m.waves.u16[9].astype(np.uint32) << 16
    np.testing.assert_allclose(halves.view(np.float32)[..., 0], floats[0], rtol=2**-8)
    np.testing.assert_allclose(halves.view(np.float32)[..., 1], floats[1], rtol=2**-8)


@pytest.mark.parametrize("size", [16, 32])
def test_rows_change_places(size: int) -> None:
    m = machine("gfx950")
    a, b = integers(1, LANES), integers(2, LANES)
    m.set(1, a)
    m.set(2, b)
    m.run(getattr(ins, f"v_permlane{size}_swap_b32_e32")(v[1], v[2]))
    second = LANE // size % 2 == 1
    assert np.array_equal(m.waves.v[1], np.where(second, np.roll(b, size, axis=1), a))
    assert np.array_equal(m.waves.v[2], np.where(second, b, np.roll(a, -size, axis=1)))
