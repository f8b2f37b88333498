"""Steps of packed tokens: a paged cache gives what packed attention takes."""

import numpy as np
import pytest

from irattn import AttentionSpec, PackedPagedUpdateAttentionSpec, PagedCache
from irattn.core.errors import ArgumentError, SpecError
from irattn.reference import reference

SIZES = {"num_kv_heads": 2, "head_dim": 8, "block_size": 4, "io_dtype": "f32"}
NAMES = ("cu_seqlens_q", "block_table", "context_lens", "slot_mapping", "positions")


def cache_of(num_layers=1, num_blocks=8, **changes):
    return PagedCache(num_layers=num_layers, num_blocks=num_blocks, **{**SIZES, **changes})


def extended(cache, tokens, prompt=()):
    sequence = cache.begin(prompt)
    cache.extend([sequence], tokens)
    cache.commit([sequence])
    return sequence


def assert_step(step, expected):
    for name, array, numbers in zip(NAMES, step, expected, strict=True):
        assert array.dtype == np.int32, name
        np.testing.assert_array_equal(array, numbers, err_msg=name)


def test_a_step_of_a_decode_a_chunk_and_nothing():
    cache = cache_of(max_blocks=3)
    decoding, waiting, reading = (extended(cache, length) for length in (4, 2, 3))
    cache.extend([decoding, reading], [1, 5])
    sequences, counts = [decoding, waiting, reading], [1, 0, 5]
    step = cache.packed_step(sequences, counts)
    assert step._fields == NAMES
    expected = (
        [0, 1, 1, 6],
        [[0, 3, -1], [1, -1, -1], [2, 4, -1]],
        [5, 2, 8],
        [12, 11, 16, 17, 18, 19],
        [4, 3, 4, 5, 6, 7],
    )
    assert_step(step, expected)
    assert_step(cache.packed_step(dict(zip(sequences, counts, strict=True))), expected)
    spec = PackedPagedUpdateAttentionSpec(
        **SIZES, num_q_heads=2, batch=3, q_tokens=6, num_blocks=8, max_blocks=3
    )
    types = {tensor.name: tensor for tensor in spec.inputs}
    for name in ("cu_seqlens_q", "context_lens", "slot_mapping"):
        types[name].check(getattr(step, name))
    types["block_table"].check_type(step.block_table)


def test_one_count_is_that_of_all():
    cache = cache_of()
    sequences = [extended(cache, 3), extended(cache, 5)]
    assert_step(
        cache.packed_step(sequences, 2),
        ([0, 2, 4], [[0, -1], [1, 2]], [3, 5], [1, 2, 7, 8], [1, 2, 3, 4]),
    )


def test_a_step_without_sequences_or_without_tokens_is_empty():
    cache = cache_of()
    empty = np.empty((0,))
    assert_step(cache.packed_step({}), ([0], np.empty((0, 1)), empty, empty, empty))
    assert_step(cache.packed_step([cache.begin()], 0), ([0, 0], [[-1]], [0], empty, empty))


def test_what_a_prefix_has_already_is_not_new():
    cache, prompt = cache_of(), list(range(10))
    first = extended(cache, 10, prompt)
    second = cache.begin([*prompt[:9], 77])
    assert cache.current_length(second) == 8
    cache.extend([first, second], [1, 2])
    assert_step(
        cache.packed_step({second: 2, first: 1}),
        ([0, 2, 3], [[0, 1, 3], [0, 1, 2]], [10, 11], [12, 13, 10], [8, 9, 10]),
    )


def test_layers_with_windows_have_tables_of_their_own():
    cache = cache_of(num_layers=2, windows=[None, (3, None)])
    sequence = extended(cache, 9)
    cache.extend([sequence], 2)
    assert_step(
        cache.packed_step({sequence: 2}, layer=0),
        ([0, 2], [[0, 1, 2]], [11], [9, 10], [9, 10]),
    )
    windowed = cache.packed_step({sequence: 2}, layer=1)
    np.testing.assert_array_equal(windowed.block_table, [[-1, 1, 2]])
    np.testing.assert_array_equal(windowed.slot_mapping, [9, 10])
    with pytest.raises(ArgumentError, match="layer: expected 0 to 1, got none, and layers have"):
        cache.packed_step({sequence: 2})


