"""The stages of attention: by hand, as relations, compiled, and as the tool that finds errors."""

import itertools
import json

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner
from ml_dtypes import bfloat16

import irattn
from irattn import (
    AlibiScoresSpec,
    AttentionScoresSpec,
    AttentionSpec,
    BiasScoresSpec,
    CausalMaskSpec,
    MaskScoresSpec,
    ReplicateKvSpec,
    ScaleScoresSpec,
    SoftCapScoresSpec,
    SoftmaxSpec,
    SoftmaxWithSinksSpec,
    WeightedValuesSpec,
    WindowMaskSpec,
    targets,
)
from irattn.cli import main
from irattn.compiling import catalog
from irattn.compiling.store import Store
from irattn.core.errors import ArgumentError, SpecError, UsageError
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import verify_stages
from irattn.lab.verification.stages import arguments_of
from irattn.reference import reference
from irattn.rendering import GraphRequest
from irattn.specs.pipeline import stages_of
from support.emulated import failed_cases
from support.joined import build_together, together
from support.machine_code import kernels, matrix_instructions

pytestmark = pytest.mark.slow

SCORES = {"batch": 2, "num_q_heads": 4, "q_len": 5, "kv_len": 7}
PRODUCT = {**SCORES, "num_kv_heads": 2, "head_dim": 8, "io_dtype": "f32"}
STAGES = {
    spec.op: spec
    for spec in (
        AttentionScoresSpec(**PRODUCT),
        ScaleScoresSpec(**SCORES, softmax_scale=0.5),
        SoftCapScoresSpec(**SCORES, logits_soft_cap=2.0),
        BiasScoresSpec(**SCORES, bias="hk", io_dtype="f32"),
        AlibiScoresSpec(**SCORES),
        CausalMaskSpec(**SCORES),
        WindowMaskSpec(**SCORES, window=(2, 1)),
        MaskScoresSpec(**SCORES, keep_mask="bq"),
        SoftmaxSpec(**SCORES),
        SoftmaxWithSinksSpec(**SCORES),
        WeightedValuesSpec(**PRODUCT),
        ReplicateKvSpec(num_q_heads=4, num_kv_heads=2, kv_len=7, head_dim=8, io_dtype="f32"),
    )
}
INF = np.inf
FEATURES = {
    "soft_cap": {"causal": True, "logits_soft_cap": 0.5},
    "bias": {"bias": "hqk"},
    "bias_by_key": {"bias": "bk", "causal": True},
    "keep_mask": {"keep_mask": "bk"},
    "window": {"causal": True, "window": (2, None)},
    "window_both_ways": {"window": (1, 2), "alignment": "top_left"},
    "alibi": {"alibi": True, "alignment": "top_left"},
    "sinks": {"causal": True, "sinks": True},
    "all": {
        **{"causal": True, "window": (3, None), "logits_soft_cap": 0.5, "alibi": True},
        **{"bias": "hqk", "keep_mask": "bk", "sinks": True},
    },
}

WHOLE = AttentionSpec(**{**PRODUCT, "io_dtype": "f16"}, causal=True)
# Rows hidden by -inf and by the least number, NaN that is hidden and that is not, +inf.
EXTREME = {
    **{**PRODUCT, "batch": 1, "q_len": 6},
    **{"causal": True, "logits_soft_cap": 5.0, "bias": "qk", "keep_mask": "q"},
}
# Without what ONNX's Attention has no input for.
SCORED = AttentionSpec(**PRODUCT, **FEATURES["all"]).replace(alibi=False, window=None, sinks=False)
TAKEN_APART = [
    *(WHOLE.replace(io_dtype=io_dtype) for io_dtype in ("f32", "f16", "bf16")),
    *(WHOLE.replace(causal=False).replace(**features) for features in FEATURES.values()),
    *(AttentionSpec(**{**EXTREME, "io_dtype": io_dtype}) for io_dtype in ("f32", "bf16")),
    SCORED,
    catalog.get("gqa_causal_tiny"),
    catalog.get("gqa_decode_tiny").replace(causal=False),
    *(
        catalog.get(f"{feature}_tiny")
        for feature in ("soft_cap", "bias", "keep_mask", "alibi", "window", "sinks")
    ),
]


