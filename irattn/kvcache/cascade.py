"""Steps of sequences that share their first blocks: attention reads these once for all of them."""

from typing import NamedTuple

import numpy as np

from irattn.kvcache.table import NO_BLOCK
from irattn.kvcache.views import PackedStep

# Bytes of keys and values that a layer must not read again: what two halves and a merge cost. On
# Zen 4 cores 64 sequences that share 4,096 of 4,352 tokens take half of the processor time in f32
# and bf16, 8 of them (112 MiB) as much as without; on an H200 8 take 0.7 of the time, 2 (16 MiB)
# take 1.1.
LEAST_BYTES_OF_CPUS = 128 << 20
LEAST_BYTES_OF_GPUS = 64 << 20


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
    groups = _groups(step, block_size)
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


def saved_tokens(step: PackedStep, block_size: int) -> int:
    """Tokens before the new ones that a cascade does not read again, for all sequences together."""
    groups = _groups(step, block_size)
    return block_size * sum(group.pages * (group.members - 1) for group in groups)


def _own_pages(step: PackedStep, shared: np.ndarray, block_size: int) -> int:
    """The most pages that a sequence has of its own, at least one: a wider table is more to do."""
    pages = -(-step.context_lens // block_size) - shared
    return int(max([1, *pages]))


def _groups(step: PackedStep, block_size: int) -> list[_Group]:
    """Neighbours whose tables begin alike; each joins where no fewer blocks are saved then."""
    groups: list[_Group] = []
    for number, alike in enumerate(_alike(step, block_size)):
        if groups:
            last = groups[-1]
            # All of a group are alike as far as its pages go.
            pages = alike if last.members == 1 else min(alike, last.pages)
            if pages and pages * last.members >= last.pages * (last.members - 1):
                groups[-1] = _Group(last.first, last.members + 1, pages)
                continue
        groups.append(_Group(number, 1, 0))
    return groups


def _alike(step: PackedStep, block_size: int) -> list[int]:
    """How many first pages each sequence shares with the one before it; 0 of the first one.

    Pages with new tokens are shared with nobody.
    """
    table, past = step.block_table, step.context_lens - np.diff(step.cu_seqlens_q)
    differ = (table[1:] != table[:-1]) | (table[1:] == NO_BLOCK)
    alike = np.where(differ.any(axis=1), differ.argmax(axis=1), table.shape[1])
    full = past // block_size
    most = np.minimum(full[1:], full[:-1])
    return [0, *np.minimum(alike, most).tolist()][: len(table)]


def _columns(table: np.ndarray, firsts: np.ndarray, count: int) -> np.ndarray:
    """So many columns of each row from its own first one on, then -1."""
    places = firsts[:, None] + np.arange(count)
    there = np.take_along_axis(table, np.minimum(places, table.shape[1] - 1), axis=1)
    return np.where(places < table.shape[1], there, NO_BLOCK).astype(np.int32)
