"""`irattn.sparse_paged_attention`: the blocks that are named, and nothing else."""

import numpy as np
import pytest

import irattn
from irattn.core.errors import ArgumentError

BLOCK, LENGTHS = 4, [18, 7]
# Of both KV heads of two sequences: the last block of the first context has two tokens, the third
# block of the other sequence none.
NAMED = np.array([[[4, 0, -1], [2, 1, 3]], [[1, -1, -1], [2, -1, -1]]])


def call():
    rng = np.random.default_rng(0)
    query = rng.standard_normal((2, 4, 1, 16), dtype=np.float32)
    caches = rng.standard_normal((2, 12, 2, BLOCK, 16), dtype=np.float32)
    table = np.array([[3, 7, 1, 0, 9, -1], [5, 2, 11, -1, -1, -1]])
    return query, *caches, NAMED, table, np.array(LENGTHS)


def meant(query, keys, values, named, table, lengths):
    output = np.zeros((2, 4, 1, 16))
    for b, head in np.ndindex(2, 4):
        kv_head = head // 2
        seen = [n for n in range(lengths[b]) if n // BLOCK in named[b, kv_head]]
        if seen:
            where = [(table[b, n // BLOCK], kv_head, n % BLOCK) for n in seen]
            key, value = (np.stack([cache[at] for at in where]) for cache in (keys, values))
            weights = np.exp(key @ query[b, head, 0] / 4)
            output[b, head, 0] = weights @ value / weights.sum()
    return output


def test_named_blocks_are_seen_and_no_others():
    query, keys, values, *where = call()
    expected = meant(query, keys, values, *where)
    assert not expected[1, 2:].any()
    for cache in (keys, values):
        named = [where[1][b, n] for b in range(2) for n in NAMED[b].ravel() if n >= 0]
        cache[np.setdiff1d(np.arange(12), named)] = np.nan
    output = irattn.sparse_paged_attention(query, keys, values, *where)
    np.testing.assert_allclose(output, expected, atol=1e-5)


def test_blocks_that_the_table_does_not_have_are_refused():
    query, keys, values, named, table, lengths = call()
    with pytest.raises(ArgumentError, match="block_table: expected ids of all blocks"):
        irattn.sparse_paged_attention(
            query, keys, values, named + (named == 0) * 5, table, lengths + 9
        )


@pytest.mark.parametrize(
    ("named", "why"),
    [
        (NAMED[:1], "blocks: expected .2, 2."),
        (NAMED + 3, "columns of block_table, from 0 to 5"),
        (np.zeros_like(NAMED), "each block once"),
        (NAMED * 1.0, "blocks: expected integers"),
    ],
)
def test_blocks_that_cannot_be_are_refused(named, why):
    query, keys, values, _, *where = call()
    with pytest.raises(ArgumentError, match=why):
        irattn.sparse_paged_attention(query, keys, values, named, *where)


def test_any_size_may_be_0():
    query, keys, values, named, table, lengths = call()
    nothing, nowhere = np.zeros_like(lengths), np.full_like(named, -1)
    for given in (
        (query, keys, values, named[:, :, :0], table, lengths),
        (query[:0], keys, values, named[:0], table[:0], lengths[:0]),
        (query, keys, values, nowhere, table[:, :0], nothing),
        (query[:, :0], keys[:, :0], values[:, :0], named[:, :0], table, lengths),
    ):
        output = irattn.sparse_paged_attention(*given)
        assert output.shape == (*given[0].shape[:3], values.shape[3])
        assert not output.any()
