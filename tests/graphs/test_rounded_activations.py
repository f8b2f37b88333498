"""Products of whole numbers: activations rounded to int8 beside quantised weights."""

import json

import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants

from irattn import (
    LinearSpec,
    LmHeadSpec,
    MixtureOfExpertsSpec,
    MlpSpec,
    OutputProjectionSpec,
    QkvProjectionSpec,
    targets,
)
from irattn.compiling import catalog
from irattn.core.errors import RenderError, SpecError
from irattn.core.weight_formats import WEIGHT_FORMATS
from irattn.lab.inputs import random_tensors
from irattn.reference.rounded_activations import multiplied
from irattn.rendering import GraphRequest, render
from irattn.rendering.cpu import registers
from irattn.specs import spec_from_dict
from support.compiled_once import compiled_once
from support.joined import together

INT8 = {"activation_format": "int8"}
ANY = LinearSpec(
    q_len=1, in_columns=512, out_columns=37, io_dtype="f32", weight_format="q8_0", **INT8
)
SEVERAL = ANY.replace(q_len=6, io_dtype="f16", weight_format="q4_k", dynamic=("q_len",))
# Of any number of tokens, by format.
ALL = {
    name: ANY.replace(weight_format=name, q_len=3, dynamic=("q_len",)) for name in WEIGHT_FORMATS
}
# Five parts: a step has one.
FEW = ANY.replace(in_columns=160, weight_format="q4_0")
MLP = MlpSpec(
    **{"q_len": 2, "hidden_size": 256, "intermediate_size": 96, "weight_format": "mxfp4"}, **INT8
)
HEADS = {"num_q_heads": 8, "head_dim": 32, "hidden_size": 256, **INT8}
MIXED = {"query": "q4_k", "key": "q4_k", "value": "q6_k"}
EXPERTS = MixtureOfExpertsSpec(
    **{"q_len": 20, "hidden_size": 256, "intermediate_size": 64, "num_experts": 8},
    **{"experts_per_token": 2, "weight_format": {"gate_up": "q4_k", "down": "q8_0"}},
    **INT8,
)
LAYER = catalog.get("whole_layer_decode_tiny").replace(
    intermediate_size=256,
    weight_format={"output": "q4_0", "gate": "q4_0", "up": "q8_0", "down": "q6_k"},
    **INT8,
)
SOME = together(
    [
        *ALL.values(),
        ANY,
        SEVERAL,
        FEW,
        MLP,
        LmHeadSpec(q_len=2, hidden_size=256, vocab_size=77, weight_format="q6_k", **INT8),
        QkvProjectionSpec(**HEADS, num_kv_heads=2, q_len=1, weight_format=MIXED),
        OutputProjectionSpec(**HEADS, q_len=3, weight_format="q8_0", has_bias=True),
        EXPERTS,
        EXPERTS.replace(q_len=1),
        LAYER,
    ]
)


def one_of(spec):
    return next(one for one in SOME if one.graph.spec == spec)


@pytest.mark.slow
@pytest.mark.parametrize("one", SOME, ids=str)
def test_it_meets_the_reference(one):
    assert one.verdict().passed


def test_numbers_are_near_those_of_ggml():
    """The Q8_0 of gguf has scales in f16, and ties away from zero."""
    x = np.random.default_rng(0).standard_normal((3, 64)).astype(np.float32)
    kind = GGMLQuantizationType.Q8_0
    expected = quants.dequantize(quants.quantize(x, kind), kind)
    np.testing.assert_allclose(multiplied(ANY, x), expected, rtol=5e-4, atol=1e-7)


def test_numbers_by_hand():
    """The scale is 1: ties are even, and nothing is beyond 127."""
    x = np.zeros((1, 32), np.float32)
    x[0, :6] = [127, 0.5, 1.5, -2.5, -126.7, 3]
    assert multiplied(ANY, x)[0, :6].tolist() == [127, 0, 2, -2, -127, 3]
    assert not multiplied(ANY, np.full((1, 32), 1e-38, np.float32)).any()


@pytest.mark.slow
def test_it_is_rounded():
    """Exact products of the same inputs are farther away than float sums are."""
    tensors = random_tensors(ANY)
    kernel = one_of(ANY).load()
    got = np.asarray(kernel(**tensors))
    weight = quants.dequantize(tensors["weight"], GGMLQuantizationType.Q8_0).astype(float)
    exact = tensors["hidden"][0] @ weight.T
    assert 1e-3 < np.linalg.norm(got[0] - exact) / np.linalg.norm(exact) < 2e-2


