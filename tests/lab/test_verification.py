"""The check itself: it notices graphs that are wrong, and errors are measured as stated."""

import warnings
from functools import cache, partial

import numpy as np
import pytest

import irattn.compiling.build
from irattn import (
    AttentionSpec,
    BlockPositionEmbeddingSpec,
    CacheAppendSpec,
    CacheWriteSpec,
    DecoderLayerSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
    PositionEmbeddingSpec,
    RopeSpec,
    targets,
)
from irattn.compiling import catalog
from irattn.compiling.store import Store
from irattn.core.errors import DeviceError
from irattn.core.tensors import TensorType
from irattn.lab.emulator.hip import run
from irattn.lab.inputs import CASES
from irattn.lab.verification import kernels, measure, verify_artifact, verify_spec
from irattn.lab.verification.accuracy import measured, strain
from irattn.rendering import GraphRequest
from support.joined import Graph, compiled_together, text_of

CPU = targets.get("cpu")
SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=40, kv_len=40, head_dim=32, causal=True, io_dtype="f16"
)
PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=20, head_dim=32, num_blocks=8, max_blocks=4,
    io_dtype="f16",
)  # fmt: skip
EVERY = AttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=20, kv_len=30, head_dim=32, io_dtype="f32",
    window=(5, 3), logits_soft_cap=2.0, alibi=True, bias="hqk", keep_mask="bk", sinks=True,
    return_lse=True, ragged=True,
)  # fmt: skip
HALVES = RopeSpec(
    num_q_heads=4, num_kv_heads=2, q_len=9, head_dim=16, max_positions=131072, rotary_dim=8
)
PAIRS = HALVES.replace(rope_style="interleaved", given_tables=True, max_positions=50)
POSITION = PositionEmbeddingSpec(q_len=9, hidden_size=16, max_positions=20, offset=2)
BLOCK_POSITION = BlockPositionEmbeddingSpec(
    q_len=9, hidden_size=16, max_positions=20, max_block_positions=20
)
UPDATE = PagedUpdateAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=20, head_dim=32, num_blocks=8, max_blocks=4,
    io_dtype="f16",
)  # fmt: skip
WRITE = CacheWriteSpec(num_tokens=20, num_kv_heads=2, head_dim=8, num_blocks=3)
APPEND = CacheAppendSpec(batch=2, num_kv_heads=2, head_dim=8, q_len=3, kv_len=20)
MERGE = catalog.get("merge_states_tiny")
# Depths that leave a rest, so that the text is the same on every CPU.
QKV = catalog.get("qkv_projection_tiny").replace(has_bias=True, hidden_size=40)
OUTPUT = catalog.get("output_projection_tiny").replace(has_bias=True, head_dim=10)
LAYER = DecoderLayerSpec(
    attention=PagedAttentionSpec(
        num_q_heads=4, num_kv_heads=2, q_len=5, head_dim=16, num_blocks=4, max_blocks=2,
        block_size=8, io_dtype="f32",
    ),
    hidden_size=48, max_positions=64, norm_eps=0.3,
)  # fmt: skip


