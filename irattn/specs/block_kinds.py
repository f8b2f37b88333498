"""Blocks of scores that a mask shows all of, some of, or nothing of."""

from typing import Any

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import whole
from irattn.core.tensors import Role, TensorType, integers

# What a block of scores is: hidden, or seen as the mask says, or seen.
HIDDEN, PARTIAL, FULL = 0, 1, 2


def stored_blocks(blocks: Any) -> tuple[int, int] | None:
    """How many queries and keys a block has; SpecError for what are none."""
    if blocks is None:
        return None
    if not isinstance(blocks, list | tuple) or len(blocks) != 2:
        raise SpecError(f"mask_blocks: expected [queries, keys], got {shown(blocks)}")
    queries, keys = (whole("mask_blocks", size) for size in blocks)
    return queries, keys


def block_kinds(
    batch: int, heads: int, lengths: tuple[int, int], blocks: tuple[int, int]
) -> TensorType:
    """The kinds of all blocks: int32 (int64 accepted) `[batch, num_q_heads, rows, columns]`."""
    rows, columns = (-(-size // block) for size, block in zip(lengths, blocks, strict=True))
    shape = (batch, heads, rows, columns)
    return integers("block_kinds", shape, Role.BLOCK_KINDS, (HIDDEN, FULL))
