"""The reference against cases small enough to work out by hand."""

import numpy as np
import pytest

from irattn import AttentionBackwardSpec, AttentionSpec, PagedAttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference


def test_two_keys_by_hand():
    """Logits 0 and ln 3 give weights 1/4 and 3/4."""
    spec = AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=1, kv_len=2, head_dim=1, value_dim=2, softmax_scale=2.0
    )
    (output,) = reference(
        spec,
        {
            "query": np.array([[[[1.0]]]]),
            "key": np.array([[[[0.0], [np.log(3) / 2]]]]),
            "value": np.array([[[[4.0, 0.0], [8.0, 4.0]]]]),
        },
    )
    np.testing.assert_allclose(output, [[[[7.0, 3.0]]]], rtol=1e-15)


@pytest.mark.parametrize(
    ("q_len", "kv_len", "expected"),
    [
        # Equal logits: row i is the mean of values 0 to i + kv_len - q_len, here 0, 1, 2, ….
        (3, 3, [0.0, 0.5, 1.0]),
        (2, 4, [1.0, 1.5]),
        (4, 2, [0.0, 0.0, 0.0, 0.5]),
    ],
)
def test_causal_is_aligned_at_the_bottom_right(q_len, kv_len, expected):
    spec = AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=q_len, kv_len=kv_len, head_dim=1, causal=True
    )
    (output,) = reference(
        spec,
        {
            "query": np.zeros((1, 1, q_len, 1)),
            "key": np.ones((1, 1, kv_len, 1)),
            "value": np.arange(kv_len, dtype=float).reshape(1, 1, kv_len, 1),
        },
    )
    np.testing.assert_array_equal(output[0, 0, :, 0], expected)


def test_groups_are_consecutive():
    """Query heads 0 and 1 read KV head 0, heads 2 and 3 read KV head 1."""
    spec = AttentionSpec(num_q_heads=4, num_kv_heads=2, q_len=1, kv_len=1, head_dim=1)
    (output,) = reference(
        spec,
        {
            "query": np.ones((1, 4, 1, 1)),
            "key": np.ones((1, 2, 1, 1)),
            "value": np.array([5.0, 7.0]).reshape(1, 2, 1, 1),
        },
    )
    np.testing.assert_array_equal(output.ravel(), [5, 5, 7, 7])


def test_pages_are_read_through_the_table():
    """Block 2 holds tokens 0 and 1, block 0 holds token 2; the rest must not count."""
    spec = PagedAttentionSpec(
        num_q_heads=1,
        num_kv_heads=1,
        q_len=2,
        head_dim=1,
        block_size=2,
        num_blocks=3,
        max_blocks=2,
    )
    cache = np.array([[3.0, 1000.0], [1000.0, 1000.0], [1.0, 2.0]]).reshape(3, 1, 2, 1)
    (output,) = reference(
        spec,
        {
            "query": np.zeros((1, 1, 2, 1)),
            "key_cache": np.ones((3, 1, 2, 1)),
            "value_cache": cache,
            "block_table": np.array([[2, 0]]),
            "context_lens": np.array([3]),
        },
    )
    # Row 0 stands at token 1 and sees 1, 2; row 1 stands at token 2 and sees 1, 2, 3.
    np.testing.assert_array_equal(output.ravel(), [1.5, 2.0])


def test_what_no_query_sees_counts_for_nothing():
    """Kernels read no page before a window: what stands there, NaN too, is nobody's."""
    sizes = {"num_q_heads": 2, "num_kv_heads": 1, "head_dim": 8, "io_dtype": "f32", "batch": 1}
    spec = PagedAttentionSpec(
        **sizes, q_len=2, block_size=4, num_blocks=5, max_blocks=4, window=(3, 0), return_lse=True
    )
    tensors = random_tensors(spec)
    tensors["context_lens"][:] = 15
    expected = reference(spec, tensors)
    hidden, last = tensors["block_table"][0, :2], tensors["block_table"][0, 3]
    for name in ("key_cache", "value_cache"):
        tensors[name][hidden] = np.nan
    for found, exact in zip(reference(spec, tensors), expected, strict=True):
        np.testing.assert_array_equal(found, exact)
    # Seen by the last query, not by the one before.
    tensors["value_cache"][last, :, 2, 0] = np.inf
    output = reference(spec, tensors)[0]
    assert np.isinf(output[0, :, 1, 0]).all()
    assert np.isfinite(output[0, :, 0]).all()


def test_what_no_query_sees_has_no_part_in_gradients():
    sizes = {"num_q_heads": 2, "num_kv_heads": 1, "head_dim": 8, "io_dtype": "f32", "batch": 1}
    spec = AttentionBackwardSpec(**sizes, q_len=3, kv_len=6, causal=True, window=(1, 0))
    tensors = random_tensors(spec)
    expected = reference(spec, tensors)
    for name in ("key", "value"):
        tensors[name][:, :, :2] = np.nan
    for found, exact in zip(reference(spec, tensors), expected, strict=True):
        np.testing.assert_array_equal(found, exact)
    # A query is of those keys alone that it sees: the last sees the last two.
    tensors["query"][:, :, 2] = np.nan
    _of_query, of_key, of_value = reference(spec, tensors)
    assert np.isnan(of_key[0, 0, 4:]).all()
    assert np.isfinite(of_key[0, 0, :4]).all()
    assert np.isfinite(of_value[0, 0, :4]).all()


def test_a_query_whose_log_sum_exp_is_nan_makes_gradients_nan():
    """As autograd has it: none is swallowed as that of a query which sees nothing."""
    sizes = {"num_q_heads": 2, "num_kv_heads": 1, "head_dim": 8, "io_dtype": "f32", "batch": 1}
    spec = AttentionBackwardSpec(**sizes, q_len=3, kv_len=6, bias="k", sinks=True)
    tensors = random_tensors(spec)
    tensors["lse"][0, 0, 1] = np.nan
    of_query, *others, of_sinks = reference(spec, tensors)
    assert np.isnan(of_query[0, 0, 1]).all()
    assert np.isfinite(of_query[0, 0, ::2]).all()
    assert all(np.isnan(one).all() for one in others)
    assert np.isnan(of_sinks).tolist() == [True, False]