CHANGES = [
    (SPEC, "fused", "cmpi sle, %ahead, %last_seen", "cmpi sge, %ahead, %last_seen"),
    (SPEC, "fused", "cmpi sle, %ahead, %last_seen", "cmpi slt, %ahead, %last_seen"),
    (SPEC, "fused", "%scale = arith.constant 0.25", "%scale = arith.constant 0.26"),
    (SPEC, "blocked", "cmpi slt, %key_numbers", "cmpi sle, %key_numbers"),
    (SPEC, "blocked", "dense<12583039.0>", "dense<12583038.0>"),
    (SPEC, "blocked", "%weight_p5, %weight_scale", "%weight_p4, %weight_scale"),
    (PAGED, "fused", "cmpi sle, %ahead, %last_seen", "cmpi slt, %ahead, %last_seen"),
    (PAGED, "fused", "ins(%value_cache_rows, %key", "ins(%key_cache_rows, %key"),
    (PAGED, "blocked", "subi %context_len, %q_len", "subi %q_len, %context_len"),
    (PAGED, "blocked", "_block, %kv_head, %t_slot, %none", "_block, %none, %t_slot, %none"),
    (LAYER, "blocked", "arith.addf %residual, %change", "arith.subf %residual, %change"),
    (LAYER, "blocked", "math.sqrt %positive", "math.sqrt %mean"),
    (LAYER, "fused", "query, %new_key, %qkv#2", "query, %qkv#2, %new_key"),
    (EVERY, "fused", "cmpi sge, %ahead, %first_seen", "cmpi sgt, %ahead, %first_seen"),
    (EVERY, "fused", "cmpi sle, %ahead, %last_seen", "cmpi slt, %ahead, %last_seen"),
    (EVERY, "fused", "math.absf %ahead_f32", "math.ceil %ahead_f32"),
    (EVERY, "fused", "math.tanh %fraction", "math.atan %fraction"),
    (EVERY, "fused", "arith.addf %sum_shrunk, %sink_exp", "arith.subf %sum_shrunk, %sink_exp"),
    (EVERY, "fused", "arith.mulf %max_with_sink, %unit", "arith.mulf %max, %unit"),
    (EVERY, "fused", "cmpi slt, %position, %queries", "cmpi sle, %position, %queries"),
    (EVERY, "blocked", "minsi %next_query, %q_len", "maxsi %next_query, %q_len"),
    (EVERY, "blocked", "arith.mulf %bounded, %cap", "arith.mulf %scaled, %cap"),
    (EVERY, "blocked", "arith.addf %max_natural, %log", "arith.addf %row_max, %log"),
    (EVERY, "blocked", "%is_seen_1, %kept", "%is_seen_1, %behind_is_seen"),
    (EVERY, "blocked", "cmpi sge, %key_numbers", "cmpi sgt, %key_numbers"),
    (EVERY, "blocked", "math.absf %ahead_f32", "math.ceil %ahead_f32"),
    (UPDATE, "fused", "collapse_shape %updated_key_cache", "collapse_shape %key_cache"),
    (UPDATE, "fused", "ins(%value, %row_numbers", "ins(%key, %row_numbers"),
    (UPDATE, "blocked", "_cache, %updated_value_cache, %b", "_cache, %updated_key_cache, %b"),
    (UPDATE, "blocked", "%block, %h, %slot_in_block", "%block, %h, %none"),
    (WRITE, None, "%no_slot = arith.constant -1", "%no_slot = arith.constant 0"),
    (WRITE, None, "remui %slot, %slots_per_block", "divui %slot, %slots_per_block"),
    (APPEND, None, "addi %offset, %t", "addi %offset, %first"),
    (APPEND, None, "%value[%b, %h, %t", "%value[%b, %none, %t"),
    (EVERY, "blocked", "%sum_with_bias = arith.addf", "%sum_with_bias = arith.subf"),
    (HALVES, None, "%is_low, %minus_sin, %sin_at", "%is_low, %sin_at, %minus_sin"),
    (HALVES, None, "cmpi ule, %c, %chunk1", "cmpi ult, %c, %chunk1"),
    (HALVES, None, "math.sin %angle", "math.cos %angle"),
    (HALVES, None, "%half_of_i64 = arith.constant 32", "%half_of_i64 = arith.constant 31"),
    (PAIRS, None, "arith.subf %low_cos, %high_sin", "arith.addf %low_cos, %high_sin"),
    (PAIRS, None, "cmpi ule, %i, %last_pair", "cmpi ult, %i, %last_pair"),
    (POSITION, None, "arith.constant 2 : i32", "arith.constant 1 : i32"),
    (BLOCK_POSITION, None, "minui %block_position, ", "minui %position, "),
    (MERGE, None, "arith.addf %weight_a, %weight_b", "arith.addf %weight_a, %weight_a"),
    (MERGE, None, "arith.maximumf %larger, %lowest", "arith.maximumf %larger, %larger"),
    (MERGE, None, "arith.addf %top, %log", "arith.addf %part_a, %log"),
    (QKV, None, "%head_weights[4, 0, 0]", "%head_weights[0, 0, 0]"),
    (QKV, None, "arith.addf %sum, %shift", "arith.subf %sum, %shift"),
    (OUTPUT, None, "arith.mulf %left, %right", "arith.mulf %left, %left"),
    (OUTPUT, None, "arith.addf %sum, %shift", "arith.subf %sum, %shift"),
]  # fmt: skip
# So many are functions of one module, which the compiler takes less time for.
TOGETHER = 10


