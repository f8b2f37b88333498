"""Products with quantised weights: formats beside the package gguf's, and compiled."""

import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants

import irattn
from irattn import LinearSpec, targets
from irattn.core.errors import ArgumentError, SpecError
from irattn.core.weight_formats import WEIGHT_FORMATS, weight_format
from irattn.lab.inputs import random_tensors
from irattn.lab.inputs.packed import packed_weight
from irattn.reference.packed_weights import numbers_of
from irattn.rendering import GraphRequest, render
from irattn.rendering.exact_tokens import ExactTokens
from irattn.rendering.packed_blocks import packed_blocks
from irattn.rendering.values import Value
from support.compiled_once import compiled_once
from support.joined import joined, together

SIZES = {"in_columns": 512, "out_columns": 37}
ONE = [LinearSpec(**SIZES, q_len=1, io_dtype="f32", weight_format=name) for name in WEIGHT_FORMATS]
SEVERAL = [
    LinearSpec(**SIZES, q_len=3, batch=2, io_dtype="bf16", weight_format="q4_0"),
    LinearSpec(**SIZES, q_len=6, io_dtype="f16", weight_format="q6_k", dynamic=("q_len",)),
    LinearSpec(**SIZES, q_len=2, io_dtype="f16", weight_format="q4_k"),
]
# Pairs of bf16 from tables of one and two registers, with minima and halves, and by f32; of tokens
# in f16 two for each.
EXACT = [
    LinearSpec(**SIZES, q_len=6, io_dtype="bf16", weight_format=name, dynamic=("q_len",))
    for name in ("mxfp4", "q5_k", "q8_0", "q6_k", "q5_0", "q4_1", "q5_1")
]
HALVES = LinearSpec(**SIZES, q_len=6, io_dtype="f16", weight_format="q8_0", dynamic=("q_len",))
SOME = together([*ONE, *SEVERAL, *EXACT, HALVES])
each_format = pytest.mark.parametrize("name", WEIGHT_FORMATS)
ANY = LinearSpec(**SIZES, q_len=1, weight_format="q8_0")


def ggml(name):
    return GGMLQuantizationType[name.upper()]


@each_format
def test_numbers_are_those_of_gguf(name):
    rows = packed_weight(np.random.default_rng(0), name, weight_format(name).packed_shape(3, 512))
    np.testing.assert_allclose(numbers_of(name, rows), quants.dequantize(rows, ggml(name)), 1e-7)


