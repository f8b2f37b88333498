"""Products of squares of pairs of bf16 (AMX) on CPUs: in attention, and with weights."""

import numpy as np
import pytest
from ml_dtypes import bfloat16

import irattn
from irattn import (
    AttentionBackwardSpec,
    AttentionSpec,
    LinearSpec,
    MixtureOfExpertsSpec,
    MlpSpec,
    OutputProjectionSpec,
    PackedAttentionBackwardSpec,
    PackedAttentionSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
    QkvProjectionSpec,
    masks,
    targets,
)
from irattn.compiling.build import build
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import verify_artifact
from irattn.rendering import GraphRequest, render
from irattn.rendering.cpu import registers
from support.compiled_once import compiled_once

FLAGS = {"avx2", "avx512f", "avx512vl", "avx512bw", "avx512_vnni", "avx512_bf16"}
AMX = {"amx_tile", "amx_bf16"}
CPU = targets.get("cpu")
GQA = AttentionSpec(
    batch=1,
    num_q_heads=4,
    num_kv_heads=2,
    q_len=70,
    kv_len=90,
    head_dim=128,
    causal=True,
    io_dtype="bf16",
)
DOCUMENTS = masks.document((np.arange(90) // 23).astype(np.int32))
PAGES = {"block_size": 16, "max_blocks": 6, "num_blocks": 14}
SIZES = {"batch": 2, "num_q_heads": 4, "num_kv_heads": 2, "head_dim": 64, "io_dtype": "bf16"}
SPECS = {
    "causal": GQA,
    "window": GQA.replace(window=(20, 0), layout="NHD", return_lse=True, sinks=True, head_dim=72),
    "sixteen queries of a head": GQA.replace(q_len=16, num_kv_heads=4, head_dim=80, value_dim=100),
    "wide": GQA.replace(head_dim=384, value_dim=320, causal=False, bias="hqk"),
    "documents": GQA.replace(q_len=90, causal=False, mask_mod=DOCUMENTS),
    "dropout": GQA.replace(dropout_p=0.3, head_dim=96),
    "any lengths": GQA.replace(dynamic=("batch", "q_len", "kv_len"), head_dim=64),
    "packed": PackedAttentionSpec(**SIZES, q_tokens=50, kv_tokens=60, causal=True),
    "paged": PagedAttentionSpec(**SIZES, **PAGES, q_len=33, causal=True),
    "update": PagedUpdateAttentionSpec(**SIZES, **PAGES, q_len=33, causal=True),
}
# More than a tile of queries and of keys, neither in whole tiles.
GRADIENT = AttentionBackwardSpec(
    batch=1,
    num_q_heads=4,
    num_kv_heads=2,
    q_len=150,
    kv_len=170,
    head_dim=64,
    causal=True,
    io_dtype="bf16",
)
PACKED_GRADIENT = PackedAttentionBackwardSpec(**SIZES, q_tokens=150, kv_tokens=140, causal=True)
GRADIENTS = {
    "gradients of one square": GRADIENT.replace(q_len=16, kv_len=16, head_dim=128),
    "gradients in a window": GRADIENT.replace(window=(40, 0), q_len=330, kv_len=290, sinks=True),
    "gradients of odd heads": GRADIENT.replace(head_dim=21, value_dim=35, causal=False),
    "gradients of wide heads": GRADIENT.replace(head_dim=256, q_len=40, kv_len=17, alibi=True),
    "gradients of a workgroup's keys": GRADIENT.replace(batch=4, logits_soft_cap=2.0),
    "gradients of documents": GRADIENT.replace(q_len=90, kv_len=90, mask_mod=DOCUMENTS),
    "gradients of kept keys": GRADIENT.replace(keep_mask="hqk", causal=False, dropout_p=0.3),
    "packed gradients": PACKED_GRADIENT.replace(sinks=True, head_dim=72),
    "packed gradients of any tokens": PACKED_GRADIENT.replace(
        dynamic=("q_tokens", "kv_tokens"), window=(20, 0)
    ),
}
# Depths of more than one part; tokens that fill no square, and columns and depths that fill none.
LINEAR = LinearSpec(q_len=35, in_columns=1056, out_columns=176, io_dtype="bf16")
PROJECTION = {"batch": 2, "q_len": 20, "head_dim": 64, "hidden_size": 96, "io_dtype": "bf16"}
EXPERTS = MixtureOfExpertsSpec(
    q_len=77,
    hidden_size=96,
    intermediate_size=64,
    num_experts=4,
    experts_per_token=2,
    io_dtype="bf16",
)
PRODUCTS = {
    "linear": LINEAR,
    "batches of a call": LINEAR.replace(batch=3, q_len=16, dynamic=("batch",)),
    "more tokens than share a square": LINEAR.replace(q_len=300, in_columns=64, out_columns=32),
    "one square of tokens": LINEAR.replace(q_len=16, out_columns=96),
    "a single square": LINEAR.replace(q_len=16, in_columns=32, out_columns=16),
    "a token more than a square": LINEAR.replace(q_len=17, in_columns=96, out_columns=160),
    "a token less than two": LINEAR.replace(q_len=31, in_columns=2080, out_columns=32),
    "a token more than two": LINEAR.replace(q_len=33, in_columns=1088),
    "batches of many tokens": LINEAR.replace(batch=3, q_len=97, dynamic=("batch",)),
    "a column more than a block": LINEAR.replace(out_columns=33, in_columns=64),
    "a column more than a square": LINEAR.replace(q_len=16, out_columns=17, in_columns=33),
    "a square with one number": LINEAR.replace(in_columns=1057, out_columns=179),
    "a square less a number": LINEAR.replace(batch=2, q_len=19, in_columns=63, dynamic=("batch",)),
    "experts": EXPERTS,
    "experts of few tokens and none": EXPERTS.replace(q_len=45, num_experts=11, scores="sigmoid"),
    "experts of odd sizes": EXPERTS.replace(
        batch=2, hidden_size=65, intermediate_size=45, activation="gelu", scales_input=True
    ),
    "experts with biases": EXPERTS.replace(
        hidden_size=65, intermediate_size=45, has_bias=True, activation="clamped_swiglu"
    ),
    "mlp of odd sizes": MlpSpec(
        q_len=17, hidden_size=65, intermediate_size=99, io_dtype="bf16", has_bias=True
    ),
    "mlp": MlpSpec(q_len=17, hidden_size=64, intermediate_size=96, io_dtype="bf16", has_bias=True),
    "mlp without biases": MlpSpec(
        batch=2, q_len=17, hidden_size=96, intermediate_size=160, io_dtype="bf16"
    ),
    "heads": QkvProjectionSpec(**PROJECTION, num_q_heads=3, num_kv_heads=1),
    "output": OutputProjectionSpec(**PROJECTION, num_q_heads=3),
    "output of odd sizes": OutputProjectionSpec(
        **(PROJECTION | {"head_dim": 20, "hidden_size": 93}), num_q_heads=3
    ),
}


def test_they_are_multiplied_where_the_processor_has_them(monkeypatch):
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(FLAGS | AMX))
    text = render(GraphRequest(GQA, CPU))
    # Two squares of scores at once and four of weighted values, in a loop and behind it.
    assert text.count("tdpbf16ps") == 2 * (2 + 4)
    assert "dpbf16ps.512" not in text
    sapphire_rapids = "--iree-llvmcpu-target-cpu=sapphirerapids"
    options = [sapphire_rapids if "target-cpu" in flag else flag for flag in CPU.flags]
    assert compiled_once(text, tuple(options))
    for other in (GQA.replace(io_dtype="f16"), GQA.replace(q_len=15)):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))
    # Runs of 8 keys fill no square, and beside keys of 576 columns rows do not fit the stack.
    for other in (SPECS["paged"].replace(block_size=8), GQA.replace(head_dim=576, value_dim=512)):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))
    few, narrow = LINEAR.replace(q_len=15), LINEAR.replace(out_columns=15)
    flat = LINEAR.replace(in_columns=31)
    for other in (few, narrow, flat, LINEAR.replace(dynamic=("batch", "q_len"))):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))
    assert "tdpbf16ps" in render(GraphRequest(EXPERTS, CPU))
    # Too few tokens for each expert, and tokens in int8.
    sparse = EXPERTS.replace(num_experts=20)
    rounded = EXPERTS.replace(hidden_size=64, weight_format="q8_0", activation_format="int8")
    for other in (sparse, rounded, EXPERTS.replace(dynamic=("batch", "q_len"))):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))
    for gradient in (GRADIENT, PACKED_GRADIENT):
        assert "tdpbf16ps" in render(GraphRequest(gradient, CPU))
    # The gradient of a bias, that of every score, is held in memory.
    for other in (GRADIENT.replace(q_len=15), GRADIENT.replace(bias="hqk")):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))
    monkeypatch.setattr(registers, "host_cpu_flags", lambda: frozenset(FLAGS))
    for other in (GQA, LINEAR, EXPERTS, GRADIENT, PACKED_GRADIENT):
        assert "tdpbf16ps" not in render(GraphRequest(other, CPU))


