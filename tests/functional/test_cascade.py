"""`irattn.cascade_attention` and `irattn.packed_paged_attention`: what is shared is read once."""

import numpy as np
import pytest

import irattn
from irattn import PagedCache
from irattn.core.errors import ArgumentError
from irattn.kvcache.cascade import cascade_step
from irattn.kvcache.views import PackedStep
from irattn.reference import reference

pytestmark = pytest.mark.slow

HEADS, KV_HEADS, SIZE, BLOCKS = 4, 2, 16, 64


def table(*rows):
    width = max(map(len, rows))
    return np.array([[*row, *[-1] * (width - len(row))] for row in rows], np.int32)


def step_of(tables, contexts, q_lens):
    ends = np.cumsum([0, *q_lens], dtype=np.int32)
    nothing = np.empty(0, np.int32)
    return PackedStep(ends, table(*tables), np.array(contexts, np.int32), nothing, nothing)


# Contexts of blocks of 16: three share four blocks, the fourth two of these, the last nothing.
TABLES = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 6], [1, 2, 3, 4, 7, 8], [1, 2, 9], [10]]
CONTEXTS, Q_LENS = [70, 65, 90, 40, 3], [1, 1, 20, 2, 3]


def test_neighbours_that_begin_alike_are_one_group():
    step = cascade_step(step_of(TABLES, CONTEXTS, Q_LENS), SIZE)
    # The fourth would leave the three half of what they share.
    assert step.shared_lens.tolist() == [64, 0, 0]
    assert step.shared_cu_seqlens_q.tolist() == [0, 22, 24, 27]
    assert step.shared_block_table[0].tolist() == [1, 2, 3, 4]
    assert step.context_lens.tolist() == [6, 1, 26, 40, 3]
    assert step.block_table[:, :3].tolist() == [
        [5, -1, -1], [6, -1, -1], [7, 8, -1], [1, 2, 9], [10, -1, -1]
    ]  # fmt: skip


def test_what_is_shared_ends_before_the_first_new_token():
    # The block with new tokens is written by each: it is not shared, whatever the tables say.
    step = cascade_step(step_of([[1, 2], [1, 2]], [32, 20], [1, 1]), SIZE)
    assert step.shared_lens.tolist() == [16]


def test_a_step_without_sequences_has_no_groups():
    empty = PackedStep(*(np.zeros(n, np.int32) for n in (1,)), np.zeros((0, 1), np.int32),
                       *(np.empty(0, np.int32) for _ in range(3)))  # fmt: skip
    assert len(cascade_step(empty, SIZE).shared_lens) == 0


def arrays(q_tokens):
    rng = np.random.default_rng(3)
    cache = (BLOCKS, KV_HEADS, SIZE, 64)
    shapes = ((q_tokens, HEADS, 64), cache, cache)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def test_a_cascade_gives_what_one_call_gives():
    given = arrays(sum(Q_LENS))
    whole = step_of(TABLES, CONTEXTS, Q_LENS)
    output, lse = irattn.cascade_attention(*given, *cascade_step(whole, SIZE)[:6], return_lse=True)
    spec = irattn.PackedPagedAttentionSpec(
        io_dtype="f32", batch=5, q_tokens=27, head_dim=64, num_q_heads=HEADS,
        num_kv_heads=KV_HEADS, num_blocks=BLOCKS, max_blocks=6, return_lse=True,
    )  # fmt: skip
    names = [tensor.name for tensor in spec.inputs]
    expected = reference(spec, dict(zip(names, (*given, *whole[:3]), strict=True)))
    alone = irattn.packed_paged_attention(*given, *whole[:3], return_lse=True)
    for results in ((output, lse), alone):
        for found, right in zip(results, expected, strict=True):
            assert np.linalg.norm(found - right) <= 1e-5 * np.linalg.norm(right)


def test_a_cache_knows_who_shares_what():
    cache = PagedCache(
        num_layers=1, num_kv_heads=KV_HEADS, head_dim=64, num_blocks=BLOCKS, io_dtype="f32"
    )
    first = cache.begin()
    rng = np.random.default_rng(5)
    new = rng.standard_normal((2, 40, KV_HEADS, 64), np.float32)
    cache.append(first, 0, new[0], new[1])
    second = cache.fork(first)
    for sequence in (first, second):
        cache.append(sequence, 0, *rng.standard_normal((2, 5, KV_HEADS, 64), np.float32))
    step = cache.cascade_step({first: 5, second: 5})
    assert step.shared_lens.tolist() == [32]
    assert step.context_lens.tolist() == [13, 13]
    whole = cache.packed_step({first: 5, second: 5})
    query = rng.standard_normal((10, HEADS, 64), np.float32)
    caches = cache.caches(0)
    found = irattn.cascade_attention(query, *caches, *step[:6])
    expected, _ = irattn.packed_paged_attention(query, *caches, *whole[:3], return_lse=True)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_layers_that_do_not_see_the_first_blocks_are_refused():
    cache = PagedCache(num_layers=1, num_kv_heads=1, head_dim=16, num_blocks=4, windows=[(16, 0)])
    with pytest.raises(ArgumentError, match="layer: expected one whose tokens see all before"):
        cache.cascade_step({})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({5: [9000, 0]}, "shared_lens"),
        ({4: [[99], [2]], 5: [16, 0]}, "shared_block_table"),
        ({3: [0, 99, 99]}, "shared_cu_seqlens_q"),
        ({1: [[1], [99]]}, "block_table"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(change, said):
    step = [[0, 1, 2], [[1], [1]], [3, 3], [0, 1, 2], [[2], [2]], [0, 0]]
    for at, numbers in change.items():
        step[at] = numbers
    with pytest.raises(ArgumentError, match=rf"^{said}\W"):
        irattn.cascade_attention(*arrays(2), *(np.array(one, np.int32) for one in step))


def test_any_size_may_be_0():
    """Packed queries that see no key, and groups that share none, are no error."""
    query, keys, values = arrays(3)
    bounds, lengths, tables = np.array([0, 2, 3]), np.zeros(2, int), np.zeros((2, 1), int)
    nothing = (query, keys, values, bounds, tables[:, :0], lengths)
    for given in (
        nothing,
        (query[:0], keys, values, np.zeros(3, int), tables, lengths),
        (query, keys, values, bounds[:1], tables[:0], lengths[:0]),
        (query, keys[:0], values[:0], bounds, tables, lengths),
    ):
        for output, lse in (
            irattn.packed_paged_attention(*given, return_lse=True),
            irattn.cascade_attention(
                *given, np.zeros(1, int), tables[:0], lengths[:0], return_lse=True
            ),
        ):
            tokens = len(given[0])
            assert output.shape == (tokens, HEADS, 64)
            assert not output.any()
            assert np.array_equal(lse, np.full((HEADS, tokens), -np.inf))
    shared = (np.array([0, 3]), np.array([[1]]), np.array([16]))
    output = irattn.cascade_attention(*nothing, *shared)
    whole = irattn.packed_paged_attention(query, keys, values, *shared, is_causal=False)
    np.testing.assert_allclose(output, whole, rtol=1e-5, atol=1e-6)
