"""Sequences that begin, grow, fork and end, and the blocks that they take and leave."""

import itertools
from collections.abc import Container, Iterable, Sequence

import numpy as np

from irattn.core.errors import ArgumentError, OutOfBlocksError
from irattn.core.numbers import whole
from irattn.kvcache.group import Growth, LayerGroup
from irattn.kvcache.prefix import PrefixHashes, token_ids
from irattn.kvcache.sequence_tables import SequenceTables, counts_of, listed
from irattn.kvcache.state import SequenceState

# No two caches give the same id, so that one's are foreign to the other.
_ids = itertools.count()

# Sequences, and the tokens that each is about to get: from where, and up to where.
_Ranges = Sequence[tuple[SequenceState, int, int]]


class PagedSequences(SequenceTables):
    """The sequences of a PagedCache; it keeps their numbers."""

    def begin(
        self,
        tokens: Sequence[int] | np.ndarray = (),
        ends: Container[bytes] | None = None,
        least_left: int = 1,
    ) -> int:
        """The id of a new sequence, which is never given again.

        `tokens` are the ids of the tokens it begins with, where they are known. What other
        sequences began with, and is still here, is shared in whole blocks: `current_length` then
        says how many tokens need not be computed. At least `least_left` of `tokens` are left to
        compute. Where keys depend on more than token ids, on an image or an adapter, name none.
        With `ends`, what is shared ends in one of these: `end_of` tells them.
        """
        least = whole("least_left", least_left, error=ArgumentError)
        hashes = PrefixHashes(self._groups[0].block_size)
        hashes.add(tokens)
        most = max(0, hashes.num_tokens - least) // hashes.block_size
        most = min(most, self._max_blocks or most)
        shared = self._longest_prefix(hashes.of_blocks[:most], ends)
        tables = [group.adopt(hashes.of_blocks[:shared]) for group in self._groups]
        lengths = [shared * hashes.block_size] * len(self._group_of)
        sequence = next(_ids)
        self._states[sequence] = SequenceState(
            tables, hashes, lengths, lengths.copy(), [shared] * len(tables)
        )
        return sequence

    def end_of(self, sequence: int) -> bytes | None:
        """A hash of a sequence's tokens so far: no other tokens have the same.

        None where these do not end with a block, or not all are known.
        """
        state = self._level(sequence)
        pages, rest = divmod(state.length, state.hashes.block_size)
        known = state.hashes.of_blocks
        return None if rest or not 0 < pages <= len(known) else known[pages - 1]

    def add_tokens(self, sequence: int, tokens: Sequence[int] | np.ndarray) -> None:
        """The ids of the tokens that follow those known so far, so that others may share them.

        Of a sequence that has tokens, and none that is known, all are named at once; where some
        have no id, as those of an image, name none: what follows them is not a beginning.
        """
        state, ids = self._present(sequence), token_ids(tokens)
        if 0 < len(ids) < state.length and not state.hashes.num_tokens:
            raise ArgumentError(
                f"tokens: expected the ids of all {state.length} tokens of {sequence}, of which "
                f"none is known, got {len(ids)}; where some have no id, name none"
            )
        state.hashes.add(ids)
        self._keep(state, range(len(self._groups)))

    def extend(self, sequences: Sequence[int], num_tokens: int | Sequence[int]) -> None:
        """Give sequences slots for new tokens in all layers, which kernels then write.

        `num_tokens` is one number for all, or one for each. All of them get theirs, or none does.
        The tokens count at once in lengths, tables and slots; that an earlier step's are written
        is taken as said.
        """
        sequences = listed("sequences", sequences)
        counts = counts_of("num_tokens", num_tokens, sequences)
        states = [self._level(sequence) for sequence in sequences]
        check_different(sequences)
        ranges = [
            (state, state.length, state.length + count)
            for state, count in zip(states, counts, strict=True)
        ]
        self._grow(ranges)
        self.commit(sequences)
        for state, count in zip(states, counts, strict=True):
            state.lengths = [length + count for length in state.lengths]

    def commit(self, sequences: Iterable[int]) -> None:
        """Say that kernels have written the tokens of `extend`: others may share them now."""
        for state in [self._present(one) for one in listed("sequences", sequences)]:
            state.written = state.lengths.copy()
            self._keep(state, range(len(self._groups)))

    def fork(self, sequence: int) -> int:
        """The id of a new sequence that shares all blocks, until one of the two writes into one."""
        state = self._committed(sequence)
        forked = next(_ids)
        self._states[forked] = state.fork(
            [group.fork(table) for group, table in zip(self._groups, state.tables, strict=True)]
        )
        return forked

    def free(self, sequence: int) -> None:
        """Forget a sequence; its full blocks of known tokens are kept until they are needed."""
        state = self._state(sequence)
        for group, table in zip(self._groups, state.tables, strict=True):
            group.drop(table)
        del self._states[sequence]

    def evict(self) -> int:
        """Free all blocks that are only kept for reuse; says how many these were."""
        return sum(group.pool.evict() for group in self._groups)

    def _copy_blocks(self, group: LayerGroup, blocks: list[tuple[int, int]]) -> None:
        """Copy the contents of blocks `(old, new)` in the layers of a group."""
        raise NotImplementedError

    def _grow(self, ranges: _Ranges) -> None:
        """Make the tables of all groups hold new tokens, or raise with nothing changed."""
        growths = [
            (group, [self._growth(index, *one) for one in ranges])
            for index, group in enumerate(self._groups)
        ]
        for group, some in growths:
            self._check_lengths(some)
            if missing := group.blocks_missing(some):
                raise OutOfBlocksError(group.shortage(missing))
        for group, some in growths:
            if copies := group.grow(some):
                self._copy_blocks(group, copies)

    def _growth(self, index: int, state: SequenceState, start: int, stop: int) -> Growth:
        group = self._groups[index]
        # What all layers of the group have written stays as it is; what the queries of these tokens
        # see is still to be read, in all layers.
        written = min(state.lengths[layer] for layer in group.layers)
        seen_from = group.seen_from(min(start, written))
        return Growth(state.tables[index], max(start, written), stop, seen_from)

    def _check_lengths(self, growths: Iterable[Growth]) -> None:
        for growth in growths:
            most = (self._max_blocks or growth.stop) * growth.table.block_size
            if growth.stop > most:
                raise ArgumentError(
                    f"max_blocks: expected sequences of at most {most} tokens "
                    f"({self._max_blocks} blocks), got {growth.stop}; end the sequence, or make "
                    "max_blocks larger"
                )

    def _keep(self, state: SequenceState, groups: Iterable[int]) -> None:
        """Keep what is full, written and known for reuse."""
        for index in groups:
            group = self._groups[index]
            written = min(state.written[layer] for layer in group.layers)
            full = min(written // group.block_size, len(state.hashes.of_blocks))
            group.keep(state.tables[index], state.hashes.of_blocks, state.kept[index], full)
            state.kept[index] = max(full, state.kept[index])

    def _longest_prefix(self, hashes: Sequence[bytes], ends: Container[bytes] | None) -> int:
        """The number of first pages that every group keeps, as far as a query sees them.

        Where `ends` are given, the last page's is one of these.
        """
        kept = zip(*(group.longest_prefix(hashes) for group in self._groups), strict=True)
        return max(
            pages
            for pages, in_groups in enumerate(kept)
            if all(in_groups) and (ends is None or not pages or hashes[pages - 1] in ends)
        )

    def _level(self, sequence: int) -> SequenceState:
        """A sequence of which all layers have the same tokens."""
        state = self._present(sequence)
        if len(set(state.lengths)) > 1:
            raise ArgumentError(
                f"sequence: expected {sequence} to have as many tokens in every layer, got "
                f"{min(state.lengths)} to {state.length}; append to all layers first"
            )
        return state

    def _committed(self, sequence: int) -> SequenceState:
        """A sequence all of whose tokens are written."""
        state = self._present(sequence)
        if state.lengths != state.written:
            raise ArgumentError(
                f"sequence: {sequence} has tokens of extend() that are not known to be written; "
                f"commit([{sequence}]) once kernels have written them"
            )
        return state


def check_different(sequences: Sequence[int]) -> None:
    """Refuse a sequence that is named twice."""
    if len(set(sequences)) < len(sequences):
        raise ArgumentError(f"sequences: expected each once, got {list(sequences)}")
