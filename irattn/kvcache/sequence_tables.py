"""Keep the tables of sequences: how long each is, and where its tokens lie."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from irattn.core.errors import ArgumentError, shown
from irattn.core.numbers import whole
from irattn.kvcache.cascade import CascadeStep, cascade_step
from irattn.kvcache.group import LayerGroup
from irattn.kvcache.state import SequenceState
from irattn.kvcache.table import PageTable
from irattn.kvcache.views import (
    FlashInferView,
    PackedStep,
    VllmView,
    block_table,
    chunked_step,
    flashinfer_view,
    packed_step,
    slot_mapping,
    vllm_view,
)


class BlockUsage(NamedTuple):
    """Blocks of a layer: all, those of sequences, those only kept for reuse, and the free ones."""

    total: int
    used: int
    kept: int
    free: int


class SequenceTables:
    """The sequences of a PagedCache, to be asked."""

    def __init__(self, groups: Sequence[LayerGroup], max_blocks: int | None) -> None:
        self._groups = groups
        # The group of each layer.
        self._group_of = {
            layer: index for index, group in enumerate(groups) for layer in group.layers
        }
        self._max_blocks = max_blocks
        self._states: dict[int, SequenceState] = {}

    @property
    def sequences(self) -> list[int]:
        """The ids of all sequences, the oldest first."""
        return list(self._states)

    def current_length(self, sequence: int, layer: int | None = None) -> int:
        """Tokens of a sequence; in the midst of a step, of one layer or of the one furthest."""
        state = self._state(sequence)
        if layer is None:
            return state.length
        self._group_of_layer(layer)
        return state.lengths[layer]

    def block_for_position(self, sequence: int, position: int, layer: int | None = None) -> int:
        """The block that has a token, at offset `position % block_size`."""
        state = self._present(sequence)
        group = self._group(layer)
        length = self.current_length(sequence, layer)
        if not isinstance(position, int | np.integer) or not 0 <= position < length:
            raise ArgumentError(f"position: expected 0 to {length - 1}, got {shown(position)}")
        table = state.tables[group]
        page = int(position) // table.block_size
        if page < table.first:
            raise ArgumentError(
                f"position: expected at least {table.first * table.block_size}, got {position}, "
                "which left the window"
            )
        return table[page]

    def block_table(self, sequences: Sequence[int], layer: int | None = None) -> np.ndarray:
        """The block of each page, -1 where there is none: int32 `[batch, max_blocks]`.

        `layer` is needed where layers have different windows.
        """
        tables = self._tables(sequences, layer)
        return block_table(tables, self._width(tables))

    def context_lens(self, sequences: Sequence[int], layer: int | None = None) -> np.ndarray:
        """The current length of each sequence: int32 `[batch]`."""
        return np.array(self._lengths(sequences, layer), np.int32)

    def slot_mapping(
        self,
        sequences: Sequence[int],
        q_lens: int | Sequence[int],
        layer: int | None = None,
        *,
        q_len: int | None = None,
    ) -> np.ndarray:
        """The slots of the last `q_lens` tokens: int32 `[batch, q_len]`.

        `q_lens` is one number for all, or one for each; rows of fewer tokens end with -1. `q_len`
        defaults to the largest of them.
        """
        lengths = self._lengths(sequences, layer)
        counts = _queries(q_lens, sequences, lengths)
        most = max(counts, default=0)
        if q_len is not None and (not isinstance(q_len, int | np.integer) or q_len < most):
            raise ArgumentError(
                f"q_len: expected at least {most}, as of q_lens, got {shown(q_len)}"
            )
        tables = self._tables(sequences, layer)
        return slot_mapping(tables, lengths, counts, most if q_len is None else q_len)

    def packed_step(
        self,
        sequences: Sequence[int] | Mapping[int, int],
        q_lens: int | Sequence[int] | None = None,
        layer: int | None = None,
    ) -> PackedStep:
        """A step whose new tokens are the last `q_lens` of each sequence, one after the other.

        `q_lens` is one number for all, or one for each, 0 for a sequence without any; or
        `sequences` has them by sequence, as `{sequence: q_len}`. The arrays are those that
        PackedPagedAttentionSpec, what also writes the cache and a layer around it take. To
        attention each chunk of a layer that has chunks is a sequence: there are as many more.
        """
        if isinstance(sequences, Mapping):
            if q_lens is not None:
                raise ArgumentError(
                    f"q_lens: expected none beside those that sequences has, got {shown(q_lens)}"
                )
            q_lens = list(sequences.values())
        elif q_lens is None:
            raise ArgumentError(
                "q_lens: expected one number for all sequences, or one for each, got none; give "
                "them, or sequences as {sequence: q_len}"
            )
        lengths, tables = self._lengths(sequences, layer), self._tables(sequences, layer)
        counts = _queries(q_lens, listed("sequences", sequences), lengths)
        chunk = self._groups[self._group(layer)].chunk
        if chunk is None:
            return packed_step(tables, lengths, counts, self._width(tables))
        return chunked_step(tables, lengths, counts, chunk)

    def cascade_step(
        self,
        sequences: Sequence[int] | Mapping[int, int],
        q_lens: int | Sequence[int] | None = None,
        layer: int | None = None,
    ) -> CascadeStep:
        """A packed step for `irattn.cascade_attention`: neighbours share their first blocks.

        Sequences that began with the same tokens, or are forks, should stand side by side.
        ArgumentError for a layer with a window or chunks, which does not see the first blocks.
        """
        group = self._groups[self._group(layer)]
        if group.chunk is not None or group.window_left is not None:
            raise ArgumentError(
                "layer: expected one whose tokens see all before them, got one with a window or "
                "chunks, which shares no first blocks; packed_step gives its step"
            )
        return cascade_step(self.packed_step(sequences, q_lens, layer), group.block_size)

    def vllm_view(
        self, sequences: Sequence[int], q_lens: int | Sequence[int], layer: int | None = None
    ) -> VllmView:
        """A step whose new tokens are the last `q_lens` of each sequence, as vLLM takes it."""
        lengths, tables = self._lengths(sequences, layer), self._tables(sequences, layer)
        counts = _queries(q_lens, sequences, lengths)
        return vllm_view(tables, lengths, counts, self._width(tables))

    def flashinfer_view(self, sequences: Sequence[int], layer: int | None = None) -> FlashInferView:
        """The blocks of sequences, as FlashInfer takes them."""
        lengths = self._lengths(sequences, layer)
        return flashinfer_view(self._tables(sequences, layer), lengths)

    def usage(self, layer: int | None = None) -> BlockUsage:
        """The blocks of a layer, counted."""
        pool = self._groups[self._group(layer)].pool
        total, free, kept = pool.allocator.num_blocks, pool.allocator.num_free, pool.index.num_idle
        return BlockUsage(total, total - free - kept, kept, free)

    def _state(self, sequence: int) -> SequenceState:
        """The state of a sequence; ArgumentError for one that is not this cache's."""
        if not isinstance(sequence, int | np.integer) or sequence not in self._states:
            raise ArgumentError(
                f"sequence: expected one of this cache's, got "
                f"{shown(sequence)}; begin() and fork() "
                "give them, and free() ends them"
            )
        return self._states[sequence]

    def _present(self, sequence: int) -> SequenceState:
        """The state of a sequence that has its blocks; ArgumentError for a swapped one."""
        state = self._state(sequence)
        if state.swapped is not None:
            raise ArgumentError(f"sequence: {sequence} is swapped out; swap_in({sequence}) first")
        return state

    def _group(self, layer: int | None) -> int:
        """The group of a layer, or the only one."""
        if layer is None and len(self._groups) > 1:
            raise ArgumentError(
                f"layer: expected 0 to {len(self._group_of) - 1}, got none, and layers have "
                "different blocks"
            )
        return 0 if layer is None else self._group_of_layer(layer)

    def _group_of_layer(self, layer: int) -> int:
        if not isinstance(layer, int | np.integer) or layer not in self._group_of:
            raise ArgumentError(
                f"layer: expected 0 to {len(self._group_of) - 1}, got {shown(layer)}"
            )
        return self._group_of[layer]

    def _tables(self, sequences: Iterable[int], layer: int | None) -> list[PageTable]:
        group = self._group(layer)
        return [self._present(one).tables[group] for one in listed("sequences", sequences)]

    def _lengths(self, sequences: Iterable[int], layer: int | None) -> list[int]:
        return [self.current_length(one, layer) for one in listed("sequences", sequences)]

    def _width(self, tables: Sequence[PageTable]) -> int:
        """Columns of a block table: kernels take no table without any."""
        return self._max_blocks or max([1, *map(len, tables)])


