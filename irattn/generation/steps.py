"""The inputs of one step besides weights and caches: each goes to the device once."""

from collections.abc import Sequence

import numpy as np

from irattn.generation.graphs import Phase
from irattn.generation.uploads import Uploads
from irattn.kvcache.sequence_tables import SequenceTables
from irattn.runtime import DeviceArray

# What all layers of a step are given alike, what only those with the same chunks are, to which
# these are sequences, and what those with the same blocks are.
_OF_STEP = {"positions": "tokens"}
_OF_SEQUENCES = {"cu_seqlens_q": "bounds", "context_lens": "sequences"}
_OF_BLOCKS = {"slot_mapping": "tokens", "block_table": "sequences"}
# And of layers that read once what groups of sequences share.
_OF_GROUPS = {
    "shared_cu_seqlens_q": "bounds",
    "shared_block_table": "sequences",
    "shared_lens": "sequences",
}
_NOT_WRITTEN = {"slot_mapping": -1}


class BatchStep:
    """The new tokens of some sequences, one after the other.

    `tokens` are those of each sequence, at least one, whose slots the cache has given already.
    Where layers have states, `places` are those of the sequences, which stand in their order;
    `token_ids` is the device's array of them, where it has them. Tokens and sequences that only
    fill the sizes of the phase write nothing and see nothing.
    """

    def __init__(
        self,
        phase: Phase,
        cache: SequenceTables,
        sequences: Sequence[int],
        tokens: Sequence[Sequence[int]],
        uploads: Uploads,
        token_ids: DeviceArray | None = None,
        places: Sequence[int] = (),
    ) -> None:
        self.phase = phase
        self._uploads = uploads
        self._ends = np.cumsum(list(map(len, tokens)), dtype=np.int32)
        rows = phase.rows(int(self._ends[-1]))
        if token_ids is None or token_ids.shape[0] != rows:
            ids = np.concatenate([np.asarray(new, np.int32) for new in tokens])[:, None]
            token_ids = self._there("token_ids", _filled(ids, rows, 0))
        self.token_ids = token_ids
        counts = dict(zip(sequences, map(len, tokens), strict=True))
        self._inputs_of = {
            **self._inputs_of_attention(cache, counts, rows),
            **self._inputs_of_states(dict(zip(places, map(len, tokens), strict=False))),
        }

    def _inputs_of_attention(
        self, cache: SequenceTables, counts: dict[int, int], rows: int
    ) -> dict[int, dict[str, DeviceArray]]:
        # Layers that see as far have the same blocks.
        phase, layers = self.phase, self.phase.attending
        sights = [
            (phase.chunks[number], one.attention.window, one.is_cascade)
            for number, one in layers.items()
        ]
        inputs, of_sequences = {}, {}
        for sight in dict.fromkeys(sights):
            number, (chunk, _, is_shared) = [*layers][sights.index(sight)], sight
            make = cache.cascade_step if is_shared else cache.packed_step
            step = make(counts, layer=phase.cache_of(number))._asdict()
            attention = layers[number].attention
            for name in ("block_table", "shared_block_table") if is_shared else ("block_table",):
                step[name] = _pages(step[name], attention.max_blocks)
            batch = attention.batch
            size = {"tokens": rows, "sequences": batch, "bounds": batch + 1}
            which = chunk, is_shared
            if which not in of_sequences:
                of_sequences[which] = self._named(step, _OF_SEQUENCES, size, f" {number}")
            inputs[sight] = {
                **self._named(step, _OF_STEP, size),
                **of_sequences[which],
                **self._named(step, _OF_BLOCKS, size, f" {number}"),
                **self._named(step, _OF_GROUPS if is_shared else {}, size, f" {number}"),
            }
        return {number: inputs[sight] for number, sight in zip(layers, sights, strict=True)}

    def _inputs_of_states(self, counts: dict[int, int]) -> dict[int, dict[str, DeviceArray]]:
        """Where the tokens of each place end: a sequence that has none keeps its states."""
        layers = self.phase.remembering
        if not layers:
            return {}
        batch = next(iter(layers.values())).batch
        ends = np.cumsum([0, *(counts.get(place, 0) for place in range(batch))], dtype=np.int32)
        bounds = self._there("cu_seqlens_q of places", ends)
        return {number: {"cu_seqlens_q": bounds} for number in layers}

    @property
    def last_rows(self) -> list[int]:
        """The row of each sequence's last token among all tokens."""
        rows: list[int] = (self._ends - 1).tolist()
        return rows

    def of_layer(self, number: int) -> dict[str, DeviceArray]:
        """The inputs of a layer, by name."""
        inputs = dict(self._inputs_of[number])
        layer = self.phase.attending.get(number)
        if layer and not layer.takes_positions:
            del inputs["positions"]
        if layer and layer.shares_kv:
            del inputs["slot_mapping"]
        return inputs

    @property
    def positions(self) -> DeviceArray:
        """The position of each token."""
        return self._inputs_of[next(iter(self.phase.attending))]["positions"]

    def _named(
        self,
        step: dict[str, np.ndarray],
        names: dict[str, str],
        sizes: dict[str, int],
        which: str = "",
    ) -> dict[str, DeviceArray]:
        """Some arrays of a step on the device, as long as the phase has them."""
        arrays = {}
        for name, axis in names.items():
            # Sequences that are not there have no tokens after the last bound.
            fill = step[name][-1] if axis == "bounds" else _NOT_WRITTEN.get(name, 0)
            filled = _filled(step[name], sizes[axis], fill)
            arrays[name] = self._there(f"{name}{which}", filled)
        return arrays

    def _there(self, name: str, array: np.ndarray) -> DeviceArray:
        return self._uploads.there(name, array)


def _pages(table: np.ndarray, columns: int) -> np.ndarray:
    """A block table of so many columns.

    Pages without a block are not looked at; 0 spares the device a check of which these are.
    """
    pages = np.zeros((len(table), columns), np.int32)
    pages[:, : table.shape[1]] = np.maximum(table, 0)
    return pages


def _filled(array: np.ndarray, length: int, fill: int) -> np.ndarray:
    """An array with rows of `fill` after its own."""
    rows = np.full((length, *array.shape[1:]), fill, np.int32)
    rows[: len(array)] = array
    return rows