@pytest.mark.parametrize("name", ["q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "mxfp4"])
def test_what_gguf_quantises_is_near_what_it_was(name):
    """Half a step of the largest number of a block, or of MXFP4 a quarter of any number."""
    weight = np.random.default_rng(0).standard_normal((2, 64)).astype(np.float32)
    packed = quants.quantize(weight, ggml(name))
    assert packed.shape == weight_format(name).packed_shape(2, 64)
    error = np.abs(numbers_of(name, packed) - weight).max()
    assert error < {"q8_0": 0.02, "q4_0": 0.3, "q5_0": 0.15, "mxfp4": 0.7}.get(name, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("one", SOME, ids=str)
def test_it_meets_the_reference(one):
    assert one.verdict().passed


@pytest.mark.slow
def test_a_weight_of_gguf_is_multiplied():
    """As anyone would who has a file."""
    weight = np.random.default_rng(0).standard_normal((37, 512)).astype(np.float32)
    packed = quants.quantize(weight, ggml("q8_0"))
    kernel = next(one for one in SOME if one.graph.spec.weight_format == "q8_0").load()
    hidden = np.random.default_rng(1).standard_normal((1, 1, 512)).astype(np.float32)
    expected = hidden[0] @ quants.dequantize(packed, ggml("q8_0")).T
    np.testing.assert_allclose(kernel(hidden, packed)[0], expected, rtol=0, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [SEVERAL[1], HALVES, *EXACT], ids=lambda spec: spec.weight_format)
def test_bits_of_a_token_depend_on_no_other(spec):
    kernel = next(one for one in SOME if one.graph.spec == spec).load()
    inputs = random_tensors(spec, 1)
    together = np.asarray(kernel(**inputs))
    for token in (0, 4, 5):
        alone = kernel(inputs["hidden"][:, token : token + 1].copy(), inputs["weight"])
        assert np.asarray(alone).tobytes() == together[:, token].tobytes()


def test_weights_are_read_where_they_lie():
    """No dispatch makes anything of a weight's size, and nothing copies it."""
    target = targets.get("x86-64-v3")
    texts = [render(GraphRequest(spec, target)) for spec in SEVERAL]
    host = compiled_once(joined(texts), (*target.flags, "--compile-to=stream")).decode()
    assert "stream.cmd.dispatch" in host
    assert "stream.cmd.copy" not in host
    assert "stream.async.clone" not in host


@pytest.mark.slow
def test_an_infinity_that_is_two_numbers_is_one():
    kernel = next(one for one in SOME if one.graph.spec == HALVES).load()
    tensors = random_tensors(HALVES.of_sizes({"q_len": 6}))
    hidden = tensors["hidden"].reshape(6, -1)
    hidden[0, 3], hidden[1, 4], hidden[2, 5] = np.inf, -np.inf, np.nan
    made = kernel(**tensors).reshape(6, -1).astype(np.float64)
    numbers = quants.dequantize(tensors["weight"], ggml("q8_0")).astype(np.float64)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(
            made, hidden.astype(np.float64) @ numbers.T, rtol=0.01, atol=0.01
        )


@pytest.mark.slow
def test_an_infinity_stays_with_its_token():
    """NaN is its own: numbers of blocks are read above nothing, and sums lose the excess."""
    spec = SEVERAL[1]
    kernel = next(one for one in SOME if one.graph.spec == spec).load()
    inputs = random_tensors(spec, 1)
    before = np.array(kernel(**inputs))
    inputs["hidden"][0, 4, 7] = np.inf
    after = np.array(kernel(**inputs))
    assert not np.isfinite(after[0, 4]).any()
    others = np.arange(spec.calls[-1].q_len) != 4
    assert np.array_equal(after[0, others], before[0, others])


@pytest.mark.parametrize("name", WEIGHT_FORMATS)
def test_pairs_of_bf16_are_the_numbers_of_blocks(name):
    """Each byte is one, whether a table has it or f32 does."""
    packed = packed_blocks(name)
    tokens = ExactTokens(Value("x", (1, 512), "bf16"), packed, "sums")
    wanted = np.arange(packed.byte + 1) - packed.too_much[0]
    bits = np.array(tokens.table, np.uint16).ravel()[: packed.byte + 1]
    for mask, power, less in [] if tokens.table else tokens.bytes_as_f32:
        words = np.arange(packed.byte + 1, dtype=np.uint32) * 0x101
        # Bytes with signs are all of them, from 128 on.
        words ^= 0x8080 if name == "q8_0" else 0
        real = (words & mask ^ power).astype(np.uint32).view(np.float32) - np.float32(less)
        assert not np.any(real.view(np.uint32) & 0xFFFF)
        assert real.tolist() == wanted.tolist()
    if tokens.table:
        assert (bits.astype(np.uint32) << 16).view(np.float32).tolist() == wanted.tolist()


def test_rows_are_whole_blocks():
    with pytest.raises(SpecError, match="in_columns: q4_k has blocks of 256 elements; expected a"):
        ANY.replace(weight_format="q4_k", in_columns=384)
    with pytest.raises(SpecError, match="columns: q8_0 has blocks of 32"):
        weight_format("q8_0").packed_shape(1, 33)
    with pytest.raises(SpecError, match=r"weight_format: expected one of q8_0, q4_0, .* got 'q3'"):
        ANY.replace(weight_format="q3")


def test_a_weight_of_another_type_is_refused():
    tensors = random_tensors(ANY)
    with pytest.raises(ArgumentError, match=r"weight: expected u8 \[37, 544\], got int8"):
        ANY.inputs[1].check(tensors["weight"].view(np.int8))


def test_a_spec_without_a_format_is_told_as_before():
    plain = ANY.replace(weight_format=None)
    assert "weight_format" not in plain.to_dict()
    assert irattn.specs.spec_from_dict(plain.to_dict()) == plain
    assert irattn.specs.spec_from_dict(ANY.to_dict()) == ANY
