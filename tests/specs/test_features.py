"""What features mean, worked out by hand: where libraries disagree, this is what irattn does."""

import numpy as np
import pytest

from irattn import (
    AttentionSpec,
    PackedAttentionSpec,
    PackedPagedAttentionSpec,
    PackedPagedUpdateAttentionSpec,
)
from irattn.core.errors import ArgumentError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

BOUNDS = ("cu_seqlens_q", "cu_seqlens_k")
ROW = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=1, kv_len=2, head_dim=1, softmax_scale=1.0)


def attend(spec, logits, **features):
    """Attention whose raw logits are given: one query of 1, keys as logits, values 1, 2, 3, …."""
    tensors = {
        "query": np.ones((1, 1, spec.q_len, 1)),
        "key": np.array(logits, float).reshape(1, 1, -1, 1),
        "value": np.arange(1.0, spec.kv_len + 1).reshape(1, 1, -1, 1),
        **{name: np.array(value) for name, value in features.items()},
    }
    output, *lse = reference(spec, tensors)
    return (output.ravel(), *(array.ravel() for array in lse))


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        # Equal logits: the mean of the values seen, 1 to 5. Query i stands at token i.
        ((0, 0), [1, 2, 3, 4, 5]),
        ((1, 0), [1, 1.5, 2.5, 3.5, 4.5]),
        ((None, 0), [1, 1.5, 2, 2.5, 3]),
        ((0, None), [3, 3.5, 4, 4.5, 5]),
        ((1, 1), [1.5, 2, 3, 4, 4.5]),
    ],
)
def test_a_window_counts_tokens_besides_its_own(window, expected):
    spec = ROW.replace(q_len=5, kv_len=5, window=window)
    np.testing.assert_allclose(attend(spec, [0] * 5)[0], expected)


def test_a_window_follows_the_alignment():
    spec = ROW.replace(q_len=2, kv_len=4, window=(0, 0))
    np.testing.assert_allclose(attend(spec, [0] * 4)[0], [3, 4])
    np.testing.assert_allclose(attend(spec.replace(alignment="top_left"), [0] * 4)[0], [1, 2])


def test_the_cap_comes_before_the_bias():
    """A capped logit stays below 1; the bias of ln 3 is added whole."""
    spec = ROW.replace(logits_soft_cap=1.0, bias="k", return_lse=True)
    output, lse = attend(spec, [1000, 1000], bias=[[[[0.0, np.log(3)]]]])
    np.testing.assert_allclose(output, [1 / 4 + 2 * 3 / 4])
    np.testing.assert_allclose(lse, [1 + np.log(4)])


def test_the_cap_comes_before_the_mask():
    spec = ROW.replace(logits_soft_cap=1.0, keep_mask="k")
    np.testing.assert_allclose(attend(spec, [5, 5], keep_mask=[[[[False, True]]]])[0], [2])


def test_a_sink_is_a_key_without_value():
    spec = ROW.replace(sinks=True, return_lse=True, logits_soft_cap=1.0, softmax_scale=0.5)
    output, lse = attend(spec, [0, 0], sinks=[np.log(2)])
    np.testing.assert_allclose(output, [(1 + 2) / 4])
    np.testing.assert_allclose(lse, [np.log(4)])


def test_a_query_that_sees_nothing():
    spec = ROW.replace(keep_mask="k", return_lse=True)
    nothing = [[[[False, False]]]]
    output, lse = attend(spec, [3, 4], keep_mask=nothing)
    assert (output, lse) == (0, -np.inf)
    output, lse = attend(spec.replace(sinks=True), [3, 4], keep_mask=nothing, sinks=[2.5])
    assert (output, lse) == (0, 2.5)


def test_a_bias_of_minus_infinity_hides_the_key():
    spec = ROW.replace(bias="k")
    np.testing.assert_array_equal(attend(spec, [9, 0], bias=[[[[-np.inf, 0.0]]]])[0], [2])


def test_alibi_falls_with_the_distance():
    """Slope ln 2: a token one further away weighs half as much, on both sides."""
    spec = ROW.replace(q_len=3, kv_len=3, alibi=True)
    weights = np.array([[4, 2, 1], [1, 2, 1], [1, 2, 4]])
    expected = weights @ [1, 2, 3] / weights.sum(axis=1)
    np.testing.assert_allclose(attend(spec, [0] * 3, alibi_slopes=[np.log(2)])[0], expected)


def test_padding_of_a_ragged_batch_gives_zeros():
    """Two queries and three keys are real; the last query stands at the last real key."""
    spec = ROW.replace(q_len=3, kv_len=4, causal=True, ragged=True)
    output = attend(spec, [0] * 4, q_lens=[2], context_lens=[3])[0]
    np.testing.assert_allclose(output, [1.5, 2, 0])


