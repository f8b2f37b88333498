"""Products of a weight with tokens on CPUs: registers of sums along the depth."""

import re
from dataclasses import replace

import numpy as np
import pytest

from irattn import LmHeadSpec, MlpSpec, OutputProjectionSpec, QkvProjectionSpec, targets
from irattn.lab.inputs import random_tensors
from irattn.rendering import GraphRequest, render
from support.compiled_once import compiled_once
from support.joined import joined, together

AVX512, AVX2 = targets.get("x86-64-v4"), targets.get("x86-64-v3")
QKV = QkvProjectionSpec(
    batch=2, q_len=20, num_q_heads=3, num_kv_heads=1, head_dim=6, hidden_size=96, has_bias=True
)
OUTPUT = OutputProjectionSpec(q_len=35, num_q_heads=4, head_dim=256, hidden_size=50, io_dtype="f32")
FEW = OUTPUT.replace(q_len=2)
MLP = MlpSpec(q_len=3, hidden_size=64, intermediate_size=96, io_dtype="bf16", has_bias=True)
HEAD = LmHeadSpec(q_len=1, hidden_size=64, vocab_size=77, io_dtype="bf16")
ANY_HEAD = HEAD.replace(batch=37, dynamic=("batch",))
SPECS = [
    QKV,
    QKV.replace(io_dtype="bf16", has_bias=False, dynamic=("batch", "q_len")),
    OUTPUT,
    FEW,
    OUTPUT.replace(batch=3, q_len=2, io_dtype="f16", dynamic=("batch",)),
    MLP,
    MLP.replace(q_len=2, gated=False, io_dtype="f32"),
    # Only the deeper of two products is made in parts.
    MLP.replace(q_len=32, gated=False, io_dtype="f32", intermediate_size=1024),
    HEAD,
    ANY_HEAD,
]
WIDE = together(SPECS)
NARROW = [replace(one, target="x86-64-v3") for one in together(SPECS)]


def products(spec, target=AVX512):
    """The rows and columns of the block of each product that is a kernel of its own."""
    text = render(GraphRequest(spec, target))
    blocks = dict(re.findall(r"(!depth\w*)_block = vector<(\d+x\d+)x\d+xf32>", text))
    return [blocks[name] for name in re.findall(r"scf.yield %more : (!depth\w*)_block", text)]


@pytest.mark.slow
@pytest.mark.parametrize("one", [*WIDE, *NARROW], ids=str)
def test_it_meets_the_reference(one):
    assert products(one.graph.spec, targets.get(one.target))
    assert one.verdict().passed


@pytest.mark.parametrize("some", [WIDE, NARROW], ids=["wide", "narrow"])
def test_bits_of_a_token_depend_on_no_other(some):
    """Whether it is alone, in which place of a block, and in which workgroup."""
    inputs = random_tensors(ANY_HEAD, 1)
    alone, among = (one.load() for one in some[-2:])
    (all_logits,) = [np.asarray(among(**inputs))]
    for batch in (37, 33, 31, 5, 1):
        some = np.asarray(among(inputs["hidden"][:batch].copy(), inputs["weight"]))
        assert some.tobytes() == all_logits[:batch].tobytes()
    for token in (0, 1, 7, 36):
        one = np.asarray(alone(inputs["hidden"][token : token + 1].copy(), inputs["weight"]))
        assert one.tobytes() == all_logits[token : token + 1].tobytes()


@pytest.mark.parametrize("some", [WIDE, NARROW], ids=["wide", "narrow"])
def test_few_rows_have_the_bits_that_they_have_among_many(some):
    """Which have other blocks, lie further apart, and take parts of the depth in turns."""
    many, few = (one.load() for one in some[2:4])
    inputs = random_tensors(OUTPUT)
    all_rows = np.asarray(many(**inputs))
    some_rows = np.asarray(few(inputs["attended"][:, :, :2].copy(), inputs["weight"]))
    assert some_rows.tobytes() == all_rows[:, :2].tobytes()