# By hand: limits to the left and to the right, by both alignments, and beyond all tokens.
WINDOWS = {
    WindowMaskSpec(num_q_heads=1, q_len=3, kv_len=4, window=window, alignment=alignment): seen
    for window, alignment, seen in (
        ((1, 0), "bottom_right", [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]),
        ((1, 0), "top_left", [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]]),
        ((0, None), "top_left", [[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]),
        ((None, 1), "top_left", [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]),
        ((2**70, 0), "top_left", [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]),
    )
}
COMPILED = [
    *(stage for spec in TAKEN_APART for stage in (*stages_of(spec), spec)),
    *(STAGES["softmax"], STAGES["softmax_with_sinks"], *WINDOWS),
]


@pytest.fixture
def compiled_together(monkeypatch):
    """What tests below build where nothing about it is broken: the wholes and their stages."""
    build_together(monkeypatch, COMPILED)


def alone(spec_type, scores, tensors=None, **fields):
    """The reference of a stage on the scores of one head."""
    array = np.array(scores, float)
    spec = spec_type(num_q_heads=1, q_len=array.shape[0], kv_len=array.shape[1], **fields)
    return reference(spec, {"scores": array[None, None], **(tensors or {})})[0][0, 0]


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


@pytest.mark.usefixtures("compiled_together")
@pytest.mark.parametrize(("spec", "seen"), WINDOWS.items())
def test_the_window_by_hand(spec, seen):
    scores = np.arange(12.0).reshape(3, 4)
    found = alone(WindowMaskSpec, scores, window=spec.window, alignment=spec.alignment)
    np.testing.assert_array_equal(found, np.where(seen, scores, -INF))
    compiled = irattn.load(spec)(scores=scores[None, None].astype(np.float32))
    np.testing.assert_array_equal(compiled[0, 0], found)


def test_what_features_do_to_scores_by_hand():
    np.testing.assert_allclose(
        alone(SoftCapScoresSpec, [[-INF, -1, 0, 4, INF]], logits_soft_cap=2.0),
        [[-2, -2 * np.tanh(0.5), 0, 2 * np.tanh(2), 2]],
    )
    bias = np.array([1.0, -INF, -2.0]).reshape(1, 1, 1, 3)
    np.testing.assert_array_equal(
        alone(BiasScoresSpec, [[1, 2, 3], [4, 5, 6]], {"bias": bias}, bias="k"),
        [[2, -INF, 1], [5, -INF, 4]],
    )
    # The positions of both queries are 1 and 2.
    slopes = {"alibi_slopes": np.array([0.5])}
    np.testing.assert_array_equal(
        alone(AlibiScoresSpec, [[1, 1, 1], [1, 1, 1]], slopes), [[0.5, 1, 0.5], [0, 0.5, 1]]
    )
    keep_mask = {"keep_mask": np.array([True, False]).reshape(1, 1, 2, 1)}
    np.testing.assert_array_equal(
        alone(MaskScoresSpec, [[1, 2], [np.nan, 4]], keep_mask, keep_mask="q"),
        [[1, 2], [-INF, -INF]],
    )


def test_a_sink_takes_its_share_of_a_softmax():
    sinks = {"sinks": np.array([np.log(2)])}
    np.testing.assert_allclose(
        alone(SoftmaxWithSinksSpec, [[0, 0], [-INF, np.log(2)], [-INF, -INF]], sinks),
        [[0.25, 0.25], [0, 0.5], [0, 0]],
    )
    scores = random_tensors(STAGES["softmax"])["scores"]
    (with_none,) = reference(
        STAGES["softmax_with_sinks"], {"scores": scores, "sinks": np.full(4, -INF)}
    )
    (expected,) = reference(STAGES["softmax"], {"scores": scores})
    np.testing.assert_allclose(with_none, expected, rtol=1e-14)