def listed(name: str, given: Any) -> list[Any]:
    """A list of the ids or numbers that a caller gave; ArgumentError for a single one."""
    try:
        return list(given)
    except TypeError:
        raise ArgumentError(f"{name}: expected a list, got {shown(given)}") from None


def counts_of(name: str, given: int | Sequence[int], sequences: Sequence[int]) -> list[int]:
    """The tokens of each sequence, given as one number for all or as a list."""
    is_one = isinstance(given, int | np.integer)
    counts = [given] * len(sequences) if is_one else listed(name, given)
    if len(counts) != len(sequences):
        raise ArgumentError(
            f"{name}: expected one for each of {len(sequences)} sequences, got {len(counts)}"
        )
    return [
        whole(f"{name}[{i}]", count, least=0, error=ArgumentError) for i, count in enumerate(counts)
    ]


def _queries(
    q_lens: int | Sequence[int], sequences: Sequence[int], lengths: Sequence[int]
) -> list[int]:
    """The number of new tokens at the end of each sequence."""
    counts = counts_of("q_lens", q_lens, sequences)
    for i, (count, length) in enumerate(zip(counts, lengths, strict=True)):
        if count > length:
            raise ArgumentError(
                f"q_lens[{i}]: expected at most {length}, which sequence {sequences[i]} has, "
                f"got {count}"
            )
    return counts
