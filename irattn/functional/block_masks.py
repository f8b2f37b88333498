"""Find the blocks of scores that a mask function shows all of, some of, or nothing of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.core.numbers import whole
from irattn.specs.block_kinds import FULL, HIDDEN, PARTIAL


@dataclass(frozen=True, eq=False)
class BlockMask:
    """The kinds of all blocks of scores, of `block` queries and keys each.

    `kinds` is int32 `[batch, heads, ceil(q_len / queries), ceil(kv_len / keys)]`: 0 where a block
    is hidden, 1 where the mask function says which of its scores are seen, 2 where all are.
    """

    kinds: np.ndarray
    block: tuple[int, int]


def block_mask(
    mask_mod: Callable[..., Any],
    batch: int,
    heads: int,
    q_len: int,
    kv_len: int,
    block: tuple[int, int] = (128, 128),
) -> BlockMask:
    """The blocks of a mask function, for `attention`, which does not read what hidden ones hide.

    The function is called with NumPy's arrays on the host, of all batches, heads and keys and the
    queries of a block at once; arrays that it reads must be NumPy's. SpecError for sizes that are
    none.
    """
    rows, columns = (whole("block", size) for size in block)
    names = ("batch", "heads", "q_len", "kv_len")
    sizes = zip(names, (batch, heads, q_len, kv_len), strict=True)
    batch, heads, q_len, kv_len = (whole(name, size) for name, size in sizes)
    at = (np.arange(batch)[:, None, None, None], np.arange(heads)[:, None, None])
    starts = range(0, kv_len, columns)
    kinds = np.empty((batch, heads, -(-q_len // rows), len(starts)), np.int32)
    for number, start in enumerate(range(0, q_len, rows)):
        queries = np.arange(start, min(start + rows, q_len))[:, None]
        seen = np.asarray(mask_mod(*at, queries, np.arange(kv_len)))
        seen = np.broadcast_to(seen, (*np.broadcast_shapes(seen.shape[:-2]), len(queries), kv_len))
        some = np.logical_or.reduceat(seen.any(-2), starts, axis=-1)
        whole_blocks = np.logical_and.reduceat(seen.all(-2), starts, axis=-1)
        kinds[:, :, number] = np.where(whole_blocks, FULL, np.where(some, PARTIAL, HIDDEN))
    return BlockMask(kinds, (rows, columns))
