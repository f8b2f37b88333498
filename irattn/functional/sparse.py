"""Attention of last tokens over some blocks of a cache, as a function of arrays."""

from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import integers_of, reshaped
from irattn.functional.graphs import between_graphs
from irattn.functional.paged import paged_attention
from irattn.functional.shapes import check_axes_of, said
from irattn.runtime.size_policies import Policy


@between_graphs
def sparse_paged_attention(
    query: Any,
    key_cache: Any,
    value_cache: Any,
    blocks: Any,
    block_table: Any,
    context_lens: Any,
    *,
    scale: float | None = None,
    logits_soft_cap: float | None = None,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> Any:
    """Attention of each sequence's last token over chosen blocks of its cache, and no others.

    As sparse attention decodes that chooses the likeliest blocks (Yuan et al. 2025, Native Sparse
    Attention; DeepSeek): `blocks`, integers `[batch, num_kv_heads, most]`, name for the query heads
    of each KV head the blocks that they see, as numbers of columns of `block_table`, each once and
    in any order; -1 names none. Work and reads follow the blocks that are named. Of a block of
    which the context has a part, that part is seen; a block past the context has none.

    query is `[batch, num_q_heads, 1, head_dim]`; the other arrays, and the result, are those of
    `irattn.paged_attention`, with KV heads before slots. `blocks`, `block_table` and `context_lens`
    are read on the host. A query that sees no key gives zeros. ArgumentError names the argument
    that is wrong.
    """
    check_axes_of("query", query, "batch, num_q_heads, q_len, head_dim")
    check_axes_of("key_cache", key_cache, "num_blocks, num_kv_heads, block_size, head_dim")
    check_axes_of("value_cache", value_cache, "num_blocks, num_kv_heads, block_size, value_dim")
    batch, heads, q_len, head_dim = query.shape
    num_kv_heads, block_size = key_cache.shape[1:3]
    if q_len != 1 or heads % max(num_kv_heads, 1):
        raise ArgumentError(
            f"query: expected [batch, heads, 1, head_dim], heads a multiple of {num_kv_heads}, "
            f"got {said(query)}"
        )
    named, table, lengths = (
        integers_of(name, one, axes)
        for name, one, axes in (
            ("blocks", blocks, "batch, num_kv_heads, most"),
            ("block_table", block_table, "batch, max_blocks"),
            ("context_lens", context_lens, "batch"),
        )
    )
    _check_named(named, (batch, num_kv_heads), table)
    # Each KV head of a sequence is a sequence of its own, whose blocks have one head each.
    own_table, own_lengths = _own_blocks(named, table, lengths, block_size)
    group = heads // max(num_kv_heads, 1)
    count = key_cache.shape[0] * num_kv_heads
    keys, values = (
        reshaped(cache, (count, 1, block_size, cache.shape[3]))
        for cache in (key_cache, value_cache)
    )
    output = paged_attention(
        reshaped(query, (batch * num_kv_heads, group, 1, head_dim)),
        keys,
        values,
        own_table.reshape(batch * num_kv_heads, named.shape[2]),
        own_lengths.reshape(-1),
        scale=scale,
        logits_soft_cap=logits_soft_cap,
        policy=policy,
        target=target,
        device=device,
    )
    return reshaped(output, (batch, heads, 1, value_cache.shape[3]))


def _check_named(named: np.ndarray, rows: tuple[int, int], table: np.ndarray) -> None:
    """Refuse blocks of other sequences or heads, beyond the table, or named twice."""
    if named.shape[:2] != rows:
        raise ArgumentError(f"blocks: expected {[*rows]} and numbers, got {said(named)}")
    if ((named < -1) | (named >= table.shape[1])).any():
        raise ArgumentError(
            f"blocks: expected columns of block_table, from 0 to {table.shape[1] - 1}, or -1, got "
            f"{named.min()} to {named.max()}"
        )
    ordered = np.sort(named, axis=-1)
    if ((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] >= 0)).any():
        raise ArgumentError("blocks: expected each block once")


def _own_blocks(
    named: np.ndarray, table: np.ndarray, lengths: np.ndarray, block_size: int
) -> tuple[np.ndarray, np.ndarray]:
    """The table and the lengths of the seen blocks of each KV head, in their order.

    Of these only the last can be seen in part, as contexts end in their last block.
    """
    tokens = np.clip(lengths[:, None, None] - named * block_size, 0, block_size)
    tokens = np.where(named >= 0, tokens, 0)
    # Where a table has no column, none is named.
    table = table if table.shape[1] else np.full((len(table), 1), -1)
    beyond = table.shape[1]
    ordered = np.sort(np.where(tokens > 0, named, beyond), axis=-1)
    is_seen = ordered < beyond
    pages = np.take_along_axis(
        np.broadcast_to(table[:, None], (*named.shape[:2], beyond)),
        np.where(is_seen, ordered, 0),
        axis=-1,
    )
    if (pages[is_seen] < 0).any():
        raise ArgumentError("block_table: expected ids of all blocks that are named, got -1")
    heads = np.arange(named.shape[1])[None, :, None]
    own = np.where(is_seen, pages * named.shape[1] + heads, -1)
    return own.astype(np.int32), tokens.sum(axis=-1).astype(np.int32)
