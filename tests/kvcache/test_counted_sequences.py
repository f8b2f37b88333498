"""Sequences of models that keep states alone are counted as a paged cache counts them."""

import pytest

from irattn.core.errors import ArgumentError, OutOfBlocksError
from irattn.kvcache import PagedCache
from irattn.kvcache.counted import CountedSequences

SIZES = {"num_blocks": 6, "block_size": 4, "max_blocks": 4}


def paged():
    return PagedCache(num_layers=1, num_kv_heads=1, head_dim=8, io_dtype="f32", **SIZES)


@pytest.mark.parametrize("make", [paged, lambda: CountedSequences(**SIZES)])
def test_blocks_are_taken_shared_and_given_back(make):
    cache = make()
    tokens = list(range(10))
    one = cache.begin(tokens)
    cache.extend([one], 10)
    cache.commit([one])
    assert (cache.current_length(one), cache.usage().used) == (10, 3)
    other = cache.begin([*tokens[:9], 77])
    assert cache.current_length(other) == 8
    forked = cache.fork(one)
    cache.extend([forked], 1)
    assert cache.usage().used == 4
    with pytest.raises(OutOfBlocksError):
        cache.extend([one, other, forked], [6, 8, 5])
    with pytest.raises(ArgumentError, match="max_blocks"):
        cache.extend([one], 7)
    cache.commit([forked])
    for sequence in (one, other, forked):
        cache.free(sequence)
    assert cache.usage().used == 0
    assert cache.begin(tokens, ends=()) not in (one, other, forked)