@pytest.mark.usefixtures("compiled_together")
@pytest.mark.parametrize("op", ["softmax", "softmax_with_sinks"])
def test_a_row_that_has_a_nan_is_nan(op):
    """As it is in PyTorch."""
    tensors = random_tensors(STAGES[op])
    tensors["scores"][0, 0, 1, 2] = np.nan
    for weights in (irattn.load(STAGES[op])(**tensors), *reference(STAGES[op], tensors)):
        assert np.isnan(weights[0, 0, 1]).all()
        assert np.isfinite(weights[0, 0, 2]).all()


def changed(op, changes):
    """A stage with those of the changes that it has fields for."""
    spec = STAGES[op]
    return spec.replace(**{name: n for name, n in changes.items() if hasattr(spec, name)})


SHAPES = together(
    changed(op, changes)
    for changes in (
        {},
        {"q_len": 1, "batch": 1},
        {"q_len": 33, "kv_len": 77, "num_kv_heads": 1, "head_dim": 40},
    )
    for op in STAGES
)
NARROW = together(
    STAGES[op].replace(io_dtype=io_dtype)
    for io_dtype in ("f16", "bf16")
    for op in ("attention_scores", "bias_scores", "weighted_values", "replicate_kv")
)
AXES = ["".join(c) for n in range(1, 5) for c in itertools.combinations("bhqk", n)]
# Of any two axes, biases have none, each and both, and so have masks.
ANY_AXES = together(
    [
        *(STAGES["bias_scores"].replace(bias=axes) for axes in AXES[1::2]),
        *(STAGES["mask_scores"].replace(keep_mask=axes) for axes in AXES[::2]),
    ]
)
# Among thousands of rows of few keys, some are nearly 0 and have no correct digit to lose.
SCORES_THAT_CANCEL = together(
    STAGES["attention_scores"].replace(
        num_q_heads=32, num_kv_heads=8, q_len=64, kv_len=kv_len, head_dim=128
    )
    for kv_len in (1, 2)
)


@pytest.mark.parametrize("one", [*SHAPES, *NARROW, *ANY_AXES, *SCORES_THAT_CANCEL], ids=str)
def test_compiled(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_more_queries_than_keys():
    """The mask hides all keys of the first queries, and the softmax gives them no weight."""
    spec = CausalMaskSpec(num_q_heads=1, q_len=3, kv_len=2)
    masked = irattn.load(spec)(scores=np.ones((1, 1, 3, 2), np.float32))
    weights = irattn.load(SoftmaxSpec(num_q_heads=1, q_len=3, kv_len=2))(scores=masked)
    np.testing.assert_array_equal(weights[0, 0], [[0, 0], [1, 0], [0.5, 0.5]])


def test_few_rows_of_weights_on_a_gpu():
    """Of 2 to 4 rows a KV head, which the compiler takes minutes for in bf16 if left alone."""
    sizes = {"num_q_heads": 6, "num_kv_heads": 2, "q_len": 1, "kv_len": 32, "head_dim": 48}
    spec = WeightedValuesSpec(**sizes, io_dtype="bf16")
    assert failed_cases(irattn.compile(spec, target="gfx1100")) == []


def test_values_of_the_next_head_are_not_read_on_gpus():
    """Where keys are no whole tile; a number times no weight hides that they are, NaN does not."""
    spec = WeightedValuesSpec(
        **SCORES | {"q_len": 2, "kv_len": 20}, num_kv_heads=2, head_dim=20, io_dtype="f16"
    )
    tensors = random_tensors(spec)
    tensors["value"][:, 1] = np.nan
    kernel = irattn.load(irattn.compile(spec, target="gfx1100"), device="emulator")
    output = kernel(**tensors)
    assert not np.isnan(output[:, :2]).any()
    assert np.isnan(output[:, 2:]).all()


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
        *(AttentionSpec(**PRODUCT, **features) for features in FEATURES.values()),
    ],
    ids=["full", "top_left", "short_kv", *FEATURES],
)
def test_the_stages_in_a_row_are_attention(spec):
    """In the reference, to the last digits of float64."""
    tensors = random_tensors(spec)
    found = None
    for stage in stages_of(spec):
        (found,) = reference(stage, arguments_of(stage, found, tensors))
    np.testing.assert_allclose(found, reference(spec, tensors)[0], atol=1e-14)


