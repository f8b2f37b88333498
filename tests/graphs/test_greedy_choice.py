"""Logits to the likeliest token, as NumPy's argmax takes it."""

import numpy as np
import pytest

import irattn
from irattn import GreedyChoiceSpec
from irattn.compiling import catalog
from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import cases_for
from irattn.lab.verification.accuracy import measured, strain
from irattn.runtime import transfers
from support.joined import together

SPEC = GreedyChoiceSpec(batch=3, q_len=2, vocab_size=37, io_dtype="f32")
COMPILED = together(
    spec.replace(io_dtype=io_dtype)
    for io_dtype in ("f32", "f16", "bf16")
    for spec in (
        SPEC,
        SPEC.replace(dynamic=("batch",)),
        SPEC.replace(q_len=1, vocab_size=1),
        # Of several parts, and with nothing to fill up.
        SPEC.replace(batch=1, vocab_size=1500, dynamic=()),
        SPEC.replace(batch=1, q_len=1, vocab_size=2**15),
    )
)
IDS = [str(one) for one in COMPILED]


@pytest.mark.slow
@pytest.mark.parametrize("one", COMPILED, ids=IDS)
def test_compiled_code_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict
    assert verdict.accuracy.max_abs == 0


@pytest.mark.slow
@pytest.mark.parametrize("one", COMPILED[::5], ids=IDS[::5])
def test_what_numpy_says_of_all_pairs_of_odd_numbers(one):
    """Equal ones, zeros of both signs, infinities, NaN of both signs, and numbers below normal."""
    element = dtype(one.graph.spec.io_dtype)
    tiny = element.smallest_normal / 4
    odd = [-np.inf, -3.5, -tiny, -0.0, 0.0, tiny, 2 * tiny, 1.0, 3.5, np.inf, np.nan, -np.nan]
    pairs = np.array([(a, b) for a in odd for b in odd]).astype(element.numpy)
    kernel = one.load()
    for first, second in ((0, 36), (17, 18)):
        for rows in pairs.reshape(-1, 3, 2, 2):
            logits = np.full((3, 2, 37), -np.inf, element.numpy)
            logits[..., [first, second]] = rows
            expected = logits.astype(np.float64).argmax(axis=-1)
            np.testing.assert_array_equal(kernel(logits=logits), expected)


def test_a_choice_is_verified_with_negative_logits_alone():
    (case,) = (case for case in cases_for(SPEC) if case.name == "negative_logits")
    assert case.tensors(SPEC)["logits"].max() < 0
    assert "negative_logits" not in {case.name for case in cases_for(catalog.get("rms_norm_tiny"))}


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_rows_of_negative_logits_on_a_gpu(target):
    """The compiler begins the largest of numbers with a sign with 0, which is larger than all."""
    kernel = irattn.load(SPEC, target=target, device="emulator")
    logits = -1 - np.random.default_rng(0).random((3, 2, 37), dtype=np.float32)
    logits[0, 0], logits[0, 1, 5:7], logits[1, 0] = -np.inf, np.nan, -1
    np.testing.assert_array_equal(kernel(logits=logits), logits.argmax(axis=-1))


def test_the_first_of_equal_logits_in_different_parts():
    kernel = COMPILED[3].load()
    for low in (-np.inf, -5.0):
        for places in ([1023, 1024], [1024, 1499], [5, 1400], [1499], list(range(1500))):
            logits = np.full((1, 2, 1500), low, np.float32)
            logits[..., places] = -1.0
            np.testing.assert_array_equal(kernel(logits=logits), [[places[0]] * 2])


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_machine_code_searches_in_parts(target):
    """Of what a GPU's waves find in parts, the first that is largest."""
    spec = GreedyChoiceSpec(batch=2, q_len=1, vocab_size=1500, dynamic=("batch",))
    logits = np.random.default_rng(0).standard_normal((2, 1, 1500)).astype(np.float16)
    logits[0, 0, [7, 1030]], logits[1, 0, [1029, 1499]] = 9, np.nan
    kernel = irattn.load(spec, target=target, device="emulator")
    np.testing.assert_array_equal(kernel(logits=logits), [[7], [1029]])


def test_any_batch_of_one_artifact():
    kernel = COMPILED[1].load()
    rng = np.random.default_rng(3)
    for batch in (1, 2, 3):
        logits = rng.integers(0, 9, (batch, 2, 37)).astype(np.float32)
        tokens = kernel(logits=logits)
        assert (tokens.dtype, tokens.shape) == (np.int32, (batch, 2))
        np.testing.assert_array_equal(tokens, logits.argmax(-1))
    with pytest.raises(ArgumentError, match=r"logits: expected f32 \[1 <= batch <= 3, 2, 37\]"):
        kernel(logits=np.zeros((4, 2, 37), np.float32))


def test_tokens_feed_the_embedding_where_they_are(monkeypatch):
    """Nothing reads them to check them: a choice among 37 is none of more."""
    monkeypatch.setattr("irattn.runtime.arguments.on_host", pytest.fail)
    spec = irattn.EmbeddingSpec(batch=3, q_len=2, vocab_size=37, hidden_size=2, io_dtype="f32")
    weight = np.arange(74, dtype=np.float32).reshape(37, 2)
    embed, choose = irattn.load(spec).bind(weight=weight), COMPILED[0].load()
    logits = np.random.default_rng(1).standard_normal((3, 2, 37), np.float32)
    on_device = irattn.DeviceArray.from_numpy(logits, choose.device)
    before = transfers()
    hidden = embed(token_ids=choose(logits=on_device))
    assert transfers() == before
    np.testing.assert_array_equal(hidden.to_numpy(), weight[logits.argmax(-1)])


def test_a_wrong_integer_is_found():
    """Integers have no tolerance: they are right, or wrong beyond all bounds."""
    (tokens,) = SPEC.outputs
    right = np.ones((3, 2), np.int32)
    assert strain(measured(right, right.astype(np.float64), tokens)) == 0
    assert strain(measured(right + 1, right.astype(np.float64), tokens)) == float("inf")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocab_size": 0}, "vocab_size: expected a whole number of at least 1, got 0"),
        ({"dynamic": ("q_len",)}, "dynamic: greedy_choice takes batch, got 'q_len'"),
    ],
)
def test_impossible_values_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        SPEC.replace(**changes)
