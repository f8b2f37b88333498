"""A paged cache: what it gives for kernels, what it shares, and what it refuses."""

import ml_dtypes
import numpy as np
import pytest

from irattn import CacheWriteSpec, PagedCache, PagedUpdateAttentionSpec
from irattn.core.errors import ArgumentError, OutOfBlocksError, SpecError
from irattn.reference import reference

SIZES = {"num_kv_heads": 2, "head_dim": 8, "block_size": 4, "io_dtype": "f32"}


def cache_of(num_layers=1, num_blocks=8, **changes):
    return PagedCache(num_layers=num_layers, num_blocks=num_blocks, **{**SIZES, **changes})


def tokens_of(count, seed=0):
    key, value = np.random.default_rng(seed).standard_normal((2, count, 2, 8)).astype(np.float32)
    return key, value


def filled(cache, length, tokens=(), seed=0):
    """A new sequence of this length, in all layers."""
    sequence = cache.begin(tokens)
    known = cache.current_length(sequence)
    key, value = tokens_of(length, seed)
    for layer in range(len(cache._group_of)):
        cache.append(sequence, layer, key[known:], value[known:])
    return sequence


def contents(cache, sequence, layer=0):
    """Keys and values token by token, found by their blocks alone."""
    keys, values = cache.caches(layer)
    where = [
        (cache.block_for_position(sequence, position, layer), position % 4)
        for position in range(cache.current_length(sequence, layer))
    ]
    return [np.array([part[block, :, slot] for block, slot in where]) for part in (keys, values)]


def state_of(cache):
    """All that can be seen of a cache."""
    layers = range(len(cache._group_of))
    seen = [cache.sequences]
    for layer in layers:
        seen += [cache.usage(layer), *(part.copy() for part in cache.caches(layer))]
        for sequence in cache.sequences:
            if cache._state(sequence).swapped is None:
                seen += [
                    cache.block_table([sequence], layer), cache.context_lens([sequence], layer)
                ]  # fmt: skip
    return seen


def test_a_prompt_and_then_token_by_token():
    cache, (key, value) = cache_of(num_layers=2), tokens_of(7)
    sequence = cache.begin()
    for layer in range(2):
        cache.append(sequence, layer, key[:5], value[:5] + layer)
    for token in (5, 6):
        for layer in range(2):
            cache.append(sequence, layer, key[token], value[token] + layer)
    for layer in range(2):
        np.testing.assert_array_equal(
            contents(cache, sequence, layer), [key, value + np.float32(layer)]
        )
    assert cache.current_length(sequence) == 7
    assert cache.usage() == (8, 2, 0, 6)


def test_tokens_of_several_sequences_at_once():
    cache, (key, value) = cache_of(num_blocks=3), tokens_of(7)
    sequences = [cache.begin() for _ in range(3)]
    cache.append_batch(sequences, 0, key[:5], value[:5], [2, 0, 3])
    cache.append_batch(sequences[::2], 0, key[5:], value[5:])
    for sequence, rows in zip(sequences, ([0, 1, 5], [], [2, 3, 4, 6]), strict=True):
        assert cache.current_length(sequence) == len(rows)
        if rows:
            np.testing.assert_array_equal(contents(cache, sequence), [key[rows], value[rows]])
    before = state_of(cache)
    # The third sequence needs a block more, and so does the second.
    with pytest.raises(OutOfBlocksError, match="1 more blocks are needed than the 1 of 3"):
        cache.append_batch(sequences[1:], 0, key[:2], value[:2])
    for found, expected in zip(state_of(cache), before, strict=True):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ArgumentError, match="q_lens: expected 7 tokens in all, as in key, got 3"):
        cache.append_batch(sequences, 0, key, value)
    with pytest.raises(ArgumentError, match="sequences: expected each once, got"):
        cache.append_batch(sequences[:1] * 2, 0, key[:2], value[:2])