def changed(text, old, new):
    assert old in text
    return text.replace(old, new)


@cache
def changed_artifacts(start):
    some = CHANGES[start : start + TOGETHER]
    graphs = [Graph(spec, formulation) for spec, formulation, _, _ in some]
    texts = [
        changed(text_of(graph, CPU), old, new)
        for graph, (_, _, old, new) in zip(graphs, some, strict=True)
    ]
    return compiled_together(graphs, CPU, texts)


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", range(len(CHANGES)), ids=[f"{s.op}-{old}-{new}" for s, _, old, new in CHANGES]
)
def test_a_wrong_graph_fails(number):
    place = number % TOGETHER
    verdict = verify_artifact(changed_artifacts(number - place)[place], device="cpu")
    assert not verdict.passed
    assert verdict.failed


def test_a_spec_is_verified_by_the_graph_that_it_renders_to(monkeypatch, tmp_path):
    def verdict(folder):
        store = Store(tmp_path / folder)
        return verify_spec(GraphRequest(SPEC, CPU, formulation="fused"), store=store)

    assert verdict("right").passed
    render = irattn.compiling.build.render
    wrong = partial(changed, old="cmpi sle, %ahead", new="cmpi slt, %ahead")
    monkeypatch.setattr(
        irattn.compiling.build, "render", lambda *args, **how: wrong(render(*args, **how))
    )
    assert not verdict("wrong").passed


def test_errors_are_measured_as_stated():
    expected = np.array([[3.0, 4.0], [0.0, 0.0]])
    found = measure(np.array([[3.0, 4.5], [0.0, 0.0]]), expected, tiniest=1e-38)
    assert (found.max_abs, found.relative, found.worst_row) == (0.5, 0.1, 0.1)


def test_one_wrong_row_among_many_decides():
    expected = np.ones((10000, 4))
    output = expected.copy()
    output[7] = 1.5
    found = measure(output, expected, tiniest=1e-38)
    assert found.relative < 0.01
    assert found.decisive == 0.05


def test_rows_of_few_elements_may_cancel():
    expected = np.array([[1.0], [1.0], [1e-3], [1.0]])
    off = np.array([[0.0], [0.0], [1e-3], [0.0]])
    narrow, wide = (TensorType("output", (4, columns), "f16") for columns in (1, 8))
    assert strain(measured(expected + off, expected, narrow)) < 1
    assert strain(measured(expected + 100 * off, expected, narrow)) > 1
    whole = (np.repeat(array, 8, axis=1) for array in (expected + off, expected))
    assert strain(measured(*whole, wide)) > 1


def test_a_row_of_zeros_must_be_zeros():
    found = measure(np.array([[1.0], [1e-6]]), np.array([[1.0], [0.0]]), tiniest=1e-38)
    assert found.worst_row == np.inf


