"""Find the blocks of scores that a mask function shows all of, some of, or nothing of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError, shown
from irattn.core.numbers import whole
from irattn.functional.arrays import check_is_array, in_full, taken
from irattn.functional.calls import given_back, run, spec_of
from irattn.functional.score_functions import functions_of
from irattn.specs.block_mask import BlockMaskSpec

# What a block is: hidden, or seen as a mask function says, or seen.
HIDDEN, PARTIAL, FULL = 0, 1, 2


@dataclass(frozen=True, eq=False)
class BlockMask:
    """The blocks of scores that are seen, of `block` queries and keys each: a list for each row.

    `counts`, int32 or int64 `[batch, heads, rows, 2]` of `rows = ceil(q_len / queries)`, tell of
    each row how many blocks are seen as a mask function says, and of how many all is seen;
    `columns` `[batch, heads, rows, ceil(kv_len / keys)]` which these are, the former first. What
    follows them in a row may be any of its columns, and none may be listed twice. Lists of one
    sequence, or of one head, are those of all. `mask_mod` is the function that the former ask;
    without one all of them is seen.
    """

    counts: Any
    columns: Any
    block: tuple[int, int]
    mask_mod: Callable[..., Any] | None = None

    @classmethod
    def of_kinds(
        cls,
        kinds: np.ndarray,
        block: tuple[int, int],
        mask_mod: Callable[..., Any] | None = None,
    ) -> "BlockMask":
        """The mask whose blocks are hidden, partial or full, 0, 1 or 2 of `[…, rows, columns]`."""
        counts = np.stack([(kinds == kind).sum(axis=-1) for kind in (PARTIAL, FULL)], axis=-1)
        # Partial ones first, then full ones, then those that are hidden, each in their order.
        columns = np.argsort((kinds - 1) % 3, axis=-1, kind="stable")
        return cls(counts.astype(np.int32), columns.astype(np.int32), block, mask_mod)

    @property
    def kinds(self) -> np.ndarray:
        """The kind of each block, int32 as `columns`: 0 hidden, 1 partial, 2 full."""
        columns, counts = np.asarray(self.columns), np.asarray(self.counts)
        place = np.arange(columns.shape[-1])
        partial, seen = counts[..., :1], counts.sum(axis=-1, keepdims=True)
        listed = np.where(place < partial, PARTIAL, np.where(place < seen, FULL, HIDDEN))
        kinds = np.zeros(columns.shape, np.int32)
        np.put_along_axis(kinds, columns, listed.astype(np.int32), axis=-1)
        return kinds


def of_all_heads(block_mask: BlockMask, shape: Sequence[int]) -> BlockMask:
    """The blocks with lists for each sequence and head, of which one may be that of all."""
    lists = {}
    for name in ("counts", "columns"):
        given = getattr(block_mask, name)
        check_is_array(f"block_mask.{name}", given)
        array = taken(f"block_mask.{name}", given)
        pairs = zip(array.shape, shape[:2], strict=False)
        whole = [full if size == 1 else size for size, full in pairs]
        lists[name] = in_full(array, (*whole, *array.shape[2:]))
    return replace(block_mask, counts=lists["counts"], columns=lists["columns"])


def block_mask(
    mask_mod: Callable[..., Any],
    batch: int,
    heads: int,
    q_len: int,
    kv_len: int,
    block: tuple[int, int] = (128, 128),
    *,
    target: str | None = None,
    device: str | None = None,
) -> BlockMask:
    """The blocks of a mask function, for `attention`, which does not read what hidden ones hide and
    asks the function about partial ones.

    The function is called with NumPy's arrays on the host, of all batches, heads and keys and the
    queries of a block at once; arrays that it reads must be NumPy's. With `device`, `auto` or one
    by name, a kernel finds the same lists where the arrays are that the function reads, and the
    lists are arrays as these; what else that asks of it, BlockMaskSpec tells. SpecError for sizes
    that are none, ArgumentError for what is no function, or gives no bools.
    """
    if not callable(mask_mod):
        raise ArgumentError(
            f"mask_mod: expected a function of (batch, head, query, key), got {shown(mask_mod)}"
        )
    if not isinstance(block, tuple | list) or len(block) != 2:
        raise ArgumentError(f"block: expected (queries, keys), got {shown(block)}")
    rows, columns = (whole("block", size) for size in block)
    names = ("batch", "heads", "q_len", "kv_len")
    sizes = zip(names, (batch, heads, q_len, kv_len), strict=True)
    batch, heads, q_len, kv_len = (whole(name, size) for name, size in sizes)
    if device is not None:
        fields, tensors = functions_of(mask_mod=mask_mod)
        call = spec_of(
            BlockMaskSpec,
            batch=batch,
            num_q_heads=heads,
            q_len=q_len,
            kv_len=kv_len,
            mask_blocks=(rows, columns),
            **fields,
        )
        lists = run(call, tensors, policy="exact", target=target, device=device)
        counts, places = given_back(next(iter(tensors.values())), *lists)
        return BlockMask(counts, places, (rows, columns), mask_mod)
    at = (np.arange(batch)[:, None, None, None], np.arange(heads)[:, None, None])
    starts = range(0, kv_len, columns)
    kinds = np.empty((batch, heads, -(-q_len // rows), len(starts)), np.int32)
    for number, start in enumerate(range(0, q_len, rows)):
        queries = np.arange(start, min(start + rows, q_len))[:, None]
        seen = _on_host(mask_mod, *at, queries, np.arange(kv_len))
        if seen.dtype != np.bool_:
            raise ArgumentError(
                f"mask_mod: expected bools, which say what is seen, from the function, got "
                f"{seen.dtype}"
            )
        seen = np.broadcast_to(seen, (*np.broadcast_shapes(seen.shape[:-2]), len(queries), kv_len))
        some = np.logical_or.reduceat(seen.any(-2), starts, axis=-1)
        whole_blocks = np.logical_and.reduceat(seen.all(-2), starts, axis=-1)
        kinds[:, :, number] = np.where(whole_blocks, FULL, np.where(some, PARTIAL, HIDDEN))
    return BlockMask.of_kinds(kinds, (rows, columns), mask_mod)


def _on_host(mask_mod: Callable[..., Any], *numbers: np.ndarray) -> np.ndarray:
    """The bools that a mask function gives for arrays of batches, heads, queries and keys."""
    try:
        return np.asarray(mask_mod(*numbers))
    except Exception as error:
        raise ArgumentError(
            f"mask_mod: expected a function that takes NumPy's arrays of batches, heads, queries "
            f"and keys at once; {type(error).__name__}: {error}"
        ) from error