def test_tables_are_what_kernels_take():
    cache = cache_of(max_blocks=3)
    long, short = filled(cache, 9), filled(cache, 2)
    table, lens = cache.block_table([short, long]), cache.context_lens([short, long])
    spec = PagedUpdateAttentionSpec(
        num_q_heads=2, **SIZES, batch=2, q_len=2, num_blocks=8, max_blocks=3
    )
    expected = {tensor.name: tensor for tensor in spec.inputs}
    expected["context_lens"].check(lens)
    expected["block_table"].check_type(table)
    np.testing.assert_array_equal(table, [[3, -1, -1], [0, 1, 2]])
    np.testing.assert_array_equal(lens, [2, 9])
    slots = cache.slot_mapping([short, long], 2)
    expected["slot_mapping"].check(slots)
    np.testing.assert_array_equal(slots, [[12, 13], [7, 8]])
    np.testing.assert_array_equal(
        cache.slot_mapping([short, long], [1, 3]), [[13, -1, -1], [6, 7, 8]]
    )
    assert slots.dtype == table.dtype == lens.dtype == np.int32
    for tensor, part in zip(
        (expected["key_cache"], expected["value_cache"]), cache.caches(0), strict=True
    ):
        tensor.check(part)


def test_tables_without_a_limit_are_as_wide_as_they_must_be():
    cache = cache_of()
    assert cache.block_table([cache.begin()]).shape == (1, 1)
    assert cache.block_table([filled(cache, 9), filled(cache, 2)]).shape == (2, 3)
    assert cache.block_table([]).shape == (0, 1)


def test_slots_are_those_of_the_write_kernel():
    cache, (key, value) = cache_of(), tokens_of(6)
    sequence = cache.begin()
    cache.extend([sequence], 6)
    caches = dict(zip(("key_cache", "value_cache"), cache.caches(0), strict=True))
    spec = CacheWriteSpec(**SIZES, num_tokens=6, num_blocks=8)
    slots = cache.slot_mapping([sequence], 6).ravel()
    written = reference(spec, {"key": key, "value": value, "slot_mapping": slots, **caches})
    cache.replace(0, *(part.astype(np.float32) for part in written))
    cache.commit([sequence])
    np.testing.assert_array_equal(contents(cache, sequence), [key, value])


def test_vllm_takes_a_step():
    cache = cache_of(max_blocks=3)
    sequences = [filled(cache, 9), filled(cache, 2)]
    view = cache.vllm_view(sequences, [2, 1])
    np.testing.assert_array_equal(view.slot_mapping, [7, 8, 13])
    np.testing.assert_array_equal(view.block_table, [[0, 1, 2], [3, 0, 0]])
    np.testing.assert_array_equal(view.seq_lens, [9, 2])
    np.testing.assert_array_equal(view.query_start_loc, [0, 2, 3])
    assert [part.dtype.name for part in view] == ["int64", "int32", "int32", "int32"]


def test_flashinfer_takes_rows_of_blocks():
    cache = cache_of()
    sequences = [filled(cache, 9), filled(cache, 8), cache.begin(), filled(cache, 1)]
    view = cache.flashinfer_view(sequences)
    np.testing.assert_array_equal(view.indptr, [0, 3, 5, 5, 6])
    np.testing.assert_array_equal(view.indices, [0, 1, 2, 3, 4, 5])
    np.testing.assert_array_equal(view.last_page_len, [1, 4, 0, 1])
    assert {part.dtype.name for part in view} == {"int32"}


def test_flashinfer_rows_begin_where_a_window_does():
    cache = cache_of(windows=[(3, None)])
    sequence = filled(cache, 8)
    cache.append(sequence, 0, *tokens_of(1))
    view = cache.flashinfer_view([sequence])
    (block,) = view.indices[:1]
    assert block == cache.block_for_position(sequence, 5)
    np.testing.assert_array_equal(view.indptr, [0, 2])
    np.testing.assert_array_equal(view.last_page_len, [1])


