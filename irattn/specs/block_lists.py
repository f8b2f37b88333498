"""Blocks of scores that a mask shows some of or all of, as lists for each block of queries."""

from typing import Any

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import whole
from irattn.core.tensors import Role, TensorType, integers


def stored_blocks(blocks: Any) -> tuple[int, int] | None:
    """How many queries and keys a block has; SpecError for what are none."""
    if blocks is None:
        return None
    if not isinstance(blocks, list | tuple) or len(blocks) != 2:
        raise SpecError(f"mask_blocks: expected [queries, keys], got {shown(blocks)}")
    queries, keys = (whole("mask_blocks", size) for size in blocks)
    return queries, keys


def block_lists(
    batch: int, heads: int, lengths: tuple[int, int], blocks: tuple[int, int]
) -> tuple[TensorType, TensorType]:
    """The lists of all blocks of queries: how many partial and full blocks, and which.

    int32 (int64 accepted) `[batch, num_q_heads, rows, 2]` and `[batch, num_q_heads, rows,
    columns]`.
    """
    rows, columns = (-(-size // block) for size, block in zip(lengths, blocks, strict=True))
    of_all, counted = (batch, heads, rows), (0, columns)
    return (
        integers("block_counts", (*of_all, 2), Role.BLOCK_COUNTS, counted),
        integers("block_columns", (*of_all, columns), Role.BLOCK_COLUMNS, (0, columns - 1)),
    )