def test_packed_sequences_do_not_see_each_other():
    """Sequences of 2 and 1 queries, 2 and 2 keys; the last query token is padding."""
    spec = PackedAttentionSpec(
        batch=2, num_q_heads=1, num_kv_heads=1, q_tokens=4, kv_tokens=4, head_dim=1, causal=True
    )
    (output,) = reference(
        spec,
        {
            "query": np.zeros((4, 1, 1)),
            "key": np.zeros((4, 1, 1)),
            "value": np.array([1.0, 2.0, 30.0, 40.0]).reshape(4, 1, 1),
            "cu_seqlens_q": np.array([0, 2, 3]),
            "cu_seqlens_k": np.array([0, 2, 4]),
        },
    )
    np.testing.assert_allclose(output.ravel(), [1, 1.5, 35, 0])


def test_packed_queries_over_pages_see_their_own_context():
    """Two queries of a sequence of three tokens, one of a sequence of two, and a padding token."""
    spec = PackedPagedAttentionSpec(
        batch=2, num_q_heads=1, num_kv_heads=1, q_tokens=4, head_dim=1, block_size=2, num_blocks=3,
        max_blocks=2, return_lse=True,
    )  # fmt: skip
    values = np.array([[10.0, np.nan], [1.0, 2.0], [20.0, 30.0]])
    output, lse = reference(
        spec,
        {
            "query": np.zeros((4, 1, 1)),
            "key_cache": np.zeros((3, 1, 2, 1)),
            "value_cache": values.reshape(3, 1, 2, 1),
            "cu_seqlens_q": np.array([0, 2, 3]),
            "block_table": np.array([[1, 0], [2, -1]]),
            "context_lens": np.array([3, 2]),
        },
    )
    np.testing.assert_allclose(output.ravel(), [1.5, 13 / 3, 25, 0])
    np.testing.assert_allclose(lse.ravel(), [np.log(2), np.log(3), np.log(2), -np.inf])


def test_packed_new_tokens_are_written_before_queries_attend():
    spec = PackedPagedUpdateAttentionSpec(
        batch=2, num_q_heads=1, num_kv_heads=1, q_tokens=3, head_dim=1, block_size=2, num_blocks=2,
        max_blocks=1,
    )  # fmt: skip
    output, keys, values = reference(
        spec,
        {
            "query": np.zeros((3, 1, 1)),
            "key": np.zeros((3, 1, 1)),
            "value": np.array([1.0, 2.0, 40.0]).reshape(3, 1, 1),
            "slot_mapping": np.array([2, 3, 1]),
            "key_cache": np.zeros((2, 1, 2, 1)),
            "value_cache": np.array([[20.0, 0.0], [0.0, 0.0]]).reshape(2, 1, 2, 1),
            "cu_seqlens_q": np.array([0, 2, 3]),
            "block_table": np.array([[1], [0]]),
            "context_lens": np.array([2, 2]),
        },
    )
    np.testing.assert_allclose(output.ravel(), [1, 1.5, 30])
    np.testing.assert_allclose(values.ravel(), [20, 40, 1, 2])
    np.testing.assert_allclose(keys, 0)


def test_a_call_of_packed_sequences_says_how_many_there_are():
    """The bounds of sequences are one more than these, which other tensors may say too."""
    spec = PackedPagedAttentionSpec(
        batch=8, num_q_heads=1, num_kv_heads=1, q_tokens=9, head_dim=1, num_blocks=4, max_blocks=2,
        dynamic=("batch",),
    )  # fmt: skip
    tensors = random_tensors(spec.replace(batch=3, dynamic=()))
    assert spec.of_call(tensors).batch == 3
    with pytest.raises(ArgumentError, match="cu_seqlens_q: expected 4 numbers, one more than seq"):
        spec.of_call({**tensors, "cu_seqlens_q": tensors["cu_seqlens_q"][:3]})
    packed = PackedAttentionSpec(
        batch=8, num_q_heads=1, num_kv_heads=1, q_tokens=9, kv_tokens=9, head_dim=1,
        dynamic=("batch",),
    )  # fmt: skip
    tensors = random_tensors(packed.replace(batch=2, dynamic=()))
    assert packed.of_call(tensors).batch == 2
    with pytest.raises(ArgumentError, match="cu_seqlens_q: expected 2 numbers, one more than seq"):
        packed.of_call({**tensors, **dict.fromkeys(BOUNDS, np.zeros(1, np.int32))})