def test_weights_are_read_where_they_lie():
    """A copy of a weight would take longer than the product."""
    texts = [
        render(GraphRequest(spec.replace(io_dtype="bf16"), AVX512)) for spec in (QKV, MLP, HEAD)
    ]
    host = compiled_once(joined(texts), (*AVX512.flags, "--compile-to=stream")).decode()
    assert "stream.cmd.dispatch" in host
    assert "stream.cmd.copy" not in host
    assert "stream.async.clone" not in host


def test_a_block_fits_the_registers_and_has_no_more_rows_than_tokens():
    """One row alone has a block of its own where a call chooses how many there are."""
    assert products(HEAD) == ["1x8"]
    assert products(MLP) == ["4x4"] * 3
    assert products(MLP.replace(q_len=2)) == ["2x8"] * 3
    assert products(ANY_HEAD) == ["1x8", "4x4"]
    assert products(QKV) == ["4x4"] * 3
    assert products(OUTPUT) == ["6x4"]
    assert products(OUTPUT.replace(q_len=32)) == ["4x4"]
    assert products(HEAD, AVX2) == ["1x8"]
    assert products(MLP.replace(q_len=2), AVX2) == ["2x4"] * 3
    assert products(ANY_HEAD, AVX2) == ["1x8", "3x4"]


def test_a_column_is_read_when_the_one_before_is_multiplied():
    """With two of them LLVM keeps a sum in memory where registers are few."""
    text = render(GraphRequest(OUTPUT, AVX2))
    last, first = "%left2_0, %right0_0,", "%right1_0 = vector.transfer_read"
    assert text.rindex(last) < text.index(first)


def test_rows_of_a_weight_are_fetched_a_block_before_they_are_read():
    """None behind the last; where there are rows enough, each block of them fetches one."""
    text = render(GraphRequest(HEAD, AVX512))
    assert len(re.findall(r"memref\.prefetch .*\n +: memref<77x64xbf16>", text)) == 8
    assert "affine_map<(n)[a] -> (n + a + 7, 76)>(%n)[%column_step]" in text
    some = render(GraphRequest(OUTPUT, AVX512))
    assert "(n + (m - f) floordiv 6 mod 4" in some
    assert "affine_map<()[f] -> (f + 18)>" in some


def test_many_rows_are_read_a_line_further_apart_than_they_are_long():
    """Where they would lie in the same places of the first cache; the bits stay."""
    text = render(GraphRequest(OUTPUT, AVX512))
    assert "tensor.insert_slice %sequences into %sequences_of_acc_empty" in text
    assert "tensor<35x1040xf32>" in text
    for few in (OUTPUT.replace(head_dim=24), OUTPUT.replace(q_len=31)):
        assert "_of_acc_empty" not in render(GraphRequest(few, AVX512))


def test_a_part_of_the_depth_is_multiplied_with_all_rows():
    assert "%depth_part = arith.constant 512" in render(GraphRequest(OUTPUT, AVX2))
    assert "%depth_part" not in render(GraphRequest(OUTPUT, AVX512))
    assert "%depth_part" not in render(GraphRequest(OUTPUT.replace(head_dim=128), AVX2))


def test_pairs_of_bf16_are_multiplied_where_a_core_does_it():
    host = render(GraphRequest(HEAD, targets.get("cpu")))
    assert ("dpbf16ps" in host) == ("avx512_bf16" in targets.host_cpu_flags())
    assert "dpbf16ps" not in render(GraphRequest(HEAD, AVX512))
    assert "dpbf16ps" not in render(GraphRequest(HEAD.replace(io_dtype="f16"), targets.get("cpu")))


def test_it_is_there_on_all_cpus_and_no_gpu():
    assert products(ANY_HEAD, targets.get("aarch64")) == ["1x8", "4x4"]
    assert not products(HEAD, targets.get("gfx1100"))


def test_a_depth_that_leaves_a_rest_is_left_to_the_compiler():
    assert not products(HEAD.replace(hidden_size=40))
    assert not products(MLP.replace(intermediate_size=100))
