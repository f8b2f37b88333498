"""Products of many tokens with quantised weights, of squares of pairs of bf16 (AMX), on CPUs."""

import numpy as np
import pytest
from ml_dtypes import bfloat16, float8_e4m3fn

import irattn
from irattn import (
    LinearSpec,
    MixtureOfExpertsSpec,
    MlpSpec,
    OutputProjectionSpec,
    QkvProjectionSpec,
    targets,
)
from irattn.compiling.build import build
from irattn.core.weight_formats import SCALED_FORMATS, WEIGHT_FORMATS
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import verify_artifact
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.rendering.cpu import registers
from support.compiled_once import compiled_once

FLAGS = {"avx2", "avx512f", "avx512vl", "avx512bw", "avx512_vnni", "avx512_bf16"}
AMX = {"amx_tile", "amx_bf16"}
CPU = targets.get("cpu")
# Tokens that fill no square, columns of an odd number of blocks, two parts of the depth.
LINEAR = LinearSpec(q_len=35, in_columns=512, out_columns=96, io_dtype="bf16", weight_format="q8_0")
PROJECTION = {"batch": 2, "q_len": 20, "head_dim": 64, "hidden_size": 256, "io_dtype": "bf16"}
EXPERTS = MixtureOfExpertsSpec(
    q_len=77,
    hidden_size=160,
    intermediate_size=64,
    num_experts=4,
    experts_per_token=2,
    io_dtype="bf16",
    weight_format="q8_0",
)
PRODUCTS = {
    # Q4_K and Q5_K have the same columns and depth below, with other tokens.
    **{
        name: LINEAR.replace(weight_format=name)
        for name in (*WEIGHT_FORMATS, *SCALED_FORMATS)
        if name not in ("q4_k", "q5_k")
    },
    "parts that are not as deep": LINEAR.replace(in_columns=288, out_columns=32),
    "a block to each part": LINEAR.replace(in_columns=1280, weight_format="q5_k"),
    "columns of cut blocks": LINEAR.replace(out_columns=81, weight_format="fp8_channel"),
    "columns of one square": LINEAR.replace(out_columns=16),
    "blocks of columns": LINEAR.replace(out_columns=1080, in_columns=96),
    "scales of cut squares": LINEAR.replace(
        in_columns=160, out_columns=160, weight_format="fp8_block"
    ),
    "a single square of tokens": LINEAR.replace(q_len=16, in_columns=64, out_columns=32),
    "halves of squares": LINEAR.replace(q_len=16, weight_format="q6_k", in_columns=256),
    "a token more than a square": LINEAR.replace(q_len=17, weight_format="mxfp4", in_columns=96),
    "more tokens than share what is widened": LINEAR.replace(q_len=273, weight_format="q5_k"),
    "batches of a call": LINEAR.replace(
        batch=3, q_len=23, weight_format="q4_k", dynamic=("batch",)
    ),
    "mlp": MlpSpec(
        q_len=17,
        hidden_size=256,
        intermediate_size=512,
        io_dtype="bf16",
        weight_format="q4_k",
    ),
    "heads": QkvProjectionSpec(**PROJECTION, num_q_heads=3, num_kv_heads=1, weight_format="q6_k"),
    "scales of heads": QkvProjectionSpec(
        **PROJECTION, num_q_heads=3, num_kv_heads=1, weight_format="int8_channel"
    ),
    "experts": EXPERTS,
    "experts of GPT-OSS": EXPERTS.replace(
        weight_format="mxfp4", has_bias=True, activation="clamped_swiglu"
    ),
    "experts of few tokens and none": EXPERTS.replace(
        q_len=45, num_experts=11, scores="sigmoid", weight_format="int8_channel"
    ),
    "experts with more tokens than share what is widened": EXPERTS.replace(
        q_len=600, num_experts=2, experts_per_token=1, weight_format="fp8_channel"
    ),
    "experts of scaled squares": EXPERTS.replace(
        hidden_size=128, intermediate_size=256, weight_format="fp8_block"
    ),
    "output": OutputProjectionSpec(**PROJECTION, num_q_heads=4, weight_format="q4_0"),
}