def test_forks_share_until_one_writes():
    cache, (key, value) = cache_of(), tokens_of(8)
    parent = cache.begin()
    cache.append(parent, 0, key[:6], value[:6])
    child = cache.fork(parent)
    assert cache.usage().used == 2
    cache.append(child, 0, key[6], value[6])
    cache.append(parent, 0, key[7], value[7])
    assert cache.usage().used == 3
    tables = cache.block_table([parent, child])
    assert tables[0, 0] == tables[1, 0]
    assert tables[0, 1] != tables[1, 1]
    np.testing.assert_array_equal(contents(cache, child), [key[:7], value[:7]])
    parents = [0, 1, 2, 3, 4, 5, 7]
    np.testing.assert_array_equal(contents(cache, parent), [key[parents], value[parents]])
    cache.free(parent)
    np.testing.assert_array_equal(contents(cache, child), [key[:7], value[:7]])
    cache.free(child)
    assert cache.usage() == (8, 0, 0, 8)


def test_no_token_needs_no_block():
    cache = cache_of(num_blocks=1)
    parent = filled(cache, 3)
    child = cache.fork(parent)
    cache.extend([parent, child], 0)
    for sequence in (parent, child):
        cache.append(sequence, 0, *tokens_of(0))
    assert cache.usage().used == 1
    assert cache.current_length(child) == 3


def test_two_forks_that_grow_at_once_need_one_block_more():
    cache = cache_of(num_blocks=2)
    parent = filled(cache, 3)
    sequences = [parent, cache.fork(parent)]
    cache.extend(sequences, 1)
    assert cache.usage().used == 2


def test_equal_prefixes_share_their_full_blocks():
    cache, prompt = cache_of(), list(range(10))
    first = filled(cache, 10, prompt)
    second = cache.begin([*prompt[:9], 77])
    assert cache.current_length(second) == 8
    np.testing.assert_array_equal(cache.block_table([second])[0, :2], [0, 1])
    other = cache.begin([5, *prompt[1:]])
    assert cache.current_length(other) == 0
    assert cache.current_length(cache.begin(prompt[:8])) == 4  # one token is left to compute
    assert cache.current_length(cache.begin(prompt, least_left=2)) == 8
    assert cache.current_length(cache.begin(prompt, least_left=3)) == 4
    with pytest.raises(ArgumentError, match="least_left: expected"):
        cache.begin(prompt, least_left=0)
    cache.free(first)
    third = cache.begin(prompt)
    assert cache.current_length(third) == 8


def test_generated_tokens_are_shared_too():
    cache = cache_of()
    first = filled(cache, 6, list(range(6)))
    cache.append(first, 0, *tokens_of(3))
    cache.add_tokens(first, [6, 7])
    cache.add_tokens(first, [8])
    cache.free(first)
    assert cache.usage().kept == 2
    assert cache.current_length(cache.begin(range(9))) == 8


def test_what_follows_tokens_without_ids_is_no_beginning():
    """Else what an image's keys are in would be shared by a text that begins so."""
    cache = cache_of()
    image = filled(cache, 5)
    cache.append(image, 0, *tokens_of(3))
    with pytest.raises(ArgumentError, match=r"^tokens: expected the ids of all 8 tokens of .* 3;"):
        cache.add_tokens(image, [1, 2, 3])
    cache.add_tokens(image, [])
    cache.free(image)
    assert cache.usage().kept == 0
    named = filled(cache, 5)
    cache.add_tokens(named, range(5))
    assert cache.current_length(cache.begin(range(5))) == 4


def test_what_is_not_written_is_not_shared():
    cache = cache_of(num_layers=2)
    first = cache.begin(range(9))
    cache.append(first, 0, *tokens_of(9))
    assert cache.current_length(cache.begin(range(9))) == 0
    cache.append(first, 1, *tokens_of(9))
    assert cache.current_length(cache.begin(range(9))) == 8
    promised = cache.begin(range(20, 29))
    cache.extend([promised], 9)
    assert cache.current_length(cache.begin(range(20, 29))) == 0
    cache.add_tokens(promised, range(29, 32))
    assert cache.current_length(cache.begin(range(20, 29))) == 0
    cache.commit([promised])
    assert cache.current_length(cache.begin(range(20, 29))) == 8


