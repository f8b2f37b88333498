"""Inputs that say where sequences lie: lengths, bounds, offsets, block tables and slots."""

from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from irattn.core.tensors import Role, TensorType, largest

ByRole: TypeAlias = dict[Role, np.ndarray]

LENGTHS = {Role.QUERY_LENGTHS, Role.KEY_LENGTHS, Role.SHARED_LENGTHS}
BOUNDS = {Role.QUERY_BOUNDS, Role.KEY_BOUNDS, Role.GROUP_BOUNDS}
# The blocks of sequences, and of what groups of them share, and what tells how many these are.
TABLES = {Role.BLOCK_IDS: Role.KEY_LENGTHS, Role.SHARED_IDS: Role.SHARED_LENGTHS}


def lengths(rng: np.random.Generator, tensor: TensorType, context: str) -> np.ndarray:
    """Lengths of a batch; the last sequence is full where they are mixed."""
    most = tensor.limits[1] if tensor.limits else 0
    if context == "full":
        return np.full(tensor.largest_shape, most)
    if context == "one":
        return np.ones(tensor.largest_shape)
    if context == "short" and tensor.role == Role.KEY_LENGTHS:
        # Fewer tokens than query rows, one sequence with none at all.
        lens = rng.integers(0, min(8, most + 1), tensor.largest_shape)
        lens[0] = 0
        return lens
    lens = rng.integers(min(1, most), most + 1, tensor.largest_shape)
    lens[-1] = most
    return lens


def bounds(rng: np.random.Generator, tensor: TensorType, context: str) -> np.ndarray:
    """Where packed sequences begin and end; some are empty, and some tokens are padding."""
    most = tensor.limits[1] if tensor.limits else 0
    ends = np.sort(rng.integers(0, most + 1, tensor.largest_shape[0] - 1))
    if context == "full":
        ends[-1] = most
    elif context == "one":
        ends = np.minimum(np.arange(1, tensor.largest_shape[0]), most)
    elif context == "short" and tensor.role == Role.KEY_BOUNDS:
        ends = np.minimum(ends, 8)
    return np.concatenate([[0], ends])


def offsets(rng: np.random.Generator, spec: Any, tensor: TensorType) -> np.ndarray:
    """First queries anywhere among the keys, and one past all of them."""
    values = rng.integers(0, largest(spec.num_keys), tensor.largest_shape)
    values[0] = largest(spec.num_keys) if len(values) > 1 else values[0]
    return values


def block_table(rng: np.random.Generator, spec: Any, tensor: TensorType) -> np.ndarray:
    wanted = tensor.largest_shape[0] * tensor.largest_shape[1]
    if wanted <= spec.num_blocks:
        return rng.permutation(spec.num_blocks)[:wanted].reshape(tensor.largest_shape)
    # Not enough blocks for all: sequences share some, as with a common prefix.
    return rng.integers(0, spec.num_blocks, tensor.largest_shape)


def forget_unused_blocks(spec: Any, tensors: ByRole) -> None:
    """Put -1 past each context, as many engines do: entries there are the engine's business."""
    for ids, lengths in TABLES.items():
        if ids in tensors:
            used, table = -(-tensors[lengths] // spec.block_size), tensors[ids]
            table[np.arange(table.shape[1]) >= used[:, None]] = -1


def slots_of_queries(spec: Any, tensors: ByRole) -> np.ndarray:
    """Where the block table puts the last tokens of each context, which are the current queries.

    Not written are padding queries, queries before the first token of a short context, and those
    whose slot an earlier sequence shares and writes.
    """
    slots = np.full_like(tensors[Role.SLOTS], -1)
    flat, taken = slots.reshape(-1), set()
    for b, (first, count) in enumerate(_queries_of(spec, tensors)):
        for query in range(count):
            token = int(tensors[Role.KEY_LENGTHS][b]) - count + query
            if token < 0:
                continue
            page, offset = divmod(token, spec.block_size)
            slot = int(tensors[Role.BLOCK_IDS][b, page]) * spec.block_size + offset
            if slot not in taken:
                taken.add(slot)
                flat[first + query] = slot
    return slots


def _queries_of(spec: Any, tensors: ByRole) -> list[tuple[int, int]]:
    """The first query of each sequence among all tokens, and how many are real."""
    if Role.QUERY_BOUNDS in tensors:
        bounds = tensors[Role.QUERY_BOUNDS].tolist()
        return [(first, end - first) for first, end in pairwise(bounds)]
    q_lens = tensors.get(Role.QUERY_LENGTHS, np.full(spec.batch, spec.q_len)).tolist()
    return [(b * spec.q_len, count) for b, count in enumerate(q_lens)]
