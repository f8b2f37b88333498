"""The inputs of one step besides weights and caches: each goes to the device once."""

from collections.abc import Sequence

import numpy as np

from irattn.generation.graphs import Phase
from irattn.generation.uploads import Uploads
from irattn.kvcache import PagedCache
from irattn.runtime import DeviceArray

# What all layers of a step are given alike, and what only those with the same window are.
_OF_STEP = {"cu_seqlens_q": "bounds", "context_lens": "sequences", "positions": "tokens"}
_OF_WINDOW = {"slot_mapping": "tokens", "block_table": "sequences"}
_NOT_WRITTEN = {"slot_mapping": -1}


class BatchStep:
    """The new tokens of some sequences, one after the other.

    `tokens` are those of each sequence, at least one, whose slots the cache has given already;
    `token_ids` is the device's array of them, where it has them. Tokens and sequences that only
    fill the sizes of the phase write nothing and see nothing.
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
        self._uploads = uploads
        self._ends = np.cumsum(list(map(len, tokens)), dtype=np.int32)
        rows = phase.rows(int(self._ends[-1]))
        self._sizes = {"tokens": rows, "sequences": phase.batch, "bounds": phase.batch + 1}
        if token_ids is None or token_ids.shape[0] != rows:
            ids = np.concatenate([np.asarray(new, np.int32) for new in tokens])[:, None]
            token_ids = self._there("token_ids", _filled(ids, rows, 0))
        self.token_ids = token_ids
        # Layers with the same window have the same blocks.
        windows = [layer.attention.window for layer in phase.layers]
        counts = dict(zip(sequences, map(len, tokens), strict=True))
        steps = {
            window: cache.packed_step(counts, layer=windows.index(window))._asdict()
            for window in dict.fromkeys(windows)
        }
        # Pages without a block are not looked at; 0 spares the device a check of which these are.
        for step in steps.values():
            step["block_table"] = np.maximum(step["block_table"], 0)
        self._shared = self._named(steps[windows[0]], _OF_STEP)
        pages = {
            window: self._named(step, _OF_WINDOW, f" {windows.index(window)}")
            for window, step in steps.items()
        }
        self._pages_of = [pages[window] for window in windows]

    @property
    def last_rows(self) -> list[int]:
        """The row of each sequence's last token among all tokens."""
        rows: list[int] = (self._ends - 1).tolist()
        return rows

    def of_layer(self, number: int) -> dict[str, DeviceArray]:
        """The inputs of a layer, by name."""
        inputs = {**self._shared, **self._pages_of[number]}
        if not self.phase.layers[number].takes_positions:
            del inputs["positions"]
        return inputs

    @property
    def positions(self) -> DeviceArray:
        """The position of each token."""
        return self._shared["positions"]

    def _named(
        self, step: dict[str, np.ndarray], names: dict[str, str], which: str = ""
    ) -> dict[str, DeviceArray]:
        """Some arrays of a step on the device, as long as the phase has them."""
        arrays = {}
        for name, axis in names.items():
            # Sequences that are not there have no tokens after the last bound.
            fill = step[name][-1] if axis == "bounds" else _NOT_WRITTEN.get(name, 0)
            filled = _filled(step[name], self._sizes[axis], fill)
            arrays[name] = self._there(f"{name}{which}", filled)
        return arrays

    def _there(self, name: str, array: np.ndarray) -> DeviceArray:
        return self._uploads.there(name, array)


def _filled(array: np.ndarray, length: int, fill: int) -> np.ndarray:
    """An array with rows of `fill` after its own."""
    rows = np.full((length, *array.shape[1:]), fill, np.int32)
    rows[: len(array)] = array
    return rows