def test_the_next_step_says_that_the_last_is_written():
    cache = cache_of()
    sequence = cache.begin(range(9))
    cache.extend([sequence], 9)
    cache.extend([sequence], 1)
    assert cache.current_length(cache.begin(range(9))) == 8


def test_the_least_recently_used_prefix_is_evicted():
    cache = cache_of(num_blocks=4)
    for start in (0, 100):
        cache.free(filled(cache, 8, list(range(start, start + 8))))
    cache.free(cache.begin(range(9)))
    assert cache.usage() == (4, 0, 4, 0)
    filled(cache, 8)
    assert cache.current_length(cache.begin(range(9))) == 8
    assert cache.current_length(cache.begin(range(100, 109))) == 0


def test_the_end_of_a_prefix_is_evicted_first():
    cache = cache_of(num_blocks=3)
    cache.free(filled(cache, 12, list(range(12))))
    filled(cache, 4)
    assert cache.current_length(cache.begin(range(13))) == 8


def test_evicting_frees_what_nobody_uses():
    cache = cache_of()
    cache.free(filled(cache, 8, list(range(8))))
    used = filled(cache, 8, list(range(50, 58)))
    assert cache.evict() == 2
    assert cache.usage() == (8, 2, 0, 6)
    assert cache.current_length(used) == 8