def test_they_are_multiplied_where_the_processor_has_them(monkeypatch):
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(FLAGS | AMX))
    text = render(GraphRequest(LINEAR, CPU))
    # Two squares of tokens by two of columns, at the beginning, in a loop and at the end.
    assert text.count("tdpbf16ps") == 3 * 4
    assert "dpbf16ps.512" not in text
    sapphire_rapids = "--iree-llvmcpu-target-cpu=sapphirerapids"
    options = [sapphire_rapids if "target-cpu" in flag else flag for flag in CPU.flags]
    assert compiled_once(text, tuple(options))
    # Too few tokens or columns, tokens of f16 or int8, and a depth of one square.
    few, narrow = LINEAR.replace(q_len=15), LINEAR.replace(out_columns=15)
    flat = LINEAR.replace(in_columns=32)
    halves, rounded = LINEAR.replace(io_dtype="f16"), LINEAR.replace(activation_format="int8")
    for other in (few, narrow, flat, halves, rounded, LINEAR.replace(dynamic=("q_len",))):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(FLAGS))
    assert "tdpbf16ps" not in render(GraphRequest(LINEAR, CPU))


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
@pytest.mark.parametrize("name", PRODUCTS)
def test_results_are_those_of_the_reference(name):
    assert "tdpbf16ps" in render(GraphRequest(PRODUCTS[name], CPU))
    assert verify_artifact(build(GraphRequest(PRODUCTS[name], CPU)), device="cpu").passed


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
@pytest.mark.parametrize("name", ["q4_0", "q5_k", "q6_k", "fp8_block"])
def test_errors_are_within_the_bounds_of_weights_that_are_rounded_once(name):
    spec = LINEAR.replace(weight_format=name)
    tensors = random_tensors(spec)
    (expected,) = reference(spec, tensors)
    (bound,) = error_bounds(spec, tensors, [expected], [np.ones(expected.shape, bool)])
    found = np.asarray(irattn.load(spec, target="cpu", device="cpu")(**tensors)).astype(float)
    assert (np.abs(found - expected) <= bound).all()
    # Scales reach every number: what a rounded weight and a stored sum are off by is far less.
    assert np.linalg.norm(found - expected) < 2**-8 * np.linalg.norm(expected)


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
def test_all_floats_of_bytes_are_their_numbers():
    """NaN is one, and numbers below the normal ones are no 0."""
    spec = LINEAR.replace(q_len=32, in_columns=64, out_columns=256, weight_format="fp8_channel")
    weight = np.zeros((256, 64), np.uint8)
    weight[:, 5] = np.arange(256)
    hidden = np.zeros((1, 32, 64), bfloat16)
    hidden[0, :, 5] = 2.0 ** np.arange(-16, 16)
    kernel = irattn.load(spec, target="cpu", device="cpu")
    scale = np.full(256, 0.5, np.float32)
    out = kernel(hidden, weight.view(float8_e4m3fn), scale)
    numbers = weight[:, 5].view(float8_e4m3fn).astype(np.float32)
    expected = 2.0 ** np.arange(-17, 15)[:, None] * numbers
    np.testing.assert_array_equal(np.asarray(out)[0].astype(np.float32), expected)


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
def test_numbers_have_their_powers_of_two():
    """Numbers below the normal floats are 0, as elsewhere; above the largest they are infinite."""
    spec = LINEAR.replace(q_len=16, in_columns=64, out_columns=256, weight_format="mxfp4")
    weight = np.zeros((256, 34), np.uint8)
    weight[:, 0] = np.arange(256)
    # 6 is the fifth number, 0.5 the one behind the last half.
    weight[:, 1 + 5] = 0x07
    weight[:, 1 + 15] = 0x10
    hidden = np.zeros((1, 16, 64), bfloat16)
    hidden[0, 0, 5], hidden[0, 1, 31] = 1, 1
    out = np.asarray(irattn.load(spec, target="cpu", device="cpu")(hidden, weight))[0]
    powers = 2.0 ** (np.arange(2, 253) - 127)
    np.testing.assert_array_equal(out[:2, 2:253].astype(np.float64), [6 * powers, 0.5 * powers])
    assert (out[:, :2] == 0).all()
    assert not np.isfinite(out[:, 253:].astype(np.float32)).any()
