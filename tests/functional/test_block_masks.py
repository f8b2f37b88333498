"""Blocks of scores: how they are found, and that nothing is read of hidden ones."""

import numpy as np
import pytest

import irattn
from irattn import masks
from irattn.core.errors import ArgumentError, RenderError

SHAPE = (1, 2, 150, 16)


def test_kinds_are_those_of_the_scores():
    documents = np.array([[0] * 70 + [1] * 30, [0] * 10 + [1] * 20 + [2] * 70])
    mask = masks.document(documents) & masks.causal
    found = irattn.block_mask(mask, 2, 3, 100, 100, block=(32, 16))
    query, key = np.arange(100)[:, None], np.arange(100)
    assert found.kinds.shape == (2, 3, 4, 7)
    for batch, head, row, column in np.ndindex(found.kinds.shape):
        block = slice(row * 32, row * 32 + 32), slice(column * 16, column * 16 + 16)
        seen = mask(batch, head, query, key)[block]
        assert found.kinds[batch, head, row, column] == int(seen.any()) + int(seen.all())


def test_what_hidden_blocks_hide_is_not_read():
    rng = np.random.default_rng(0)
    query, key, value = rng.standard_normal((3, *SHAPE), dtype=np.float32)
    mask = masks.prefix(64) & masks.dilated(1)
    blocks = irattn.block_mask(mask, 1, 2, 150, 150, block=(64, 64))
    assert set(blocks.kinds.ravel()) == {0, 2}
    how = {"mask_mod": mask, "block_mask": blocks}
    output = irattn.attention(query, key, value, **how)
    key[:, :, 64:], value[:, :, 64:] = np.nan, np.nan
    np.testing.assert_array_equal(irattn.attention(query, key, value, **how), output)
    columns = np.array(blocks.columns)
    columns[..., 1] = columns[..., 0]
    twice = irattn.BlockMask(np.array(blocks.counts) + 1, columns, blocks.block)
    with pytest.raises(ArgumentError, match=r"block_columns\[0, 0, 0\]: expected each block once"):
        irattn.attention(query, key, value, mask_mod=mask, block_mask=twice)
    wanted = irattn.attention(query, key[:, :, :64], value[:, :, :64])
    np.testing.assert_allclose(output, wanted, atol=1e-5)


def test_blocks_ask_the_function_that_they_are_of():
    mask = masks.causal & masks.document(np.arange(70) // 30)
    query, key, value = np.random.default_rng(3).standard_normal((3, 1, 2, 70, 16), np.float32)
    blocks = irattn.block_mask(mask, 1, 2, 70, 70, (16, 64))
    expected = irattn.attention(query, key, value, mask_mod=mask)
    np.testing.assert_allclose(
        irattn.attention(query, key, value, block_mask=blocks), expected, atol=1e-5
    )
    with pytest.raises(ArgumentError, match=r"block_mask: expected .* got int"):
        irattn.attention(query, key, value, block_mask=3)


@pytest.mark.parametrize("q_len", [70, 1])
def test_lists_of_one_sequence_and_head_are_those_of_all(q_len):
    """As create_block_mask of FlexAttention has them, where B and H are None."""
    mask = masks.document(np.arange(70) // 30)
    query, key, value = np.random.default_rng(3).standard_normal((3, 1, 2, 70, 16), np.float32)
    blocks = irattn.block_mask(mask, 1, 1, q_len, 70, (16, 64))
    expected = irattn.attention(query[:, :, :q_len], key, value, mask_mod=mask)
    found = irattn.attention(query[:, :, :q_len], key, value, block_mask=blocks)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    lists = irattn.BlockMask(blocks.counts.tolist(), blocks.columns, blocks.block)
    with pytest.raises(ArgumentError, match=r"block_mask.counts: expected an array .*, got list"):
        irattn.attention(query[:, :, :q_len], key, value, block_mask=lists)


@pytest.mark.parametrize(("given", "said"), [(None, "None"), (lambda b, h, i, j: i - j, "int64")])
def test_what_is_no_mask_is_refused(given, said):
    with pytest.raises(ArgumentError, match=f"mask_mod: expected .*, got {said}"):
        irattn.block_mask(given, 1, 1, 4, 4)


@pytest.mark.parametrize("block", [64, (64,), (8, 8, 8)])
def test_blocks_are_pairs(block):
    with pytest.raises(ArgumentError, match=r"block: expected .queries, keys., got"):
        irattn.block_mask(masks.causal, 1, 1, 9, 9, block)


def test_what_a_mask_function_raises_is_named():
    with pytest.raises(ArgumentError, match=r"mask_mod: expected .* ValueError: The truth value"):
        irattn.block_mask(lambda batch, head, query, key: 0 <= key < query, 1, 1, 9, 9)


def test_blocks_that_steps_do_not_fit_are_refused():
    query = np.zeros(SHAPE, np.float32)
    blocks = irattn.block_mask(masks.prefix(64), 1, 2, 150, 150, block=(64, 24))
    with pytest.raises(RenderError, match="block_mask: expected blocks of multiples of"):
        irattn.attention(query, query, query, block_mask=blocks)
