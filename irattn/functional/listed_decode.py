"""Attention of one token over listed blocks of contiguous keys, which are a cache's pages then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import contents_of, reshaped
from irattn.functional.block_masks import FULL, HIDDEN, BlockMask
from irattn.functional.paged import paged_attention
from irattn.functional.shapes import said


@dataclass(frozen=True)
class ListedPages:
    """The pages that each sequence of a decode sees, a head or those of a group that see the same.

    Pages have `keys` of the keys as they lie, `heads` is how many query heads share them. `table`
    `[sequences, pages]` has the place of each page in the cache, `numbers` its number among the
    pages of its head, `fulls` whether all of it is seen, `lengths` how many keys they have.
    """

    keys: int
    heads: int
    table: np.ndarray
    numbers: np.ndarray
    fulls: np.ndarray
    lengths: np.ndarray


def listed_decode(
    arrays: Mapping[str, Any],
    blocks: BlockMask,
    functions: Mapping[str, Callable[..., Any] | None],
    **how: Any,
) -> Any:
    """The result of `irattn.attention` for one query of each head and listed blocks.

    Lists are read on the host. Work follows them: heads of a group that see the same share what is
    read, others read their own.
    """
    query, key, value = (arrays[name] for name in ("query", "key", "value"))
    (batch, heads, _, head_dim), (_, kv_heads, kv_len, _) = query.shape, key.shape
    counts, listed = contents_of(blocks.counts), contents_of(blocks.columns)
    kinds = BlockMask(counts, listed, blocks.block).kinds
    columns = -(-kv_len // blocks.block[1])
    if kinds.shape != (batch, heads, 1, columns):
        raise ArgumentError(
            f"block_mask: expected lists [{batch}, {heads}, 1, {columns}], got {said(kinds)}"
        )
    pages = listed_pages(kinds[:, :, 0], kv_heads, kv_len, blocks.block[1])
    count = batch * kv_heads * kv_len // pages.keys
    cache_shape = (count, 1, pages.keys)
    results = paged_attention(
        reshaped(query, (len(pages.table), pages.heads, 1, head_dim)),
        reshaped(key, (*cache_shape, head_dim)),
        reshaped(value, (*cache_shape, value.shape[3])),
        pages.table,
        pages.lengths,
        score_mod=_of_pages(functions["score_mod"], "score_mod", pages, heads),
        mask_mod=_of_pages(functions["mask_mod"], "mask_mod", pages, heads),
        **how,
    )
    shape = (batch, heads, 1)
    if not how.get("return_lse"):
        return reshaped(results, (*shape, value.shape[3]))
    output, lse = results
    return reshaped(output, (*shape, value.shape[3])), reshaped(lse, shape)


def listed_pages(kinds: np.ndarray, kv_heads: int, kv_len: int, keys: int) -> ListedPages:
    """The pages of what heads see, by the kinds of blocks of so many keys, `[batch, heads, n]`."""
    batch, heads, columns = kinds.shape
    group = heads // kv_heads
    by_group = kinds.reshape(batch, kv_heads, group, columns)
    if (by_group == by_group[:, :, :1]).all():
        kinds, shared = by_group[:, :, 0], group
    else:
        shared = 1
    page = gcd(kv_len, keys)
    # Blocks as pages; those beyond the last key are none.
    seen = np.repeat(kinds, keys // page, axis=2)[:, :, : kv_len // page]
    counts = (seen != HIDDEN).sum(axis=2)
    most = max(1, int(counts.max()))
    numbers = np.argsort(seen == HIDDEN, axis=2, kind="stable")[:, :, :most]
    fulls = np.take_along_axis(seen, numbers, axis=2) == FULL
    of_head = np.arange(kinds.shape[1]) * shared // group
    first = (np.arange(batch)[:, None] * kv_heads + of_head) * (kv_len // page)
    rows = (batch * kinds.shape[1], most)
    return ListedPages(
        keys=page,
        heads=shared,
        table=(first[:, :, None] + numbers).reshape(rows).astype(np.int32),
        numbers=numbers.reshape(rows).astype(np.int32),
        fulls=fulls.reshape(rows),
        lengths=(counts * page).reshape(-1).astype(np.int32),
    )


def _of_pages(
    function: Callable[..., Any] | None, name: str, pages: ListedPages, heads: int
) -> Callable[..., Any] | None:
    """A function of scores, asked about pages: they stand for other keys, of other heads."""
    if function is None:
        return None
    of_pages, fulls, keys = pages.numbers, pages.fulls, pages.keys
    sequences = heads // pages.heads

    def places(batch: Any, head: Any, query: Any, key: Any) -> tuple[Any, ...]:
        own_head = batch % sequences * pages.heads + head
        return (
            batch // sequences,
            own_head,
            query * 0,
            of_pages[batch, key // keys] * keys + key % keys,
        )

    if name == "score_mod":
        return lambda score, *at: function(score, *places(*at))

    def mask_mod(batch: Any, head: Any, query: Any, key: Any) -> Any:
        return function(*places(batch, head, query, key)) | fulls[batch, key // keys]

    return mask_mod