def test_windowed_layers_free_what_left_the_window():
    cache = cache_of(num_layers=3, windows=[None, (5, None), (5, None)], num_blocks=8)
    sequence = filled(cache, 9)
    for step in range(9, 20):
        for layer in range(3):
            cache.append(sequence, layer, *tokens_of(1, seed=step))
            # The new token sees itself and five before it.
            first = (step - 5) // 4
            expected = [-1] * first if layer else [0, 1, 2, 3, 4][:first]
            np.testing.assert_array_equal(cache.block_table([sequence], layer)[0, :first], expected)
            assert (cache.block_table([sequence], layer)[0, first : step // 4 + 1] >= 0).all()
    assert (cache.usage(0).used, cache.usage(1).used) == (5, 2)
    with pytest.raises(ArgumentError, match="position: expected at least 12, got 11, which left"):
        cache.block_for_position(sequence, 11, layer=1)
    with pytest.raises(ArgumentError, match="layer: expected 0 to 2, got none, and layers have"):
        cache.block_table([sequence])


def test_a_chunk_keeps_what_its_first_query_sees():
    cache = cache_of(windows=[(4, None)])
    sequence = filled(cache, 8)
    cache.append(sequence, 0, *tokens_of(9))
    assert cache.block_table([sequence])[0].min() == -1
    assert cache.block_for_position(sequence, 4) >= 0
    with pytest.raises(ArgumentError, match="position: expected at least 4, got 3"):
        cache.block_for_position(sequence, 3)


def test_a_layer_that_is_ahead_frees_nothing_that_another_needs():
    cache = cache_of(num_layers=2, windows=[(3, None)] * 2)
    sequence = filled(cache, 4)
    for _ in range(2):
        cache.append(sequence, 0, *tokens_of(4))
    assert cache.block_for_position(sequence, 1) >= 0
    for _ in range(2):
        cache.append(sequence, 1, *tokens_of(4))
    assert cache.block_table([sequence])[0, 0] == -1


def test_layers_may_have_different_numbers_of_blocks():
    cache = cache_of(num_layers=2, windows=[None, (3, None)], num_blocks=[8, 2])
    assert [cache.caches(layer)[0].shape[0] for layer in range(2)] == [8, 2]
    sequence = filled(cache, 4)
    for step in range(25):
        for layer in range(2):
            cache.append(sequence, layer, *tokens_of(1, seed=step))
    assert (cache.usage(0).used, cache.usage(1).used) == (8, 2)


def test_layers_may_have_heads_of_different_sizes():
    """One table serves all of them: only the bytes of a block differ."""
    cache = cache_of(num_layers=2, num_kv_heads=[2, 1], head_dim=[8, 16])
    (key, value), rng = tokens_of(6), np.random.default_rng(1)
    wide = rng.standard_normal((2, 6, 1, 16)).astype(np.float32)
    sequence = cache.begin()
    cache.append(sequence, 0, key, value)
    cache.append(sequence, 1, *wide)
    assert cache.block_table([sequence]).tolist() == [[0, 1]]
    assert [part.shape for part in cache.caches(1)] == [(8, 1, 4, 16)] * 2
    forked = cache.fork(sequence)
    cache.swap_out(sequence)
    cache.swap_in(sequence)
    for one in (sequence, forked):
        np.testing.assert_array_equal(contents(cache, one), [key, value])
        np.testing.assert_array_equal(contents(cache, one, layer=1), wide)
    with pytest.raises(ArgumentError, match=r"key: expected f32 \[1, 1, 16\]"):
        cache.append(sequence, 1, *tokens_of(1))
    with pytest.raises(SpecError, match="head_dim: expected one for each of 2 layers, got 1"):
        cache_of(num_layers=2, head_dim=[8])


def test_a_prefix_is_reused_where_windows_still_have_what_is_seen():
    cache = cache_of(num_layers=2, windows=[None, (3, None)], num_blocks=[16, 5])
    cache.free(filled(cache, 17, list(range(17))))
    second = cache.begin(range(17))
    assert cache.current_length(second) == 16
    np.testing.assert_array_equal(cache.block_table([second], 1)[0, :3], -1)
    cache.free(second)
    # Of the windowed layer, the page that was used last stays longest.
    filled(cache, 13)
    assert cache.current_length(cache.begin(range(17))) == 16
    assert cache.current_length(cache.begin(range(13))) == 0


def test_swapping_gives_back_what_was_there():
    cache = cache_of(num_layers=2, windows=[None, (3, None)])
    sequence = filled(cache, 10)
    child = cache.fork(sequence)
    for layer in range(2):
        cache.append(sequence, layer, *tokens_of(1))
    whole = contents(cache, sequence)
    seen = [cache.caches(1)[0][cache.block_for_position(sequence, at, 1)].copy() for at in (7, 10)]
    cache.swap_out(sequence)
    assert [cache.usage(layer).used for layer in range(2)] == [3, 3]
    for part in cache.caches(0):
        part[3:] = np.nan
    filler = filled(cache, 5, seed=3)
    cache.swap_in(sequence)
    np.testing.assert_array_equal(contents(cache, sequence), whole)
    for at, expected in zip((7, 10), seen, strict=True):
        block = cache.block_for_position(sequence, at, 1)
        np.testing.assert_array_equal(cache.caches(1)[0][block], expected)
    for one in (sequence, child, filler):
        cache.free(one)
    assert [cache.usage(layer).used for layer in range(2)] == [0, 0]


def test_swapping_in_takes_kept_blocks():
    cache = cache_of(num_blocks=4)
    sequence = filled(cache, 9, list(range(9)))
    table = cache.block_table([sequence])
    cache.swap_out(sequence)
    assert cache.usage() == (4, 0, 2, 2)
    others = cache.begin(range(9))
    cache.swap_in(sequence)
    np.testing.assert_array_equal(cache.block_table([sequence])[0, :2], table[0, :2])
    assert cache.usage().used == 3
    assert cache.current_length(others) == 8


def test_swapping_in_shares_no_more_than_was_written():
    cache, prompt, (key, value) = cache_of(), list(range(12)), tokens_of(12)
    both = [cache.begin(prompt), cache.begin(prompt)]
    for sequence, length in zip(both, (12, 5), strict=True):
        cache.append(sequence, 0, key[:length], value[:length])
    cache.swap_out(both[1])
    cache.swap_in(both[1])
    np.testing.assert_array_equal(cache.block_table(both[1:])[0, 0], 0)
    assert cache.block_table(both[1:]).shape == (1, 2)
    cache.append(both[1], 0, -key[5:], -value[5:])
    np.testing.assert_array_equal(contents(cache, both[0]), [key, value])


def test_what_was_evicted_while_away_is_kept_again():
    cache = cache_of()
    sequence = filled(cache, 9, list(range(9)))
    cache.swap_out(sequence)
    cache.evict()
    assert cache.current_length(cache.begin(range(9))) == 0
    cache.swap_in(sequence)
    assert cache.current_length(cache.begin(range(9))) == 8


def test_out_of_blocks_changes_nothing():
    cache = cache_of(num_layers=2, num_blocks=[8, 3], windows=[None, (6, None)])
    sequences = [filled(cache, 5), cache.begin(range(3))]
    swapped = filled(cache, 4, seed=2)
    cache.swap_out(swapped)
    other = filled(cache, 1)
    before = state_of(cache)
    message = (
        r"num_blocks: 1 more blocks are needed than the 0 of 3 that layer 1 has left; nothing was "
        r"changed: free\(\) or swap_out\(\) a sequence, or make num_blocks larger"
    )
    for call in (
        lambda: cache.append(sequences[1], 0, *tokens_of(1)),
        lambda: cache.append(sequences[1], 1, *tokens_of(1)),
        lambda: cache.extend(sequences, [3, 1]),
        lambda: cache.swap_in(swapped),
    ):
        with pytest.raises(OutOfBlocksError, match=message):
            call()
        for found, expected in zip(state_of(cache), before, strict=True):
            np.testing.assert_array_equal(found, expected)
    cache.free(other)
    cache.extend(sequences, [3, 1])


def test_a_shared_block_that_is_written_counts():
    cache = cache_of(num_blocks=1)
    parent = filled(cache, 3)
    child = cache.fork(parent)
    with pytest.raises(OutOfBlocksError):
        cache.append(child, 0, *tokens_of(1))
    cache.free(parent)
    cache.append(child, 0, *tokens_of(1))


def test_what_leaves_the_window_makes_room():
    cache = cache_of(num_blocks=1, windows=[(0, None)])
    sequence = filled(cache, 4)
    cache.append(sequence, 0, *tokens_of(4))
    np.testing.assert_array_equal(cache.block_table([sequence]), [[-1, 0]])


def test_sequences_that_are_too_long_are_refused():
    cache = cache_of(max_blocks=2)
    sequence = filled(cache, 7)
    cache.append(sequence, 0, *tokens_of(1))
    message = r"max_blocks: expected sequences of at most 8 tokens \(2 blocks\), got 9; end the"
    with pytest.raises(ArgumentError, match=message):
        cache.append(sequence, 0, *tokens_of(1))
    with pytest.raises(ArgumentError, match=message):
        cache.extend([cache.begin(), sequence], 1)
    assert cache.current_length(sequence) == 8
    assert cache.usage().used == 2


def test_a_prompt_shares_no_more_than_a_table_holds():
    cache = cache_of(max_blocks=2, windows=[(0, None)])
    sequence = cache.begin(range(21))
    assert cache.current_length(sequence) == 8
    assert cache.block_table([sequence]).shape == (1, 2)


def test_foreign_and_ended_sequences_are_refused():
    cache, other = cache_of(), cache_of()
    foreign, ended = other.begin(), cache.begin()
    cache.free(ended)
    calls = [
        cache.free, cache.fork, cache.swap_out, cache.swap_in, cache.current_length,
        lambda one: cache.append(one, 0, *tokens_of(1)),
        lambda one: cache.extend([one], 1),
        lambda one: cache.commit([one]),
        lambda one: cache.add_tokens(one, [1]),
        lambda one: cache.block_for_position(one, 0),
        lambda one: cache.block_table([one]),
        lambda one: cache.context_lens([one]),
        lambda one: cache.slot_mapping([one], 0),
        lambda one: cache.packed_step([one], 0),
        lambda one: cache.vllm_view([one], 0),
        lambda one: cache.flashinfer_view([one]),
    ]  # fmt: skip
    for sequence in (foreign, ended, -1, None, "a", [1], 1.5):
        for call in calls:
            with pytest.raises(ArgumentError, match="sequence: expected one of this cache's, got"):
                call(sequence)


def test_a_swapped_sequence_is_refused_until_it_is_back():
    cache = cache_of()
    sequence = filled(cache, 5)
    cache.swap_out(sequence)
    assert cache.current_length(sequence) == 5
    for call in (
        lambda: cache.append(sequence, 0, *tokens_of(1)),
        lambda: cache.extend([sequence], 1),
        lambda: cache.fork(sequence),
        lambda: cache.swap_out(sequence),
        lambda: cache.block_table([sequence]),
    ):
        with pytest.raises(ArgumentError, match=rf"swapped out; swap_in\({sequence}\) first"):
            call()
    cache.swap_in(sequence)
    with pytest.raises(ArgumentError, match="expected one that is swapped out, got"):
        cache.swap_in(sequence)
    cache.swap_out(sequence)
    cache.free(sequence)
    assert cache.usage() == (8, 0, 0, 8)


def test_what_kernels_have_still_to_write_is_neither_forked_nor_swapped():
    cache = cache_of()
    sequence = cache.begin()
    cache.extend([sequence], 3)
    for call in (cache.fork, cache.swap_out):
        with pytest.raises(ArgumentError, match=rf"commit\(\[{sequence}\]\) once kernels"):
            call(sequence)
    cache.commit([sequence])
    cache.swap_out(cache.fork(sequence))


def test_wrong_tokens_are_refused():
    cache = cache_of(num_layers=2, io_dtype="bf16")
    sequence = cache.begin()
    key = np.zeros((3, 2, 8), ml_dtypes.bfloat16)

    def message(layer, *tokens):
        with pytest.raises(ArgumentError) as caught:
            cache.append(sequence, layer, *tokens)
        assert cache.usage().used == 0
        return str(caught.value)

    assert message(0, key.astype(np.float32), key) == (
        "key: expected bf16 [3, 2, 8], got f32 [3, 2, 8]; "
        "convert with key.astype(ml_dtypes.bfloat16)"
    )
    assert message(0, key, key[:2]) == "value: expected bf16 [3, 2, 8], got bf16 [2, 2, 8]"
    assert message(0, key[:, :1], key) == "key: expected bf16 [3, 2, 8], got bf16 [3, 1, 8]"
    assert "; give np.asarray(key, ml_dtypes.bfloat16)" in message(0, [3.0], key)
    assert "key: expected bf16 [1, 2, 8]" in message(0, key[0, 0], key)
    for layer in (2, -1, None, "0"):
        assert message(layer, key, key) == f"layer: expected 0 to 1, got {layer!r}"
    for layer in (2, None):
        with pytest.raises(ArgumentError, match="layer: expected 0 to 1, got"):
            cache.caches(layer)


def test_layers_that_are_not_level_cannot_be_extended():
    cache = cache_of(num_layers=2)
    sequence = cache.begin()
    cache.append(sequence, 0, *tokens_of(2))
    with pytest.raises(ArgumentError, match="got 0 to 2; append to all layers first"):
        cache.extend([sequence], 1)
    assert [cache.current_length(sequence, layer) for layer in (None, 0, 1)] == [2, 2, 0]


def test_wrong_counts_are_refused():
    cache = cache_of()
    sequence = filled(cache, 3)
    for call, message in (
        (lambda: cache.extend([sequence], [1, 2]), "num_tokens: expected one for each of 1 seq"),
        (lambda: cache.extend([sequence], -1), r"num_tokens\[0\]: expected a whole number from 0"),
        (lambda: cache.extend([sequence], [1.5]), r"num_tokens\[0\]: .* got 1.5"),
        (lambda: cache.extend([sequence] * 2, 1), "sequences: expected each once"),
        (lambda: cache.slot_mapping([sequence], 4), r"q_lens\[0\]: expected at most 3, which"),
        (lambda: cache.slot_mapping([sequence], 3, q_len=2), "q_len: expected at least 3, as of"),
        (lambda: cache.slot_mapping([sequence], 3, q_len="x"), "q_len: expected at least 3, .*'x'"),
        (lambda: cache.block_table(sequence), "sequences: expected a list, got"),
        (lambda: cache.context_lens(None), "sequences: expected a list, got None"),
        (lambda: cache.flashinfer_view(sequence), "sequences: expected a list, got"),
        (lambda: cache.extend(sequence, 1), "sequences: expected a list, got"),
        (lambda: cache.extend([sequence], None), "num_tokens: expected a list, got None"),
        (lambda: cache.commit(sequence), "sequences: expected a list, got"),
        (lambda: cache.block_for_position(sequence, 3), "position: expected 0 to 2, got 3"),
        (lambda: cache.block_for_position(sequence, -1), "position: expected 0 to 2, got -1"),
        (lambda: cache.block_for_position(sequence, 0, 1), "layer: expected 0 to 0, got 1"),
        (lambda: cache.replace(0, np.zeros(3), np.zeros(3)), r"key_cache: expected f32 \[8, 2, 4"),
    ):
        with pytest.raises(ArgumentError, match=message):
            call()
    assert cache.current_length(sequence) == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_layers": 0}, "num_layers: expected a whole number of at least 1, got 0"),
        ({"num_blocks": 0}, "num_blocks: expected a whole number of at least 1, got 0"),
        ({"num_blocks": {}}, "num_blocks: expected a whole number of at least 1, got {}"),
        ({"windows": np.zeros(3)}, "windows: expected one for each of 2 layers, got 3"),
        ({"num_blocks": [3]}, "num_blocks: expected one for each of 2 layers, got 1"),
        ({"windows": [None]}, "windows: expected one for each of 2 layers, got 1"),
        ({"windows": [3, 4]}, r"window: expected \[left, right\], got 3"),
        ({"block_size": 0}, "block_size: expected a whole number of at least 1"),
        ({"max_blocks": 0}, "max_blocks: expected a whole number of at least 1, got 0"),
        ({"head_dim": 257}, "head_dim: expected at most 256"),
        ({"io_dtype": "int8"}, "io_dtype: expected one of f32, f16, bf16"),
        ({"num_blocks": 2**31}, r"num_blocks \* num_kv_heads \* block_size: expected at most"),
    ],
)
def test_impossible_settings_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        cache_of(**{"num_layers": 2, **changes})


