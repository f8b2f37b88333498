"""Page tables as kernels take them, ours and those of other projects."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from irattn.kvcache.table import NO_BLOCK, PageTable


class PackedStep(NamedTuple):
    """The tensors of a step with packed tokens, by the names that specs have for them, int32.

    - cu_seqlens_q `[batch + 1]`: the new tokens of sequence `s` are the packed ones from
      `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]`
    - block_table `[batch, max_blocks]`: the block of each page, -1 where there is none
    - context_lens `[batch]`: tokens of each sequence, the new ones included
    - slot_mapping `[q_tokens]`: the flat slot of each new token, -1 where it has left the window
    - positions `[q_tokens]`: where each new token stands in its sequence
    """

    cu_seqlens_q: np.ndarray
    block_table: np.ndarray
    context_lens: np.ndarray
    slot_mapping: np.ndarray
    positions: np.ndarray


class VllmView(NamedTuple):
    """The tensors of a step that vLLM's attention backends take, by vLLM's names.

    - slot_mapping int64 `[num_tokens]`: the flat slot of each new token, sequence after sequence
    - block_table int32 `[batch, max_blocks]`; what is not used is 0
    - seq_lens int32 `[batch]`: tokens of each sequence, the new ones included
    - query_start_loc int32 `[batch + 1]`: where the new tokens of each sequence begin
    """

    slot_mapping: np.ndarray
    block_table: np.ndarray
    seq_lens: np.ndarray
    query_start_loc: np.ndarray


class FlashInferView(NamedTuple):
    """FlashInfer's page table in rows of unequal length (CSR), int32.

    `indices[indptr[b]:indptr[b + 1]]` are the blocks of sequence `b`, `last_page_len[b]` the tokens
    in the last one, 0 for a sequence without any. Blocks that left the window are not listed: the
    sequence begins with the first block that is. The layout of the caches is FlashInfer's "HND".
    """

    indptr: np.ndarray
    indices: np.ndarray
    last_page_len: np.ndarray


def block_table(tables: Sequence[PageTable], max_blocks: int) -> np.ndarray:
    """The block of each page, -1 where there is none: int32 `[batch, max_blocks]`."""
    rows = np.full((len(tables), max_blocks), NO_BLOCK, np.int32)
    for row, table in zip(rows, tables, strict=True):
        row[: len(table)] = table.row
    return rows


def slot_mapping(
    tables: Sequence[PageTable], lengths: Sequence[int], q_lens: Sequence[int], columns: int
) -> np.ndarray:
    """The slots of the last `q_lens` tokens, then -1: int32 `[batch, columns]`."""
    rows = np.full((len(tables), columns), -1, np.int32)
    for row, table, length, q_len in zip(rows, tables, lengths, q_lens, strict=True):
        row[:q_len] = table.slots(length - q_len, length)
    return rows


def packed_step(
    tables: Sequence[PageTable], lengths: Sequence[int], q_lens: Sequence[int], max_blocks: int
) -> PackedStep:
    """The last `q_lens` tokens of sequences as packed attention takes a step."""
    ranges = [
        np.arange(length - q_len, length) for length, q_len in zip(lengths, q_lens, strict=True)
    ]
    return PackedStep(
        _ends(q_lens),
        block_table(tables, max_blocks),
        np.array(lengths, np.int32),
        _packed_slots(tables, lengths, q_lens),
        np.concatenate([np.empty(0, np.int32), *ranges]).astype(np.int32),
    )


def chunked_step(
    tables: Sequence[PageTable], lengths: Sequence[int], q_lens: Sequence[int], chunk: int
) -> PackedStep:
    """The last `q_lens` tokens as such a step whose sequences are chunks, as queries see no others.

    A chunk has its own blocks, and its tokens count from its first one on, but for positions.
    """
    whole = packed_step(tables, lengths, q_lens, max([1, *map(len, tables)]))
    pieces = [
        (row, *piece)
        for row, length, q_len in zip(whole.block_table, lengths, q_lens, strict=True)
        for piece in _pieces(length - q_len, length, chunk)
    ]
    block_size = tables[0].block_size if tables else 1
    rows = np.full((len(pieces), chunk // block_size), NO_BLOCK, np.int32)
    for new, (row, start, _) in zip(rows, pieces, strict=True):
        begin = start // chunk * len(new)
        own = row[begin : begin + len(new)]
        new[: len(own)] = own
    return whole._replace(
        cu_seqlens_q=_ends([stop - start for _, start, stop in pieces]),
        block_table=rows,
        context_lens=np.array(
            [stop - start // chunk * chunk for _, start, stop in pieces], np.int32
        ),
    )


def vllm_view(
    tables: Sequence[PageTable], lengths: Sequence[int], q_lens: Sequence[int], max_blocks: int
) -> VllmView:
    """The last `q_lens` tokens of sequences as vLLM takes a step."""
    return VllmView(
        _packed_slots(tables, lengths, q_lens).astype(np.int64),
        np.maximum(block_table(tables, max_blocks), 0),
        np.array(lengths, np.int32),
        _ends(q_lens),
    )


def flashinfer_view(tables: Sequence[PageTable], lengths: Sequence[int]) -> FlashInferView:
    """The blocks of sequences as FlashInfer takes them."""
    used = [
        table.row[table.first : -(-length // table.block_size)]
        for table, length in zip(tables, lengths, strict=True)
    ]
    in_last = [
        (length - 1) % table.block_size + 1 if len(blocks) else 0
        for table, length, blocks in zip(tables, lengths, used, strict=True)
    ]
    return FlashInferView(
        _ends([len(blocks) for blocks in used]),
        np.concatenate([np.empty(0, np.int32), *used]),
        np.array(in_last, np.int32),
    )


def _pieces(start: int, stop: int, chunk: int) -> list[tuple[int, int]]:
    """The parts of tokens `start` to `stop - 1` in each chunk; one of no tokens where none are."""
    borders = [start, *range((start // chunk + 1) * chunk, stop, chunk), stop]
    return list(pairwise(borders))


def _packed_slots(
    tables: Sequence[PageTable], lengths: Sequence[int], q_lens: Sequence[int]
) -> np.ndarray:
    """The slots of the last `q_lens` tokens, sequence after sequence: int32 `[q_tokens]`."""
    slots = [
        table.slots(length - q_len, length)
        for table, length, q_len in zip(tables, lengths, q_lens, strict=True)
    ]
    return np.concatenate([np.empty(0, np.int32), *slots])


def _ends(lengths: Sequence[int]) -> np.ndarray:
    """The offsets at which runs of these lengths begin, and the last one's end."""
    return np.cumsum([0, *lengths], dtype=np.int32)
