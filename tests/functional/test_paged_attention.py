"""`irattn.paged_attention`: what it computes, of which arrays, and what it refuses."""

import numpy as np
import pytest

import irattn
from irattn import DeviceArray, PagedAttentionSpec
from irattn.core.dtypes import dtype, dtype_name
from irattn.core.errors import ArgumentError, SpecError
from irattn.reference import reference
from support.joined import build_together

slow = pytest.mark.slow

# What calls below need. One that is missing here is compiled alone.
CALLED = PagedAttentionSpec(
    batch=8, num_q_heads=4, num_kv_heads=2, q_len=1024, head_dim=16, value_dim=8, block_size=4,
    num_blocks=1024, max_blocks=64, io_dtype="f32",
    dynamic=("batch", "q_len", "num_blocks", "max_blocks"),
)  # fmt: skip
STATIC = CALLED.replace(batch=2, num_blocks=6, max_blocks=3, dynamic=())
POLICIES = [
    CALLED,
    CALLED.replace(q_len=1, dynamic=("batch", "num_blocks", "max_blocks")),
    *(STATIC.replace(q_len=q_len) for q_len in (1, 3)),
    *(STATIC.replace(q_len=q_len, max_blocks=4, ragged=True) for q_len in (1, 4)),
]


@pytest.fixture(scope="module", autouse=True)
def compiled_together():
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, POLICIES)
        yield


def call(q_len=3, element=np.float32, integer=np.int64):
    """A query over two sequences, one of which has an entry past its context."""
    rng = np.random.default_rng(q_len)
    query = rng.standard_normal((2, 4, q_len, 16)).astype(element)
    key_cache = rng.standard_normal((6, 2, 4, 16)).astype(element)
    value_cache = rng.standard_normal((6, 2, 4, 8)).astype(element)
    table = np.array([[0, 2, 4], [5, 1, -1]], integer)
    return query, key_cache, value_cache, table, np.array([11, 7], integer)


def meant(query, key_cache, value_cache, table, lengths, q_lens=None, **fields):
    names = ("query", "key_cache", "value_cache", "block_table", "context_lens")
    tensors = dict(zip(names, (query, key_cache, value_cache, table, lengths), strict=True))
    spec = PagedAttentionSpec(
        batch=2, num_q_heads=4, num_kv_heads=2, q_len=query.shape[2], head_dim=16, value_dim=8,
        num_blocks=6, block_size=4, max_blocks=3, io_dtype=dtype_name(query.dtype),
        ragged=q_lens is not None, **fields,
    )  # fmt: skip
    return reference(spec, tensors if q_lens is None else {**tensors, "q_lens": q_lens})


def assert_is(found, expected, element="f32"):
    error = np.linalg.norm(found.astype(np.float64) - expected)
    assert found.shape == expected.shape
    assert error <= dtype(element).tolerance * np.linalg.norm(expected)


@slow
@pytest.mark.parametrize("policy", ["power_of_two", "exact", {"q_len": (1, 4), "max_blocks": (4,)}])
@pytest.mark.parametrize("q_len", [1, 3])
def test_decode_and_prefill_under_every_policy(q_len, policy):
    given = call(q_len)
    assert_is(irattn.paged_attention(*given, policy=policy), meant(*given)[0])


@slow
def test_options_are_the_specs():
    given, q_lens = call(), np.array([3, 1])
    options = {"window": (5, None), "logits_soft_cap": 2.0}
    output, lse = irattn.paged_attention(
        *given, q_lens=q_lens, **options, scale=0.3, return_lse=True
    )
    expected = meant(*given, q_lens, **options, softmax_scale=0.3, return_lse=True)
    assert_is(output, expected[0])
    seen = np.isfinite(expected[1])
    np.testing.assert_allclose(lse[seen], expected[1][seen], atol=1e-5)


