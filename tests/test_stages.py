"""The stages of attention: by hand, as relations, compiled, and as the tool that finds errors."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from machine_code import kernels, matrix_instructions

import irattn
from irattn import (
    AttentionScoresSpec,
    AttentionSpec,
    CausalMaskSpec,
    ReplicateKvSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    WeightedValuesSpec,
    catalog,
    targets,
)
from irattn.cli import main
from irattn.errors import SpecError, UsageError
from irattn.inputs import random_tensors
from irattn.reference import reference
from irattn.stages import stages_of, verify_stages
from irattn.verification import verify_spec

SCORES = {"batch": 2, "num_q_heads": 4, "q_len": 5, "kv_len": 7}
PRODUCT = {**SCORES, "num_kv_heads": 2, "head_dim": 8, "io_dtype": "f32"}
STAGES = {
    spec.op: spec
    for spec in (
        AttentionScoresSpec(**PRODUCT),
        ScaleScoresSpec(**SCORES, softmax_scale=0.5),
        CausalMaskSpec(**SCORES),
        SoftmaxSpec(**SCORES),
        WeightedValuesSpec(**PRODUCT),
        ReplicateKvSpec(num_q_heads=4, num_kv_heads=2, kv_len=7, head_dim=8, io_dtype="f32"),
    )
}
INF = np.inf


def alone(spec_type, scores, **fields):
    """The reference of a stage on the scores of one head."""
    array = np.array(scores, float)
    spec = spec_type(num_q_heads=1, q_len=array.shape[0], kv_len=array.shape[1], **fields)
    return reference(spec, {"scores": array[None, None]})[0][0, 0]


def test_scores_and_values_by_hand():
    """Query heads 0 and 1 read KV head 0, heads 2 and 3 read KV head 1."""
    sizes = {"num_q_heads": 4, "num_kv_heads": 2, "q_len": 1, "kv_len": 2, "head_dim": 1}
    by_head = np.array([1.0, 2.0, 3.0, 4.0]).reshape(1, 4, 1, 1)
    tokens = np.array([[1.0, 10.0], [2.0, 20.0]]).reshape(1, 2, 2, 1)
    (scores,) = reference(AttentionScoresSpec(**sizes), {"query": by_head, "key": tokens})
    np.testing.assert_array_equal(scores[0, :, 0], [[1, 10], [2, 20], [6, 60], [8, 80]])
    weights = np.array([0.5, 0.5]) * np.ones((1, 4, 1, 1))
    (output,) = reference(WeightedValuesSpec(**sizes), {"weights": weights, "value": tokens})
    np.testing.assert_array_equal(output.ravel(), [5.5, 5.5, 11, 11])


def test_what_scores_become_by_hand():
    np.testing.assert_array_equal(alone(ScaleScoresSpec, [[1, -2]], softmax_scale=3), [[3, -6]])
    np.testing.assert_allclose(
        alone(SoftmaxSpec, [[0, np.log(3)], [-INF, 5], [-INF, -INF], [1e6, 0]]),
        [[0.25, 0.75], [0, 1], [0, 0], [1, 0]],
    )


@pytest.mark.parametrize(
    ("q_len", "kv_len", "alignment", "seen"),
    [
        (2, 3, "bottom_right", [[1, 1, 0], [1, 1, 1]]),
        (2, 3, "top_left", [[1, 0, 0], [1, 1, 0]]),
        (3, 2, "bottom_right", [[0, 0], [1, 0], [1, 1]]),
        (3, 2, "top_left", [[1, 0], [1, 1], [1, 1]]),
    ],
)
def test_the_mask_by_hand(q_len, kv_len, alignment, seen):
    scores = np.arange(q_len * kv_len, dtype=float).reshape(q_len, kv_len)
    found = alone(CausalMaskSpec, scores, alignment=alignment)
    np.testing.assert_array_equal(found, np.where(seen, scores, -INF))


@pytest.mark.parametrize("op", STAGES)
@pytest.mark.parametrize(
    "changes",
    [{}, {"q_len": 1, "batch": 1}, {"q_len": 33, "kv_len": 77, "num_kv_heads": 1, "head_dim": 40}],
    ids=str,
)
def test_compiled(op, changes):
    spec = STAGES[op]
    fields = {name: value for name, value in changes.items() if hasattr(spec, name)}
    verdict = verify_spec(spec.replace(**fields), targets.get("cpu"), device="cpu")
    assert verdict.passed, verdict


@pytest.mark.parametrize("op", ["attention_scores", "weighted_values", "replicate_kv"])
@pytest.mark.parametrize("io_dtype", ["f16", "bf16"])
def test_compiled_in_narrow_types(op, io_dtype):
    spec = STAGES[op].replace(io_dtype=io_dtype)
    verdict = verify_spec(spec, targets.get("cpu"), device="cpu")
    assert verdict.passed, verdict


@pytest.mark.parametrize("kv_len", [1, 2])
def test_scores_that_cancel_are_measured_against_all(kv_len):
    """Among thousands of rows of few keys, some are nearly 0 and have no correct digit to lose."""
    spec = STAGES["attention_scores"].replace(
        num_q_heads=32, num_kv_heads=8, q_len=64, kv_len=kv_len, head_dim=128
    )
    verdict = verify_spec(spec, targets.get("cpu"), device="cpu")
    assert verdict.passed, verdict


def test_more_queries_than_keys():
    """The mask hides all keys of the first queries, and the softmax gives them no weight."""
    spec = CausalMaskSpec(num_q_heads=1, q_len=3, kv_len=2)
    masked = irattn.load(spec)(scores=np.ones((1, 1, 3, 2), np.float32))
    weights = irattn.load(SoftmaxSpec(num_q_heads=1, q_len=3, kv_len=2))(scores=masked)
    np.testing.assert_array_equal(weights[0, 0], [[0, 0], [1, 0], [0.5, 0.5]])


def test_replicated_heads_are_copies():
    kernel = irattn.load(STAGES["replicate_kv"].replace(io_dtype="f16"))
    kv = random_tensors(kernel.spec)["kv"]
    np.testing.assert_array_equal(kernel(kv=kv), kv.repeat(2, axis=1))


@pytest.mark.parametrize(
    "spec",
    [
        AttentionSpec(**PRODUCT),
        AttentionSpec(**PRODUCT, causal=True, alignment="top_left", softmax_scale=0.7),
        AttentionSpec(**{**PRODUCT, "kv_len": 3}, causal=True, value_dim=16),
    ],
    ids=["full", "top_left", "short_kv"],
)
def test_the_stages_in_a_row_are_attention(spec):
    """In the reference, to the last digits of float64."""
    tensors = random_tensors(spec)
    found = tensors
    for stage in stages_of(spec):
        first = {"attention_scores": "query", "weighted_values": "weights"}.get(stage.op, "scores")
        given = {**tensors, first: found["output"]} if found is not tensors else tensors
        found = {"output": reference(stage, given)[0]}
    np.testing.assert_allclose(found["output"], reference(spec, tensors)[0], atol=1e-14)


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
@pytest.mark.parametrize(
    ("name", "count"),
    [("attention_scores_base", 1), ("softmax_base", 1), ("weighted_values_base", 2)],
)
def test_machine_code(target, name, count):
    found = kernels(catalog.get(name), target)
    assert len(found) == count
    assert bool(matrix_instructions(found)) == (name != "softmax_base")


@pytest.mark.parametrize(
    ("op", "changes", "message"),
    [
        (
            "softmax",
            {"io_dtype": "f16"},
            "io_dtype: expected f32, the type of scores between stages, got 'f16'",
        ),
        ("softmax", {"kv_len": 0}, "kv_len: expected a whole number of at least 1, got 0"),
        (
            "scale_scores",
            {"softmax_scale": 0},
            "softmax_scale: expected a magnitude between 1e-30 and 1e30, got 0",
        ),
        ("scale_scores", {"softmax_scale": None}, "softmax_scale: expected a number, got None"),
        (
            "causal_mask",
            {"alignment": "left"},
            "alignment: expected bottom_right or top_left, got 'left'",
        ),
        (
            "attention_scores",
            {"num_kv_heads": 3},
            "num_kv_heads: expected a divisor of num_q_heads = 4, got 3",
        ),
        ("weighted_values", {"head_dim": 257}, "head_dim: expected at most 256, got 257"),
        (
            "replicate_kv",
            {"num_kv_heads": 3},
            "num_kv_heads: expected a divisor of num_q_heads = 4, got 3",
        ),
    ],
)
def test_impossible_values_are_refused(op, changes, message):
    with pytest.raises(SpecError) as caught:
        STAGES[op].replace(**changes)
    assert str(caught.value) == message


WHOLE = AttentionSpec(**{**PRODUCT, "io_dtype": "f16"}, causal=True)


@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_right_stages_pass(io_dtype):
    verdict = verify_stages(WHOLE.replace(io_dtype=io_dtype), targets.get("cpu"), device="cpu")
    assert verdict.passed, verdict
    assert verdict.first_difference is None
    stages = ["attention_scores", "scale_scores", "causal_mask", "softmax", "weighted_values"]
    assert [row.stage for row in verdict.rows] == [*stages, "attention"]


def break_stage(monkeypatch, op, old, new):
    render = irattn.build.render

    def changed(spec, *args, **kwargs):
        text = render(spec, *args, **kwargs)
        assert spec.op != op or old in text
        return text.replace(old, new) if spec.op == op else text

    monkeypatch.setattr(irattn.build, "render", changed)


@pytest.mark.parametrize(
    ("op", "old", "new"),
    [
        ("attention_scores", "%zero = arith.constant 0.0", "%zero = arith.constant 1.0"),
        ("scale_scores", "%scale = arith.constant 0.35", "%scale = arith.constant 0.36"),
        ("causal_mask", "arith.cmpi sle", "arith.cmpi slt"),
        ("softmax", "math.exp %below", "math.exp2 %below"),
        ("weighted_values", "arith.truncf %mean : f32", "arith.truncf %zero : f32"),
    ],
)
def test_the_stage_that_is_wrong_is_named(monkeypatch, tmp_path, op, old, new):
    break_stage(monkeypatch, op, old, new)
    verdict = verify_stages(WHOLE, targets.get("cpu"), root=tmp_path)
    assert verdict.first_difference == op
    rows = {row.stage: row for row in verdict.rows}
    assert [stage for stage, row in rows.items() if row.is_wrong] == [op]
    assert rows["attention"].passed


def test_a_wrong_whole_kernel_is_told_from_its_stages(monkeypatch, tmp_path):
    break_stage(monkeypatch, "attention", "math.exp ", "math.exp2 ")
    verdict = verify_stages(WHOLE, targets.get("cpu"), root=tmp_path)
    assert verdict.first_difference == "attention"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("window_tiny", "window: the stages of attention have no word for it, got (7, None);"),
        ("soft_cap_tiny", "logits_soft_cap: the stages of attention have no word for it, got 2.0"),
        ("lse_tiny", "return_lse: the stages of attention have no word for it, got True"),
        ("ragged_tiny", "ragged: the stages of attention have no word for it, got True"),
        (
            "gqa_paged_decode_tiny",
            "gqa_paged_decode_tiny: expected contiguous attention to take apart, got paged_atten",
        ),
    ],
)
def test_what_stages_cannot_say_is_refused(name, message):
    with pytest.raises(UsageError) as caught:
        stages_of(catalog.get(name), name)
    assert str(caught.value).startswith(message)


def run(*args, code=0):
    result = CliRunner().invoke(main, ["verify", "--stages", *map(str, args)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_the_command():
    text = run("gqa_causal_tiny").stdout
    assert "weighted_values   f32 [1, 4, 32, 32]" in text
    assert "no difference beyond the tolerances\nran cpu code on device local-sync\n" in text
    (found,) = json.loads(run("gqa_decode_tiny", "--set", "causal=false", "--json").stdout)
    stages = ["attention_scores", "scale_scores", "softmax", "weighted_values", "attention"]
    assert [row["stage"] for row in found["stages"]] == stages
    assert (found["passed"], found["first_difference"]) == (True, None)
    assert found["stages"][0]["output"]["shape"] == [1, 4, 1, 32]


def test_the_command_names_the_stage_that_is_wrong(monkeypatch, tmp_path):
    break_stage(monkeypatch, "softmax", "divf %weight, %total", "divf %weight, %best")
    args = ("gqa_causal_tiny", "--out", tmp_path)
    text = run(*args, code=1).stdout
    assert "\nfirst difference: softmax\n" in text
    (line,) = (line for line in text.splitlines() if line.startswith("weighted_values"))
    assert line.endswith("FAILED: by what it was given")
    (found,) = json.loads(run(*args, "--json", code=1).stdout)
    assert found["first_difference"] == "softmax"


def test_the_command_refuses_what_it_cannot_take_apart(tmp_path):
    assert "window: the stages" in run("window_tiny", code=2).stderr
    assert "--stages: expected names of contiguous attention, got none" in run(code=2).stderr
    folder = irattn.compile("mha_full_tiny", target="cpu", out=tmp_path).path
    assert "verified as they are" in run(folder, code=2).stderr