@pytest.mark.usefixtures("compiled_together")
@pytest.mark.parametrize(("io_dtype", "element"), [("f32", np.float32), ("bf16", bfloat16)])
def test_the_stages_treat_extreme_numbers_as_the_whole_kernel_does(io_dtype, element):
    spec = AttentionSpec(**{**EXTREME, "io_dtype": io_dtype})
    tensors = random_tensors(spec)
    bias = np.zeros((6, 7), element)
    least = ml_dtypes.finfo(element).min
    bias[0], bias[1], bias[2, 1:], bias[3, 2], bias[4, 6] = least, -INF, least, np.nan, np.nan
    bias[5, 0] = INF
    tensors["bias"] = bias[None, None]
    # Products with one infinity are infinite, and the cap bounds them.
    tensors["query"][0, 0, 4] = [INF, *[0] * 7]
    keep_mask = np.ones((1, 1, 6, 1), bool)
    keep_mask[..., 5, :] = False
    tensors["keep_mask"] = keep_mask
    output = irattn.run_stages(spec, tensors)["weighted_values"].astype(np.float32)
    whole = irattn.load(spec)(**tensors).astype(np.float32)
    near = {"rtol": 2e-2, "atol": 1e-2} if io_dtype == "bf16" else {"rtol": 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(output, whole, **near)
    np.testing.assert_allclose(output, reference(spec, tensors)[0], **near)
    assert not output[0, :, [1, 5]].any()
    assert np.isnan(output[0, :, 3]).all()
    assert output[0, :, [0, 2, 4]].all()


@pytest.mark.usefixtures("compiled_together")
def test_scores_after_each_step():
    """What ONNX's Attention gives by qk_matmul_output_mode 0 to 3, by its own formulas."""
    spec = SCORED
    tensors = random_tensors(spec)
    found = irattn.run_stages(spec, tensors)
    key = tensors["key"].astype(float).repeat(2, axis=1)
    scaled = tensors["query"].astype(float) @ key.swapaxes(-1, -2) * 8**-0.5
    capped = 0.5 * np.tanh(scaled / 0.5)
    attn_mask = np.where(tensors["keep_mask"], tensors["bias"].astype(float), -INF)
    attn_mask[..., ~np.tri(5, 7, 2, dtype=bool)] = -INF
    biased = capped + attn_mask
    with np.errstate(invalid="ignore"):
        weights = np.exp(biased - biased.max(axis=-1, keepdims=True))
        weights = np.nan_to_num(weights / weights.sum(axis=-1, keepdims=True))
    assert list(found) == [stage.op for stage in stages_of(spec)]
    for op, expected in (
        ("scale_scores", scaled),
        ("soft_cap_scores", capped),
        ("mask_scores", biased),
        ("softmax", weights),
    ):
        np.testing.assert_allclose(found[op], expected, rtol=1e-4, atol=1e-6, err_msg=op)


def test_tensors_that_stages_are_not_given_are_named():
    tensors = random_tensors(catalog.get("bias_tiny"))
    del tensors["bias"]
    with pytest.raises(ArgumentError, match="bias: missing"):
        irattn.run_stages("bias_tiny", tensors)
    with pytest.raises(UsageError, match="return_lse: the stages"):
        irattn.run_stages("lse_tiny", {})


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("attention_scores_base", 1),
        ("bias_scores_base", 1),
        ("softmax_base", 1),
        ("softmax_with_sinks_base", 1),
        ("weighted_values_base", 2),
    ],
)
def test_machine_code(target, name, count):
    found = kernels(catalog.get(name), target)
    assert len(found) == count
    is_product = name in ("attention_scores_base", "weighted_values_base")
    assert bool(matrix_instructions(found)) == is_product


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
            {"softmax_scale": 1e-31},
            "softmax_scale: expected 0, or a magnitude between 1e-30 and 1e30, got 1e-31",
        ),
        ("scale_scores", {"softmax_scale": None}, "softmax_scale: expected a number, got None"),
        (
            "causal_mask",
            {"alignment": "left"},
            "alignment: expected bottom_right or top_left, got 'left'",
        ),
        (
            "soft_cap_scores",
            {"logits_soft_cap": None},
            "logits_soft_cap: expected a number from 0.001 to 1e6, got None",
        ),
        (
            "soft_cap_scores",
            {"io_dtype": "f16"},
            "io_dtype: expected f32, the type of scores between stages, got 'f16'",
        ),
        (
            "bias_scores",
            {"bias": "kq"},
            "bias: expected some of the axes bhqk in this order (b batch, h head, q query, k key), "
            "got 'kq'",
        ),
        (
            "mask_scores",
            {"keep_mask": None},
            "keep_mask: expected some of the axes bhqk in this order (b batch, h head, q query, "
            "k key), got None",
        ),
        (
            "window_mask",
            {"window": (None, None)},
            "window: expected [left, right] with a limit on one side at least, got (None, None)",
        ),
        ("window_mask", {"window": 3}, "window: expected [left, right], got 3"),
        (
            "alibi_scores",
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


@pytest.mark.usefixtures("compiled_together")
@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_right_stages_pass(io_dtype):
    verdict = verify_stages(
        GraphRequest(WHOLE.replace(io_dtype=io_dtype), targets.get("cpu")), device="cpu"
    )
    assert verdict.passed, verdict
    assert verdict.first_difference is None
    stages = ["attention_scores", "scale_scores", "causal_mask", "softmax", "weighted_values"]
    assert [row.stage for row in verdict.rows] == [*stages, "attention"]


@pytest.mark.usefixtures("compiled_together")
@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
def test_right_stages_of_features_pass(features):
    spec = WHOLE.replace(causal=False).replace(**features)
    verdict = verify_stages(GraphRequest(spec, targets.get("cpu")), device="cpu")
    assert verdict.passed, verdict


def test_every_feature_has_its_place_in_the_row():
    stages = stages_of(AttentionSpec(**PRODUCT, **FEATURES["all"]))
    assert [stage.op for stage in stages] == [
        *("attention_scores", "scale_scores", "soft_cap_scores", "bias_scores", "alibi_scores"),
        *("causal_mask", "window_mask", "mask_scores", "softmax_with_sinks", "weighted_values"),
    ]


def break_stage(monkeypatch, op, old, new):
    """One op's graph is wrong, and compiled alone; the others are what others compile together."""
    render, alone = irattn.compiling.build.render, irattn.compiling.build.find_or_compile
    build_together(monkeypatch, COMPILED)
    together = irattn.compiling.build.find_or_compile

    def changed(request):
        text = render(request)
        assert request.spec.op != op or old in text
        return text.replace(old, new) if request.spec.op == op else text

    def built(request, store, **how):
        if request.spec.op == op:
            return alone(request, store, **how)
        return together(request, **how)

    monkeypatch.setattr(irattn.compiling.build, "render", changed)
    monkeypatch.setattr(irattn.compiling.build, "find_or_compile", built)


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
    verdict = verify_stages(GraphRequest(WHOLE, targets.get("cpu")), store=Store(tmp_path))
    assert verdict.first_difference == op
    rows = {row.stage: row for row in verdict.rows}
    assert [stage for stage, row in rows.items() if row.is_wrong] == [op]
    assert rows["attention"].passed


@pytest.mark.parametrize(
    ("op", "old", "new"),
    [
        ("soft_cap_scores", "%cap = arith.constant 0.5", "%cap = arith.constant 0.6"),
        ("bias_scores", "arith.addf %score", "arith.maximumf %score"),
        ("alibi_scores", "arith.subf %score", "arith.addf %score"),
        ("causal_mask", "arith.cmpi sle", "arith.cmpi slt"),
        ("window_mask", "arith.cmpi sge", "arith.cmpi sgt"),
        ("mask_scores", "%score, %minus_inf", "%minus_inf, %score"),
        ("softmax_with_sinks", "%sum_of_keys, %sink_weight", "%sum_of_keys, %zero"),
    ],
)
def test_the_feature_that_is_wrong_is_named(monkeypatch, tmp_path, op, old, new):
    break_stage(monkeypatch, op, old, new)
    spec = WHOLE.replace(**FEATURES["all"])
    verdict = verify_stages(GraphRequest(spec, targets.get("cpu")), store=Store(tmp_path))
    assert verdict.first_difference == op
    assert [row.stage for row in verdict.rows if row.is_wrong] == [op]


def test_a_wrong_whole_kernel_is_told_from_its_stages(monkeypatch, tmp_path):
    break_stage(monkeypatch, "attention", "%mean_any = arith.mulf", "%mean_any = arith.addf")
    verdict = verify_stages(GraphRequest(WHOLE, targets.get("cpu")), store=Store(tmp_path))
    assert verdict.first_difference == "attention"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "dynamic_causal_tiny",
            "dynamic: the stages of attention have no word for it, got ('q_len', 'kv_len')",
        ),
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


