"""The check of a call's arguments: names, types, and values that compiled code trusts blindly."""

from collections.abc import Mapping

import numpy as np

from irattn.errors import ArgumentError
from irattn.specs import PagedAttentionSpec, Spec


def check_arguments(spec: Spec, tensors: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The arrays in call order and in the spec's dtypes; ArgumentError for anything wrong."""
    expected = [tensor.name for tensor in spec.inputs]
    for name in tensors:
        if name not in expected:
            raise ArgumentError(f"{name}: not an argument of {spec.op}; it takes {_list(expected)}")
    missing = [name for name in expected if name not in tensors]
    if missing:
        raise ArgumentError(f"{_list(missing)}: missing; {spec.op} takes {_list(expected)}")
    for tensor in spec.inputs:
        tensor.check(tensors[tensor.name])
    if isinstance(spec, PagedAttentionSpec):
        tensors = {**tensors, **_checked_paging(spec, tensors)}
    return [tensors[name] for name in expected]


def _checked_paging(
    spec: PagedAttentionSpec, tensors: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    lens, table = tensors["context_lens"], tensors["block_table"]
    bad_lens = np.flatnonzero((lens < 0) | (lens > spec.max_context))
    if bad_lens.size:
        b = bad_lens[0]
        raise ArgumentError(
            f"context_lens[{b}]: expected 0 to {spec.max_context} "
            f"(max_blocks {spec.max_blocks} x block_size {spec.block_size}), got {lens[b]}"
        )
    blocks_used = -(-lens // spec.block_size)
    is_used = np.arange(spec.max_blocks) < blocks_used[:, None]
    bad_ids = np.argwhere(is_used & ((table < 0) | (table >= spec.num_blocks)))
    if bad_ids.size:
        b, page = bad_ids[0]
        raise ArgumentError(
            f"block_table[{b}, {page}]: expected a block id from 0 to {spec.num_blocks - 1}, "
            f"got {table[b, page]} (sequence {b} has {lens[b]} tokens and uses "
            f"{blocks_used[b]} blocks)"
        )
    # The kernel reads entries past a context too, and masks what it read: give it a block that
    # exists.
    return {
        "block_table": np.where(is_used, table, 0).astype(np.int32),
        "context_lens": lens.astype(np.int32),
    }


def _list(names: list[str]) -> str:
    return ", ".join(names)
