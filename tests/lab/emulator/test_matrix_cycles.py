"""How long matrix instructions take, against what AMD publishes."""

import pytest

from irattn import targets
from irattn.binary.codeobject import matrix_flops
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.isa.matrix_cycles import cycles

# Peak TFLOP/s of dense matrices, from AMD's data sheets and pages of its products.
PEAKS = [
    ("gfx90a", "v_mfma_f32_16x16x16_f16", 383.0 / 2),
    ("gfx90a", "v_mfma_f32_32x32x8_bf16_1k", 383.0 / 2),
    ("gfx90a", "v_mfma_f32_16x16x4_f32", 95.7 / 2),
    ("gfx90a", "v_mfma_f64_16x16x4_f64", 95.7 / 2),
    ("gfx942", "v_mfma_f32_16x16x16_f16", 1307.4),
    ("gfx942", "v_mfma_f32_32x32x8_bf16", 1307.4),
    ("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 2614.9),
    ("gfx942", "v_mfma_i32_32x32x16_i8", 2614.9),
    ("gfx942", "v_mfma_f32_16x16x8_xf32", 653.7),
    ("gfx942", "v_mfma_f32_32x32x2_f32", 163.4),
    ("gfx942", "v_mfma_f64_16x16x4_f64", 163.4),
    ("gfx950", "v_mfma_f32_16x16x32_bf16", 2516.6),
    ("gfx950", "v_mfma_f32_32x32x16_f16", 2516.6),
    ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", 5033.2),
    ("gfx950", "v_mfma_i32_16x16x64_i8", 5033.2),
    ("gfx950", "v_mfma_f32_16x16x4_f32", 157.3),
    ("gfx950", "v_mfma_f64_16x16x4_f64", 78.6),
    ("gfx1100", "v_wmma_f32_16x16x16_f16", 122.8),
    ("gfx1100", "v_wmma_i32_16x16x16_iu8", 122.8),
    ("gfx1201", "v_wmma_f32_16x16x16_bf16", 194.6),
    ("gfx1201", "v_wmma_i32_16x16x16_iu8", 389.3),
    ("gfx1201", "v_wmma_f32_16x16x16_fp8_bf8", 389.3),
]


@pytest.mark.parametrize(("gfx", "name", "published"), PEAKS)
def test_a_chip_that_does_nothing_else_reaches_its_peak(gfx, name, published):
    target = targets.get(gfx)
    peak, simd = target.chip.peak, target.simd
    of_simd = matrix_flops(name) / cycles(name, family(gfx))
    teraflops = of_simd * simd.of_unit * peak.compute_units * peak.ghz / 1e3
    assert teraflops == pytest.approx(published, rel=0.005)


@pytest.mark.parametrize(
    ("gfx", "short", "long"),
    [
        ("gfx950", "v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x32_f16"),
        ("gfx950", "v_mfma_f32_32x32x8_bf16", "v_mfma_f32_32x32x16_bf16"),
        ("gfx950", "v_mfma_f32_16x16x32_fp8_fp8", "v_mfma_i32_16x16x64_i8"),
        ("gfx90a", "v_mfma_f32_16x16x8_bf16", "v_mfma_f32_16x16x16_bf16_1k"),
        ("gfx942", "v_mfma_f32_16x16x4_4b_f16", "v_mfma_f32_16x16x4_f32"),
        ("gfx1201", "v_wmma_i32_16x16x16_iu4", "v_wmma_i32_16x16x32_iu4"),
    ],
)
def test_half_the_work_may_take_as_long(gfx, short, long):
    assert cycles(short, family(gfx)) == cycles(long, family(gfx))


def test_what_is_short_of_a_block_takes_two_passes():
    assert cycles("v_mfma_f32_4x4x4_16b_f16", family("gfx942")) == 8
    assert cycles("v_mfma_f64_4x4x4_4b_f64", family("gfx950")) == 16
    assert cycles("v_smfmac_f32_32x32x16_f16", family("gfx942")) == 32
