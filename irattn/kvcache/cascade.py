"""Steps of sequences that share their first blocks: attention reads these once for all of them."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from irattn.kvcache.table import NO_BLOCK
from irattn.kvcache.views import PackedStep


class CascadeStep(NamedTuple):
    """The tensors of a step in which groups of sequences share their first blocks, int32.

    - cu_seqlens_q `[batch + 1]`: the new tokens of sequence `s` are the packed ones from
      `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]`
    - block_table `[batch, max_blocks]`: the blocks of each sequence after those that its group
      shares, then -1
    - context_lens `[batch]`: tokens of each sequence in these, the new ones included
    - shared_cu_seqlens_q `[groups + 1]`: the new tokens of group `g` are the packed ones from
      `shared_cu_seqlens_q[g]` up to `shared_cu_seqlens_q[g + 1]`
    - shared_block_table `[groups, max_shared_blocks]`: the blocks that each group shares, then -1
    - shared_lens `[groups]`: tokens in these, all of which the group's new tokens see; 0 where a
      sequence shares nothing with its neighbours
    - slot_mapping `[q_tokens]`: the flat slot of each new token
    - positions `[q_tokens]`: where each new token stands in its sequence
    """

    cu_seqlens_q: np.ndarray
    block_table: np.ndarray
    context_lens: np.ndarray
    shared_cu_seqlens_q: np.ndarray
    shared_block_table: np.ndarray
    shared_lens: np.ndarray
    slot_mapping: np.ndarray
    positions: np.ndarray


class _Group(NamedTuple):
    """Sequences one after the other, and how many pages all of them share."""

    first: int
    members: int
    pages: int


def cascade_step(step: PackedStep, block_size: int) -> CascadeStep:
    """A packed step with its sequences in groups, where that saves reading blocks again.

    Only neighbours are in one group. What they share ends before the first new token of each.
    """
    past = step.context_lens - np.diff(step.cu_seqlens_q)
    tables = [
        row[: length // block_size].tolist()
        for row, length in zip(step.block_table, past, strict=True)
    ]
    groups = _groups(tables)
    pages = np.array([group.pages for group in groups], np.int32)
    firsts = np.array([group.first for group in groups], np.int32)
    of_sequences = np.repeat(pages, [group.members for group in groups])
    most = max([1, *pages])
    return CascadeStep(
        step.cu_seqlens_q,
        _columns(step.block_table, of_sequences, _own_pages(step, of_sequences, block_size)),
        step.context_lens - of_sequences * block_size,
        step.cu_seqlens_q[[*firsts, -1]],
        np.where(np.arange(most) < pages[:, None], step.block_table[firsts, :most], NO_BLOCK),
        pages * block_size,
        step.slot_mapping,
        step.positions,
    )


def _own_pages(step: PackedStep, shared: np.ndarray, block_size: int) -> int:
    """The most pages that a sequence has of its own, at least one: a wider table is more to do."""
    pages = -(-step.context_lens // block_size) - shared
    return int(max([1, *pages]))


def _groups(tables: Sequence[list[int]]) -> list[_Group]:
    """Neighbours whose tables begin alike; each joins where no fewer blocks are saved then."""
    groups: list[_Group] = []
    for number, table in enumerate(tables):
        if groups:
            last = groups[-1]
            most = len(table) if last.members == 1 else last.pages
            pages = _alike(tables[last.first], table, most)
            if pages and pages * last.members >= last.pages * (last.members - 1):
                groups[-1] = _Group(last.first, last.members + 1, pages)
                continue
        groups.append(_Group(number, 1, 0))
    return groups


def _alike(one: list[int], other: list[int], most: int) -> int:
    """How many of the first pages, at most so many, have the same block in both."""
    pairs = takewhile(lambda pair: pair[0] == pair[1] != NO_BLOCK, zip(one, other, strict=False))
    return min(most, sum(1 for _ in pairs))


def _columns(table: np.ndarray, firsts: np.ndarray, count: int) -> np.ndarray:
    """So many columns of each row from its own first one on, then -1."""
    places = firsts[:, None] + np.arange(count)
    there = np.take_along_axis(table, np.minimum(places, table.shape[1] - 1), axis=1)
    return np.where(places < table.shape[1], there, NO_BLOCK).astype(np.int32)