@slow
def test_a_cache_on_the_device_stays_there():
    given = call(1, np.float16, np.int32)
    there = [DeviceArray.from_numpy(array) for array in given]
    irattn.paged_attention(*there, policy="exact")
    before = irattn.transfers()
    output = irattn.paged_attention(*there, policy="exact")
    assert irattn.transfers() == before
    assert isinstance(output, DeviceArray)
    assert_is(output.to_numpy(), meant(*given)[0], "f16")


@slow
def test_wrong_ids_and_lengths_are_refused_before_the_call():
    query, keys, values, table, lengths = call()
    wrong = np.array([[0, 4000, 4], [5, 1, -1]])
    with pytest.raises(ArgumentError, match=r"block_table\[0, 1\]: .* from 0 to 5, got 4000"):
        irattn.paged_attention(query, keys, values, wrong, lengths)
    with pytest.raises(ArgumentError, match=r"context_lens\[1\]: expected 0 to .*, got -1"):
        irattn.paged_attention(query, keys, values, table, np.array([11, -1]))


Q, K, V, TABLE, LENGTHS = call()
REFUSED = {
    "query: expected [batch, num_q_heads, q_len, head_dim], got [4, 3, 16]": (Q[0], K, V),
    "key_cache: expected f32 as query, got f16": (Q, K.astype(np.float16), V),
    "value_cache: expected an array": (Q, K, None),
    "key_cache: expected head_dim 16 as in query [2, 4, 0, 16], got [6, 2, 4, 8]": (
        Q[:, :, :0], V, V),
    "context_lens[0]: expected 0, got 11": (Q, K[:0], V[:0]),
    "num_kv_heads: expected a divisor of num_q_heads = 3, got 2": (Q[:, :3], K, V),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused(message):
    with pytest.raises((ArgumentError, SpecError)) as caught:
        irattn.paged_attention(*REFUSED[message], TABLE, LENGTHS)
    assert str(caught.value).startswith(message)


NOTHING = np.zeros(2, int)
SINKS = np.arange(4, dtype=np.float32)


@pytest.mark.parametrize(
    "given",
    [
        (Q[:, :, :0], K, V, TABLE, LENGTHS),
        (Q[:0], K, V, TABLE[:0], LENGTHS[:0]),
        (Q, K[:0], V[:0], TABLE, NOTHING),
        (Q, K, V, TABLE[:, :0], NOTHING),
        (Q, K[:, :, :0], V[:, :, :0], TABLE, NOTHING),
    ],
)
def test_any_size_may_be_0(given):
    """No query, or none that sees a key: zeros, and each head's sink, or -inf, as the lse."""
    shape = given[0].shape[:3]
    for sinks in (None, SINKS):
        output, lse = irattn.paged_attention(*given, sinks=sinks, return_lse=True)
        assert (output.shape, output.dtype) == ((*shape, 8), np.float32)
        assert not output.any()
        expected = np.full(4, -np.inf) if sinks is None else sinks
        assert np.array_equal(lse, np.broadcast_to(expected[:, None], shape))


@slow
def test_no_columns_are_logits_of_0():
    """Without columns of keys weights are all alike, and without values they are there."""
    lengths = np.array([12, 12])
    table = np.array([[0, 2, 4], [5, 1, 3]])
    output = irattn.paged_attention(Q[..., :0], K[..., :0], V, table, lengths, is_causal=False)
    mean = V[table].transpose(0, 2, 1, 3, 4).reshape(2, 2, 12, 8).mean(2)
    np.testing.assert_allclose(output, np.repeat(mean, 2, 1)[:, :, None].repeat(3, 2), atol=1e-5)
    nothing, lse = irattn.paged_attention(Q, K, V[..., :0], TABLE, LENGTHS, return_lse=True)
    _, expected = irattn.paged_attention(*call(), return_lse=True)
    assert nothing.shape == (2, 4, 3, 0)
    np.testing.assert_allclose(lse, expected, atol=1e-5)
