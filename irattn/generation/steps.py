"""The inputs of one step besides weights and caches: each goes to the device once."""

from collections.abc import Sequence

import numpy as np

from irattn.generation.graphs import Phase
from irattn.generation.uploads import Uploads
from irattn.kvcache import PagedCache
from irattn.runtime import DeviceArray


class BatchStep:
    """The new tokens of some sequences, in the rows of a phase's batch.

    `tokens` are those of each sequence, whose slots the cache has given already; `token_ids` is the
    device's array of them, where it has them. Rows and columns that no token has write nothing and
    see nothing.
    """

    def __init__(
        self,
        phase: Phase,
        cache: PagedCache,
        sequences: Sequence[int],
        tokens: Sequence[Sequence[int]],
        uploads: Uploads,
        token_ids: DeviceArray | None = None,
    ) -> None:
        self.phase = phase
        self._cache, self._sequences, self._uploads = cache, sequences, uploads
        self._q_lens, self._batch = list(map(len, tokens)), phase.rows(len(tokens))
        ids, positions = np.zeros((2, self._batch, phase.q_len), np.int32)
        lens = np.zeros(self._batch, np.int32)
        for row, (sequence, new) in enumerate(zip(sequences, tokens, strict=True)):
            lens[row] = cache.current_length(sequence)
            ids[row, : len(new)] = new
            positions[row, : len(new)] = np.arange(lens[row] - len(new), lens[row])
        self.token_ids = self._there("token_ids", ids) if token_ids is None else token_ids
        self._shared = {
            "positions": self._there("positions", positions),
            "context_lens": self._there("context_lens", lens),
        }
        if getattr(phase.layers[0].attention, "ragged", False):
            q_lens = self._rows(np.array(self._q_lens, np.int32), 0)
            self._shared["q_lens"] = self._there("q_lens", q_lens)
        # Layers with the same window have the same blocks.
        windows = [layer.attention.window for layer in phase.layers]
        pages = {window: self._pages(windows.index(window)) for window in dict.fromkeys(windows)}
        self._pages_of = [pages[window] for window in windows]

    @property
    def last_rows(self) -> list[int]:
        """The row of each sequence's last token among the tokens of all rows."""
        return [row * self.phase.q_len + q_len - 1 for row, q_len in enumerate(self._q_lens)]

    def of_layer(self, number: int) -> dict[str, DeviceArray]:
        """The inputs of a layer, by name."""
        return {**self._shared, **self._pages_of[number]}

    def _pages(self, layer: int) -> dict[str, DeviceArray]:
        cache, sequences = self._cache, self._sequences
        slots = cache.slot_mapping(sequences, self._q_lens, layer, q_len=self.phase.q_len)
        # Pages without a block are not looked at; 0 spares the device a check of which these are.
        table = np.maximum(cache.block_table(sequences, layer), 0)
        return {
            "slot_mapping": self._there(f"slot_mapping {layer}", self._rows(slots, -1)),
            "block_table": self._there(f"block_table {layer}", self._rows(table, 0)),
        }

    def _rows(self, array: np.ndarray, fill: int) -> np.ndarray:
        """An array with rows of `fill` after its own, one for each sequence of the batch."""
        rows = np.full((self._batch, *array.shape[1:]), fill, np.int32)
        rows[: len(array)] = array
        return rows

    def _there(self, name: str, array: np.ndarray) -> DeviceArray:
        return self._uploads.there(name, array)