@pytest.mark.parametrize("bits", [np.uint16(0x7D00), np.uint32(0x7FA00000)])
def test_a_signalling_nan_is_infinitely_wrong_without_a_warning(bits):
    found = np.array([0, bits], bits.dtype).view(f"f{bits.nbytes}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert measure(found, np.zeros(2), 0.0).max_abs == np.inf


def test_nan_and_infinity_are_infinitely_wrong():
    for wrong in (np.nan, np.inf):
        found = measure(np.array([[1.0, wrong]]), np.ones((1, 2)), tiniest=1e-38)
        assert found.relative == np.inf


def test_an_infinity_of_the_reference_must_be_met():
    expected = np.array([[1.0, -np.inf]])
    assert measure(np.array([[1.0, -np.inf]]), expected, tiniest=1e-38).decisive == 0
    for wrong in (np.inf, -1e30, np.nan):
        assert measure(np.array([[1.0, wrong]]), expected, tiniest=1e-38).relative == np.inf


def test_equal_seeds_give_equal_inputs():
    for case in CASES.values():
        first, second, other = (case.tensors(PAGED, seed) for seed in (1, 1, 2))
        for name in first:
            np.testing.assert_array_equal(first[name], second[name])
        assert any(not np.array_equal(first[name], other[name]) for name in first)


def test_cases_are_what_they_are_called():
    lens = {name: CASES[name].tensors(PAGED)["context_lens"] for name in CASES}
    assert (lens["full_context"] == PAGED.max_context).all()
    assert (lens["context_of_one"] == 1).all()
    assert lens["masked_rows"].min() == 0
    assert lens["masked_rows"].max() < PAGED.q_len
    tensors = CASES["normal"].tensors(EVERY)
    assert 0 < np.isinf(tensors["bias"]).mean() < 0.2
    assert 0 < tensors["keep_mask"].mean() < 1
    assert (tensors["alibi_slopes"] > 0).all()
    subnormal = np.abs(CASES["subnormals"].tensors(SPEC)["value"].astype(np.float64))
    assert 0.3 < ((subnormal > 0) & (subnormal < 2.0**-14)).mean() < 0.6
    huge = CASES["huge_scale"].tensors(SPEC)
    logits = huge["query"][0, 0].astype(np.float64) @ huge["key"][0, 0].astype(np.float64).T
    assert np.abs(logits * SPEC.scale).max() > 5e5


def test_a_gpu_target_without_its_gpu_says_what_ran(monkeypatch):
    verdict = verify_spec(GraphRequest(SPEC, targets.get("sm_80")))
    assert verdict.passed
    assert verdict.ran.startswith(("the same fused graph compiled for this CPU (cuda: ", "sm_80"))
    assert verdict.executed in ("fused graph, cpu", "sm_80 code, cuda")


@pytest.mark.parametrize(
    ("name", "graph"),
    [("rms_norm_tiny", "the same linalg "), ("cache_write_tiny", "the CPU's own linalg ")],
)
def test_it_says_whether_the_graph_is_that_of_the_target(name, graph, monkeypatch):
    monkeypatch.setattr(kernels, "is_quick_to_emulate", lambda spec, target: False)
    verdict = verify_spec(GraphRequest(catalog.get(name), targets.get("gfx1100")))
    assert verdict.ran.startswith((graph, "gfx1100 code on device hip"))


GFX = targets.get("gfx1100")
BY_ITSELF = ("gfx1100 code, emulator", "gfx1100 code, hip")


def test_without_the_gpu_its_code_is_executed_where_that_is_quick():
    request = GraphRequest(catalog.get("scale_scores_tiny"), GFX)
    verdict = verify_spec(request)
    assert verdict.passed
    assert verdict.executed in BY_ITSELF
    assert verify_artifact(irattn.compiling.build.build(request)).executed in BY_ITSELF


@pytest.mark.parametrize(("name", "is_quick"), [("gqa_decode", True), ("gqa_causal", False)])
def test_what_takes_longer_than_a_minute_in_the_emulator_is_no_work_for_it(name, is_quick):
    assert kernels.is_quick_to_emulate(catalog.get(f"{name}_tiny"), GFX)
    assert kernels.is_quick_to_emulate(catalog.get(f"{name}_base"), GFX) is is_quick


@pytest.mark.parametrize("missing", ["problem", "library_problem"])
def test_without_the_emulator_the_graph_runs_on_the_cpu(missing, monkeypatch):
    monkeypatch.setattr(kernels.emulated_device, missing, lambda *_: "is not here")
    assert not kernels.is_quick_to_emulate(SPEC, GFX)


def test_what_the_emulator_stops_at_is_no_success_of_the_graph_on_the_cpu(monkeypatch):
    """The code has too little memory: the graph has not."""

    def halved(code_object, kernel, grid, block, kernarg, memory):
        halves = [(start, data[: data.size // 2]) for start, data in memory]
        run(code_object, kernel, grid, block, kernarg, halves)

    monkeypatch.setattr(kernels, "auto_device", lambda target: ("cpu", "no GPU here"))
    monkeypatch.setattr(kernels.emulated_device.bridge(), "launcher", halved)
    with pytest.raises(DeviceError, match="beyond its buffer"):
        verify_spec(GraphRequest(catalog.get("scale_scores_tiny"), GFX))
