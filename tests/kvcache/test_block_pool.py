"""Blocks: who holds them, which are kept for reuse, and which page of a sequence each is."""

import numpy as np
import pytest

from irattn import BlockAllocator, PageTable
from irattn.core.errors import ArgumentError, OutOfBlocksError
from irattn.kvcache.pool import BlockPool
from irattn.kvcache.prefix import PrefixHashes


def hashes_of(*tokens, block_size=2):
    hashes = PrefixHashes(block_size)
    hashes.add(tokens)
    return hashes.of_blocks


def test_every_block_is_handed_out_once():
    allocator = BlockAllocator(5)
    assert sorted(allocator.allocate() for _ in range(5)) == [0, 1, 2, 3, 4]
    with pytest.raises(OutOfBlocksError, match="expected a free block, got none: all 5 are held"):
        allocator.allocate()
    allocator.free(3)
    assert (allocator.num_free, allocator.allocate()) == (1, 3)


def test_a_shared_block_is_free_when_its_last_holder_leaves():
    allocator = BlockAllocator(2)
    block = allocator.allocate()
    allocator.share(block)
    allocator.free(block)
    assert (allocator.holders(block), allocator.num_free) == (1, 1)
    allocator.free(block)
    assert (allocator.holders(block), allocator.num_free) == (0, 2)


def test_a_writer_gets_a_block_of_its_own():
    allocator = BlockAllocator(2)
    block = allocator.allocate()
    assert allocator.own(block) == block
    allocator.share(block)
    new = allocator.own(block)
    assert new != block
    assert [allocator.holders(one) for one in (block, new)] == [1, 1]
    allocator.share(block)
    with pytest.raises(OutOfBlocksError):
        allocator.own(block)
    assert [allocator.holders(one) for one in (block, new)] == [2, 1]


@pytest.mark.parametrize("call", ["free", "share", "own"])
def test_double_frees_and_foreign_ids_are_refused(call):
    allocator = BlockAllocator(3)
    block = allocator.allocate()
    allocator.free(block)
    with pytest.raises(ArgumentError, match=rf"block: .* held, got {block}, which is free"):
        getattr(allocator, call)(block)
    for foreign in (3, -1, None, 1.0, True):
        with pytest.raises(ArgumentError, match=r"block: expected 0 to 2, got "):
            getattr(allocator, call)(foreign)
    assert allocator.num_free == 3


@pytest.mark.parametrize("num_blocks", [0, -1, 2.0, None, True])
def test_a_number_of_blocks_is_a_positive_integer(num_blocks):
    with pytest.raises(ArgumentError, match="num_blocks: expected a whole number of at least 1"):
        BlockAllocator(num_blocks)


def test_kept_blocks_are_found_until_their_memory_is_needed():
    pool = BlockPool(3)
    first, second = hashes_of(1, 2, 3, 4)
    blocks = [pool.allocate(), pool.allocate()]
    pool.keep(first, blocks[0])
    pool.keep(second, blocks[1])
    for block in reversed(blocks):
        pool.free(block)
    assert (pool.allocator.num_free, pool.num_available) == (1, 3)
    pool.allocate()
    assert [pool.index.find(one) for one in (first, second)] == blocks
    assert pool.allocate() == blocks[1]
    assert [pool.index.find(one) for one in (first, second)] == [blocks[0], None]


def test_what_was_used_lately_is_evicted_last():
    pool = BlockPool(2)
    hashes = [hashes_of(1, 1)[0], hashes_of(2, 2)[0]]
    for one in hashes:
        block = pool.allocate()
        pool.keep(one, block)
        pool.free(block)
    again = pool.index.find(hashes[0])
    pool.share(again)
    pool.free(again)
    pool.allocate()
    assert pool.index.find(hashes[0]) == again
    assert pool.index.find(hashes[1]) is None


def test_blocks_in_use_are_never_evicted():
    pool = BlockPool(1)
    block = pool.allocate()
    pool.keep(hashes_of(1, 2)[0], block)
    assert pool.num_available == 0
    with pytest.raises(OutOfBlocksError):
        pool.allocate()
    pool.free(block)
    assert pool.evict() == 1
    assert pool.allocator.num_free == 1


def test_a_kept_block_stays_kept_when_its_user_takes_another():
    pool = BlockPool(2)
    block = pool.allocate()
    pool.keep(hashes_of(1, 2)[0], block)
    new = pool.own(block)
    assert (pool.users(block), pool.users(new), pool.index.num_idle) == (0, 1, 1)


def test_equal_tokens_are_kept_once():
    pool = BlockPool(2)
    one = hashes_of(1, 2)[0]
    blocks = [pool.allocate(), pool.allocate()]
    for block in blocks:
        pool.keep(one, block)
        pool.keep(one, block)
    for block in blocks:
        pool.free(block)
    assert (pool.allocator.num_free, pool.index.num_idle) == (1, 1)


def test_hashes_tell_prefixes_apart():
    whole = hashes_of(1, 2, 3, 4, 5)
    assert len(whole) == 2
    in_parts = PrefixHashes(2)
    for part in ([1], [2, 3], np.array([4, 5], np.int32)):
        in_parts.add(part)
    assert in_parts.of_blocks == whole
    assert hashes_of(9, 2, 3, 4)[1] != whole[1]
    assert hashes_of(1, 2, 4, 3)[:1] == whole[:1]
    assert len({*hashes_of(7, 7, 7, 7, 7, 7)}) == 3


@pytest.mark.parametrize("tokens", [[1.5], "ab", [[1, 2]], 3, [2**70]])
def test_tokens_are_whole_numbers(tokens):
    with pytest.raises(ArgumentError, match="tokens: expected a list of token ids"):
        PrefixHashes(2).add(tokens)


def test_tables_say_where_tokens_lie():
    table = PageTable(4, [7, 2, 5])
    np.testing.assert_array_equal(table.slots(2, 9), [30, 31, 8, 9, 10, 11, 20])
    assert table.slots(0, 3).dtype == np.int32
    assert table.drop_first() == 7
    assert (len(table), table.first, table.held) == (3, 1, [2, 5])
    np.testing.assert_array_equal(table.row, [-1, 2, 5])
    np.testing.assert_array_equal(table.slots(2, 6), [-1, -1, 8, 9])
    other = table.copy()
    other.append(3)
    assert (table.held, other.held) == ([2, 5], [2, 5, 3])
