"""Token ids to hidden states, and hidden states to logits."""

import numpy as np
import pytest

import irattn
from irattn import EmbeddingSpec, LmHeadSpec
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.joined import together
from support.machine_code import kernels, matrix_instructions

pytestmark = pytest.mark.slow

EMBEDDING = EmbeddingSpec(batch=2, q_len=7, vocab_size=12, hidden_size=33, io_dtype="f32")
HEAD = LmHeadSpec(batch=2, q_len=5, hidden_size=24, vocab_size=37, io_dtype="f32")


def test_rows_by_hand():
    spec = EMBEDDING.replace(batch=1, q_len=3, vocab_size=3, hidden_size=2, scale=10.0)
    weight = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
    tensors = {"token_ids": np.array([[2, 0, 2]], np.int32), "weight": weight}
    expected = [[[50, 60], [10, 20], [50, 60]]]
    np.testing.assert_array_equal(reference(spec, tensors)[0], expected)
    np.testing.assert_array_equal(irattn.load(spec, target="cpu")(**tensors), expected)


def test_logits_by_hand():
    spec = HEAD.replace(batch=1, q_len=1, hidden_size=2, vocab_size=3)
    weight = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
    tensors = {"hidden": np.array([[[3.0, 4.0]]]), "weight": weight}
    np.testing.assert_array_equal(reference(spec, tensors)[0], [[[3, 4, -1]]])
    (capped,) = reference(spec.replace(logits_soft_cap=2.0), tensors)
    np.testing.assert_allclose(capped, [[2 * np.tanh([1.5, 2.0, -0.5])]])
    shifted = {**tensors, "bias": np.array([1.0, 0.0, 3.0])}
    (logits,) = reference(spec.replace(scale=0.5, has_bias=True), shifted)
    np.testing.assert_array_equal(logits, [[[2, 2, 1]]])


COMPILED = together(
    spec.replace(io_dtype=io_dtype)
    for io_dtype in ("f32", "f16", "bf16")
    for spec in (
        EMBEDDING,
        EMBEDDING.replace(scale=5.75),
        EMBEDDING.replace(batch=1, q_len=1, vocab_size=1),
        HEAD,
        HEAD.replace(batch=1, q_len=1),
        HEAD.replace(q_len=33, hidden_size=77, vocab_size=101, logits_soft_cap=3.0),
        HEAD.replace(scale=0.25, has_bias=True),
    )
)


@pytest.mark.parametrize("one", COMPILED, ids=str)
def test_compiled_code_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("wrong", [-1, 12, 2**40])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_ids_outside_of_the_vocabulary_are_refused(wrong, kind):
    if wrong > np.iinfo(kind).max:
        return
    tensors = random_tensors(EMBEDDING)
    ids = tensors["token_ids"].astype(kind)
    ids[1, 3] = wrong
    embed = irattn.load(EMBEDDING, target="cpu")
    with pytest.raises(ArgumentError) as caught:
        embed(token_ids=ids, weight=tensors["weight"])
    assert str(caught.value) == f"token_ids[1, 3]: expected 0 to 11, got {wrong}"


def test_random_ids_reach_both_ends_of_the_vocabulary():
    ids = random_tensors(catalog.get("embedding_tiny"))["token_ids"]
    assert (ids.min(), ids.max()) == (0, 96)
    assert len(np.unique(ids)) > 20


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_logits_of_a_prompt_have_matrix_instructions(target):
    (kernel,) = kernels(catalog.get("lm_head_base").replace(q_len=64, logits_soft_cap=30.0), target)
    assert matrix_instructions((kernel,)) >= 16
    assert kernel.scratch_bytes == 0


@pytest.mark.parametrize(
    ("spec", "changes", "message"),
    [
        (EMBEDDING, {"vocab_size": 0}, "vocab_size: expected a whole number of at least 1, got 0"),
        (EMBEDDING, {"scale": 0}, "scale: expected a number from 1e-6 to 1e6, got 0"),
        (EMBEDDING, {"scale": True}, "scale: expected a number from 1e-6 to 1e6, got True"),
        (EMBEDDING, {"scale": None}, "scale: expected a number from 1e-6 to 1e6, got None"),
        (HEAD, {"vocab_size": 2.5}, "vocab_size: expected a whole number of at least 1, got 2.5"),
        (HEAD, {"logits_soft_cap": -1}, "logits_soft_cap: expected a number from 0.001 to 1e6,"),
    ],
)
def test_impossible_values_are_refused(spec, changes, message):
    with pytest.raises(SpecError, match=message):
        spec.replace(**changes)


def test_equal_values_are_equal_specs():
    assert EMBEDDING.replace(scale=np.float32(4)).to_json() == EMBEDDING.replace(scale=4).to_json()
    assert HEAD.replace(logits_soft_cap=0).to_json() == HEAD.to_json()