def test_settings_are_spelled_as_in_specs():
    cache = cache_of(
        io_dtype=np.float16, num_layers=2, windows=[-1, (-1, 5)], num_blocks=np.int64(4)
    )
    assert [part.dtype.name for part in cache.caches(0)] == ["float16"] * 2
    assert cache.usage().total == 4


def test_a_latent_cache_has_keys_alone():
    cache = PagedCache(
        num_layers=2, num_kv_heads=1, head_dim=12, num_blocks=6, block_size=4, io_dtype="f32",
        latent_cache=True,
    )  # fmt: skip
    first = cache.begin()
    new = np.random.default_rng(0).standard_normal((5, 1, 12)).astype(np.float32)
    for layer in range(2):
        cache.append(first, layer, new + layer)
    cache.swap_out(first)
    cache.swap_in(first)
    (keys,) = cache.caches(1)
    table = cache.block_table([first])[0]
    found = [keys[table[token // 4], 0, token % 4] for token in range(5)]
    np.testing.assert_array_equal(found, new[:, 0] + 1)
    cache.replace(1, keys * 0)
    assert not cache.caches(1)[0].any()
    with pytest.raises(ArgumentError, match="value: a latent cache has keys alone"):
        cache.append(first, 0, new, new)


def test_what_is_shared_ends_where_it_may():
    cache = PagedCache(num_layers=1, num_kv_heads=1, head_dim=2, num_blocks=9, block_size=2)
    first = cache.begin(range(6))
    ends = []
    for _ in range(3):
        cache.extend([first], 2)
        cache.commit([first])
        ends.append(cache.end_of(first))
    cache.extend([first], 1)
    assert cache.end_of(first) is None
    assert len({*ends, None}) == 4
    for allowed, length in ((None, 6), ((), 0), (ends[:1], 2), (ends[1:2], 4), (ends[2:], 6)):
        sequence = cache.begin(range(7), ends=allowed)
        assert cache.current_length(sequence) == length
        assert cache.end_of(sequence) == (ends[length // 2 - 1] if length else None)