@pytest.mark.slow
@pytest.mark.parametrize("junk", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_spoils_its_own_token(junk):
    kernel, tensors = one_of(SEVERAL).load(), random_tensors(SEVERAL, 1)
    before = np.asarray(kernel(**tensors))
    spoilt = tensors["hidden"].copy()
    spoilt[0, 2, 40] = junk
    after = np.asarray(kernel(spoilt, tensors["weight"]))
    assert np.isnan(after[0, 2]).all()
    others = [0, 1, 3, 4, 5]
    assert after[0, others].tobytes() == before[0, others].tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("spec", [SEVERAL, *ALL.values()], ids=lambda spec: spec.weight_format)
def test_bits_of_a_token_depend_on_no_other(spec):
    kernel, tensors = one_of(spec).load(), random_tensors(spec, 1)
    together = np.asarray(kernel(**tensors))
    for token in {0, 1, spec.q_len - 1}:
        alone = kernel(tensors["hidden"][:, token : token + 1].copy(), tensors["weight"])
        assert np.asarray(alone).tobytes() == together[:, token].tobytes()


@pytest.mark.parametrize("name", ["q8_0", "q6_k"])
def test_processors_with_dot_products_of_bytes_use_them(name, monkeypatch):
    flags = {"avx2", "avx512f", "avx512vl", "avx512_vnni"}
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(flags))
    text = render(GraphRequest(ANY.replace(weight_format=name), targets.get("cpu")))
    zen4 = "--iree-llvmcpu-target-cpu=znver4"
    options = [zen4 if "target-cpu" in flag else flag for flag in targets.get("cpu").flags]
    assert "vpdpbusd" in text
    assert compiled_once(text, tuple(options))


def test_panels_of_columns_are_multiplied_in_registers_of_512_bits(monkeypatch):
    """Columns are taken apart before all rows, and lanes of a register have them."""
    flags = {"avx512f", "avx512vl", "avx512bw", "avx512_vnni"}
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(flags))
    text = render(GraphRequest(SEVERAL, targets.get("cpu")))
    # Eight words of four bytes, of two registers of columns and four tokens; a token alone has
    # those of eight parts, and one register of columns.
    several, alone = 8 * 2 * 4, 8 * 8
    assert text.count("vpdpbusd.512") == several + alone
    one_token = SEVERAL.replace(q_len=1, dynamic=())
    assert render(GraphRequest(one_token, targets.get("cpu"))).count("vpdpbusd.512") == alone
    # Four pairs of blocks of 18 bytes are 36 words, each of low halves and high ones.
    blocks = render(GraphRequest(one_token.replace(weight_format="q4_0"), targets.get("cpu")))
    assert blocks.count("vpdpbusd.512") == 2 * 36
    # All lines of 16 columns are fetched, each before a word is multiplied.
    assert blocks.count("prefetcht1") == 8 * 18 * 16 // 64
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(flags - {"avx512bw"}))
    assert "vpdpbusd.512" not in render(GraphRequest(SEVERAL, targets.get("cpu")))


def test_arm_has_products_of_16_bits():
    target = targets.get("aarch64")
    assert compiled_once(render(GraphRequest(SEVERAL, target)), tuple(target.flags))


def test_it_is_read_back_from_json():
    for spec in (ANY, MLP, EXPERTS, LAYER):
        assert spec_from_dict(json.loads(spec.to_json())) == spec
    assert "activation_format" not in ANY.replace(activation_format=None).to_dict()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weight_format": None}, "activation_format: int8 is for weights in blocks; give a"),
        ({"weight_format": "int8_channel"}, "activation_format: int8 is for weights in blocks"),
        ({"activation_format": "int4"}, "activation_format: expected int8 or nothing, got 'int4'"),
    ],
)
@pytest.mark.parametrize("spec", [ANY, MLP, EXPERTS, LAYER], ids=lambda spec: spec.op)
def test_what_does_not_fit_is_refused(spec, fields, message):
    with pytest.raises(SpecError, match=message):
        spec.replace(**fields)


@pytest.mark.parametrize("spec", [ANY, LAYER], ids=lambda spec: spec.op)
def test_gpus_have_none(spec):
    with pytest.raises(RenderError, match="activation_format: products of whole numbers are"):
        GraphRequest(spec, targets.get("gfx1100"))