@pytest.mark.parametrize("window", [None, (2, None)], ids=str)
def test_sequences_get_in_steps_what_they_get_alone(window):
    """Chunks and decodes of three; by the reference, whose slots begin as large numbers."""
    rng = np.random.default_rng(3)
    lengths, cache = (11, 3, 6), cache_of(num_blocks=9, windows=[window])
    cache.replace(0, *(np.full_like(part, 1e9) for part in cache.caches(0)))
    tokens = [rng.standard_normal((3, length, 2, 8)).astype(np.float32) for length in lengths]
    sequences, done = [cache.begin() for _ in lengths], [0, 0, 0]
    found = [np.empty((length, 2, 8)) for length in lengths]
    for counts in ([5, 1, 0], [1, 1, 4], [4, 1, 1], [1, 0, 1]):
        cache.extend(sequences, counts)
        step = cache.packed_step(sequences, counts)
        new = [
            part[:, first : first + count]
            for part, first, count in zip(tokens, done, counts, strict=True)
        ]
        packed = dict(zip(("query", "key", "value"), np.concatenate(new, axis=1), strict=True))
        spec = PackedPagedUpdateAttentionSpec(
            **SIZES, num_q_heads=2, batch=3, q_tokens=sum(counts), num_blocks=9,
            max_blocks=step.block_table.shape[1], window=window,
        )  # fmt: skip
        caches = dict(zip(("key_cache", "value_cache"), cache.caches(0), strict=True))
        output, *caches = reference(spec, {**packed, **step._asdict(), **caches})
        cache.replace(0, *(part.astype(np.float32) for part in caches))
        cache.commit(sequences)
        for number, count in enumerate(counts):
            start = step.cu_seqlens_q[number]
            found[number][done[number] : done[number] + count] = output[start : start + count]
            done[number] += count
    assert tuple(done) == lengths
    for output, (query, key, value), length in zip(found, tokens, lengths, strict=True):
        alone = AttentionSpec(
            num_q_heads=2, num_kv_heads=2, head_dim=8, io_dtype="f32", q_len=length, kv_len=length,
            causal=True, window=window, layout="NHD",
        )  # fmt: skip
        (expected,) = reference(
            alone, {"query": query[None], "key": key[None], "value": value[None]}
        )
        np.testing.assert_allclose(output, expected[0], rtol=1e-12)


def test_a_chunk_is_a_sequence_of_its_own():
    cache = cache_of(num_layers=2, chunks=[None, 8])
    first, second = extended(cache, 7), extended(cache, 2)
    cache.extend([first, second], [11, 1])
    assert_step(
        cache.packed_step({first: 11, second: 1}, layer=1),
        (
            [0, 1, 9, 11, 12],
            [[0, 1], [3, 4], [5, -1], [2, -1]],
            [8, 8, 2, 3],
            [7, *range(12, 20), 20, 21, 10],
            [*range(7, 18), 2],
        ),
    )
    # What earlier chunks had is free as soon as no query to come sees it.
    assert cache.usage(0).used == 6
    cache.extend([first], 1)
    assert cache.usage(1).used == 2
    assert cache.block_table([first], layer=1).tolist() == [[-1, -1, -1, -1, 5]]


def test_tokens_get_in_chunks_what_a_mask_gives_them():
    """Prompts in parts and decodes of two, by the reference; chunks of 4, and blocks of 4."""
    rng = np.random.default_rng(5)
    lengths, cache = (11, 6), cache_of(num_blocks=9, chunks=[4])
    tokens = [rng.standard_normal((3, length, 2, 8)).astype(np.float32) for length in lengths]
    sequences, done, found = [cache.begin() for _ in lengths], [0, 0], []
    for counts in ([7, 3], [1, 2], [3, 1]):
        cache.extend(sequences, counts)
        step = cache.packed_step(sequences, counts)
        new = [
            part[:, first : first + count]
            for part, first, count in zip(tokens, done, counts, strict=True)
        ]
        packed = dict(zip(("query", "key", "value"), np.concatenate(new, axis=1), strict=True))
        spec = PackedPagedUpdateAttentionSpec(
            **SIZES, num_q_heads=2, batch=len(step.context_lens), q_tokens=sum(counts),
            num_blocks=9, max_blocks=1,
        )  # fmt: skip
        caches = dict(zip(("key_cache", "value_cache"), cache.caches(0), strict=True))
        output, *caches = reference(spec, {**packed, **step._asdict(), **caches})
        cache.replace(0, *(part.astype(np.float32) for part in caches))
        found.append(np.split(output, [counts[0]]))
        done = [before + count for before, count in zip(done, counts, strict=True)]
    for parts, (query, key, value), length in zip(
        zip(*found, strict=True), tokens, lengths, strict=True
    ):
        alone = AttentionSpec(
            num_q_heads=2, num_kv_heads=2, head_dim=8, io_dtype="f32", q_len=length, kv_len=length,
            causal=True, keep_mask="qk", layout="NHD",
        )  # fmt: skip
        chunk = np.arange(length) // 4
        given = {"query": query[None], "key": key[None], "value": value[None]}
        (expected,) = reference(
            alone, {**given, "keep_mask": (chunk[:, None] == chunk)[None, None]}
        )
        np.testing.assert_allclose(np.concatenate(parts), expected[0], rtol=1e-12)


def test_chunks_begin_with_a_block():
    with pytest.raises(SpecError, match="chunks: expected a multiple of block_size = 4, got 6"):
        cache_of(chunks=[6])
    with pytest.raises(SpecError, match="chunks: layer 0 has a window, too; give one of the two"):
        cache_of(chunks=[8], windows=[(3, None)])


def test_wrong_steps_are_refused():
    cache = cache_of()
    sequence = extended(cache, 3)
    for given, message in (
        (([sequence],), "q_lens: expected one number for all sequences, or one for each, got none"),
        (({sequence: 1}, 1), "q_lens: expected none beside those that sequences has, got 1"),
        (({sequence: 4},), r"q_lens\[0\]: expected at most 3, which sequence .* has, got 4"),
        (({sequence: -1},), r"q_lens\[0\]: expected a whole number from 0"),
        (([sequence], [1, 2]), "q_lens: expected one for each of 1 sequences, got 2"),
        ((sequence, 1), "sequences: expected a list, got"),
        (({"a": 1},), "sequence: expected one of this cache's, got 'a'"),
    ):
        with pytest.raises(ArgumentError, match=message):
            cache.packed_step(*given)
