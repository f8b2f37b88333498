"""Matrix instructions of CDNA 4 whose factors are floats of 8, 6 or 4 bits."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import v
from tinygrad.runtime.autogen.amd.cdna import ins as g9

from irattn.binary.codeobject import instructions
from irattn.core.errors import EmulatorError
from support.emulator.machine import WAVES, Machine

# By number: the name that ml_dtypes has, and bits.
FORMATS = {
    0: (ml_dtypes.float8_e4m3fn, 8),
    1: (ml_dtypes.float8_e5m2, 8),
    2: (ml_dtypes.float6_e2m3fn, 6),
    3: (ml_dtypes.float6_e3m2fn, 6),
    4: (ml_dtypes.float4_e2m1fn, 4),
}
SCALED_FIRST = 0xD3AC0000


def packed(values: np.ndarray, bits: int) -> np.ndarray:
    """The 32 numbers of each lane, [waves, lanes, 32], as uint32 [registers, waves, lanes]."""
    codes = values.view(np.uint8)
    stream = np.unpackbits(codes[..., None], axis=-1, bitorder="little")[..., :bits]
    flat = stream.reshape(*codes.shape[:2], -1)
    words = np.packbits(flat, axis=-1, bitorder="little").view(np.uint32)
    return np.moveaxis(words, -1, 0)


class Bits:
    """An instruction by its bits."""

    def __init__(self, plain: Any, **fields: int) -> None:
        layout, raw = dict(type(plain)._fields), int.from_bytes(plain.to_bytes(), "little")
        for name, value in fields.items():
            raw = raw & ~(layout[name].mask << layout[name].lo) | value << layout[name].lo
        self.bytes = raw.to_bytes(len(plain.to_bytes()), "little")

    def to_bytes(self) -> bytes:
        return self.bytes


@pytest.mark.parametrize(("size", "depth"), [(16, 128), (32, 64)])
@pytest.mark.parametrize("is_scaled", [False, True])
@pytest.mark.parametrize("formats", [(0, 0), (1, 4), (2, 3), (4, 0)])
def test_matrices_of_chosen_formats(
    size: int, depth: int, is_scaled: bool, formats: tuple[int, int]
) -> None:
    rng, lanes, groups = np.random.default_rng(size), 64, 64 // size
    machine = Machine("gfx950", checks=True)
    factors = []
    for i, one in enumerate(formats):
        kind, bits = FORMATS[one]
        drawn = rng.choice([-2.0, -1.0, -0.5, 0.5, 1.0, 1.5, 3.0], (WAVES, lanes, 32)).astype(kind)
        for word, values in enumerate(packed(drawn, bits)):
            machine.set(8 * i + word, values.copy())
        exponents = rng.integers(120, 130, (WAVES, lanes)).astype(np.uint32)
        # In the byte 2 of A, and in the byte 1 of B.
        machine.set(16 + i, exponents << np.uint32(8 * (2 - i)))
        scale = 2.0 ** (exponents.astype(float) - 127) if is_scaled else 1.0
        numbers = drawn.astype(float) * (scale[..., None] if is_scaled else 1.0)
        # Lane `l` has row `l % size`, and the numbers `32 l / size` of K and following.
        factors.append(numbers.reshape(WAVES, groups, size, 32).swapaxes(1, 2).reshape(3, size, -1))
    a, b = factors
    plain = f"v_mfma_{'scale_' * is_scaled}f32_{size}x{size}x{depth}_f8f6f4"
    count = size * size // 64
    chosen = {"cbsz": formats[0], "blgp": formats[1]}
    operands = (v[20 : 19 + count], v[0:7], v[8:15], 0)
    if is_scaled:
        made = getattr(g9, plain)(*operands, scale_src0=256 + 16, scale_src1=256 + 17)
        # Bytes 2 and 1: the high bits of A, the low ones of B.
        chosen |= {"x2encoding": SCALED_FIRST >> 16, "opsel": 0b10, "opsel_hi": 0b01}
    else:
        made = getattr(g9, plain)(*operands)
    machine.run(Bits(made, **chosen))
    expected = a @ b.swapaxes(1, 2)
    lane = np.arange(lanes)
    for i in range(count):
        row = groups * 4 * (i // 4) + 4 * (lane // size) + i % 4
        found = machine.waves.f[20 + i]
        np.testing.assert_allclose(found, expected[:, row, lane % size], rtol=1e-6)


def test_a_scale_that_is_no_number_makes_none() -> None:
    machine = Machine("gfx950")
    for register in range(16):
        machine.set(register, np.full((WAVES, 64), 0x38383838, np.uint32))
    for register, scale in ((16, 0xFF), (17, 127)):
        machine.set(register, np.full((WAVES, 64), scale, np.uint32))
    made = g9.v_mfma_scale_f32_16x16x128_f8f6f4(
        v[20:23], v[0:7], v[8:15], 0, scale_src0=256 + 16, scale_src1=256 + 17
    )
    machine.run(Bits(made, x2encoding=SCALED_FIRST >> 16))
    assert np.isnan(machine.waves.f[20:24]).all()


def test_a_matrix_instruction_after_others_is_not_a_scaled_one() -> None:
    """Which one it is stands in the first of its four words alone."""
    plain = g9.v_mfma_f32_32x32x64_f8f6f4(v[52:67], v[20:27], v[4:11], 0)
    code = [g9.s_nop(0), g9.s_waitcnt(0), plain]
    read = instructions(b"".join(one.to_bytes() for one in code), "gfx950")
    assert [one.name for one in read] == ["s_nop", "s_waitcnt", "v_mfma_f32_32x32x64_f8f6f4"]


def test_chosen_formats_take_cdna_4() -> None:
    with pytest.raises(EmulatorError, match="a matrix instruction of chosen formats"):
        Machine("gfx942").run(g9.v_mfma_f32_32x32x64_f8f6f4(v[52:67], v[20:27], v[4:11], 0))