@pytest.mark.usefixtures("compiled_together")
def test_the_command():
    text = run("gqa_causal_tiny").stdout
    assert "weighted_values   f32 [1, 4, 32, 32]" in text
    assert "no difference beyond the tolerances\nran cpu code on device local-sync\n" in text
    (found,) = json.loads(run("gqa_decode_tiny", "--set", "causal=false", "--json").stdout)
    stages = ["attention_scores", "scale_scores", "softmax", "weighted_values", "attention"]
    assert [row["stage"] for row in found["stages"]] == stages
    assert (found["passed"], found["first_difference"]) == (True, None)
    assert found["stages"][0]["output"]["shape"] == [1, 4, 1, 32]


@pytest.mark.usefixtures("compiled_together")
@pytest.mark.parametrize(
    ("name", "op"),
    [
        ("soft_cap_tiny", "soft_cap_scores"),
        ("bias_tiny", "bias_scores"),
        ("keep_mask_tiny", "mask_scores"),
        ("alibi_tiny", "alibi_scores"),
        ("window_tiny", "window_mask"),
        ("sinks_tiny", "softmax_with_sinks"),
    ],
)
def test_the_command_takes_features_apart(name, op):
    (found,) = json.loads(run(name, "--json").stdout)
    assert op in [row["stage"] for row in found["stages"]]
    assert (found["passed"], found["first_difference"]) == (True, None)


def test_the_command_names_the_stage_that_is_wrong(monkeypatch, tmp_path):
    break_stage(monkeypatch, "softmax", "divf %weight, %total", "divf %weight, %best")
    args = ("gqa_causal_tiny", "--store", tmp_path)
    text = run(*args, code=1).stdout
    assert "\nfirst difference: softmax\n" in text
    (line,) = (line for line in text.splitlines() if line.startswith("weighted_values"))
    assert line.endswith("FAILED: by what it was given")
    (found,) = json.loads(run(*args, "--json", code=1).stdout)
    assert found["first_difference"] == "softmax"


def test_the_command_refuses_what_it_cannot_take_apart(tmp_path):
    assert "return_lse: the stages" in run("lse_tiny", code=2).stderr
    assert "--stages: expected names of contiguous attention, got none" in run(code=2).stderr
    folder = irattn.compile("mha_full_tiny", target="cpu", out=tmp_path).path
    assert "verified as they are" in run(folder, code=2).stderr