def test_a_process_that_may_not_use_their_registers_has_none(monkeypatch):
    monkeypatch.setattr(targets, "may_use_tile_registers", lambda: False)
    flags = targets.host_cpu_flags.__wrapped__()
    assert not any(flag.startswith("amx_") for flag in flags)


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
@pytest.mark.parametrize("name", [*SPECS, *GRADIENTS, *PRODUCTS])
def test_results_are_those_of_the_reference(name):
    spec = (SPECS | GRADIENTS | PRODUCTS)[name]
    assert "tdpbf16ps" in render(GraphRequest(spec, CPU))
    assert verify_artifact(build(GraphRequest(spec, CPU)), device="cpu").passed


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
def test_rows_that_end_within_a_square_leave_the_next_ones_alone():
    """Every second token and column is no number: the others do not touch them."""
    spec = LINEAR.replace(q_len=16, in_columns=45, out_columns=48)
    hidden, weight = np.ones((1, 16, 45), bfloat16), np.ones((48, 45), bfloat16)
    hidden[:, 1::2], weight[1::2] = np.nan, np.nan
    out = np.asarray(irattn.load(spec, target="cpu", device="cpu")(hidden, weight))[0]
    assert (out[::2, ::2] == 45).all()
    assert np.isnan(out[1::2].astype(np.float32)).all()


@pytest.mark.skipif(
    not targets.host_cpu_flags() >= AMX, reason="needs a processor with AMX, and Linux"
)
def test_gradients_have_the_same_bits_every_time():
    kernel = irattn.load(GRADIENT, target="cpu", device="cpu")
    tensors = random_tensors(GRADIENT)
    first = [np.array(one) for one in kernel(*tensors.values())]
    for one, again in zip(first, kernel(*tensors.values()), strict=True):
        np.testing.assert_array_equal(one, again)
