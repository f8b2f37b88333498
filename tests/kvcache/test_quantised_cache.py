"""A paged cache of quantised numbers: what tokens become, and that scales go with their blocks."""

import numpy as np
import pytest

from irattn import PagedCache
from irattn.core.errors import ArgumentError, SpecError

SIZES = {"num_layers": 2, "num_kv_heads": 2, "head_dim": 32, "block_size": 4, "io_dtype": "f32"}
# The most that a number may be off, of the largest of its token and head.
OFF = {"int8": 0.51 / 127, "int4": 0.51 / 7, "fp8_e4m3": 2**-4 * 1.01, "fp8_e5m2": 2**-3 * 1.01}


def tokens_of(rng, count):
    """New keys and values, of heads and tokens that differ by far."""
    new = rng.standard_normal((2, count, 2, 32)) * 10.0 ** rng.integers(-3, 4, (2, count, 2, 1))
    return new.astype(np.float32)


def contents(cache, sequence, layer, count):
    """The keys and values of a sequence's tokens, times their scales."""
    slots = cache.block_table([sequence], layer)[0]
    *caches, key_scale, value_scale = map(np.asarray, cache.caches(layer))
    tokens = np.arange(count)
    blocks, offsets = slots[tokens // 4], tokens % 4
    return np.stack(
        [
            widened(numbers[blocks, :, offsets]) * scale[blocks, :, offsets].reshape(count, 2, 1)
            for numbers, scale in zip(caches, (key_scale, value_scale), strict=True)
        ]
    )


def widened(numbers):
    """Numbers in f32; those of int4 are of one group."""
    if numbers.dtype == np.uint8:
        numbers = np.concatenate([numbers & 15, numbers >> 4], axis=-1).astype(np.int8) - 8
    return numbers.astype(np.float32)


def assert_near(kept, new, cache_dtype):
    largest = np.abs(new).max(axis=-1, keepdims=True)
    assert (np.abs(kept - new) <= OFF[cache_dtype] * largest).all()


@pytest.mark.parametrize(
    ("cache_dtype", "device"),
    [
        ("int8", None),
        ("int4", None),
        ("int4", "local-sync"),
        ("fp8_e4m3", None),
        ("fp8_e5m2", None),
        ("fp8_e4m3", "local-sync"),
    ],
)
def test_scales_go_with_their_blocks(cache_dtype, device):
    """Written, shared with a fork that goes on alone, to the host and back into other blocks."""
    rng = np.random.default_rng(7)
    cache = PagedCache(**SIZES, num_blocks=12, cache_dtype=cache_dtype, device=device)
    sequence = cache.begin()
    new = [tokens_of(rng, 10) for _ in range(2)]
    for layer, tokens in enumerate(new):
        cache.append(sequence, layer, *tokens)
    fork = cache.fork(sequence)
    more = [tokens_of(rng, 3) for _ in range(2)]
    for layer, tokens in enumerate(more):
        cache.append(fork, layer, *tokens)
    cache.swap_out(fork)
    cache.append(cache.begin(), 0, *tokens_of(rng, 4))
    cache.swap_in(fork)
    for layer in range(2):
        assert_near(contents(cache, sequence, layer, 10), new[layer], cache_dtype)
        both = np.concatenate([new[layer], more[layer]], axis=1)
        assert_near(contents(cache, fork, layer, 13), both, cache_dtype)


def test_what_a_layer_gives_has_scales_too():
    cache = PagedCache(**SIZES, num_blocks=4, cache_dtype="int8")
    keys, values, *scales = (array.copy() for array in cache.caches(0))
    assert [keys.dtype, scales[0].shape] == [np.int8, (4, 2, 4)]
    scales[0][...] = 3
    cache.replace(0, keys, values, *scales)
    np.testing.assert_array_equal(cache.caches(0)[2], 3)
    with pytest.raises(ArgumentError, match="scales: expected key_cache, value_cache, key_scale"):
        cache.replace(0, keys, values)


def test_a_type_that_is_none():
    with pytest.raises(SpecError, match="cache_dtype: expected one of fp8_e4m3"):
        PagedCache(**SIZES, num_blocks=4, cache_dtype="int3")


@pytest.mark.parametrize("cache_dtype", ["f32", "float32", np.float32])
def test_a_cache_of_io_dtype_is_not_quantised(cache_dtype):
    cache = PagedCache(**SIZES, num_blocks=4, cache_dtype=cache_dtype)
    assert [array.dtype for array in cache.caches(0)] == [np.float32] * 2
