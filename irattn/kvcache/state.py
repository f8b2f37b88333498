"""The state of one sequence in a paged cache."""

from dataclasses import dataclass, field

import numpy as np

from irattn.kvcache.prefix import PrefixHashes
from irattn.kvcache.table import PageTable

# Keys and values of some blocks, on the host: [blocks, num_kv_heads, block_size, head_dim] each.
HostBlocks = tuple[np.ndarray, ...]


@dataclass
class SequenceState:
    """The state of a sequence: a page table for each group of layers, and each layer's tokens.

    `lengths` counts the tokens that have slots, `written` those of them that are known to be
    written: only these are shared with other sequences. `kept` counts the pages of each group that
    were offered for reuse. `swapped` has the blocks of each layer while they are on the host; the
    tables are empty then.
    """

    tables: list[PageTable]
    hashes: PrefixHashes
    lengths: list[int]
    written: list[int]
    kept: list[int]
    swapped: dict[int, HostBlocks] | None = field(default=None, repr=False)

    @property
    def length(self) -> int:
        """Tokens of the layer that has most."""
        return max(self.lengths)

    def fork(self, tables: list[PageTable]) -> "SequenceState":
        """A sequence that goes on by itself, with tables of its own."""
        return SequenceState(
            tables, self.hashes.copy(), self.lengths.copy(), self.written.copy(), self.kept.copy()
        )
