"""The page table of one sequence: which block holds which tokens."""

from array import array
from collections.abc import Iterable

import numpy as np

# The entry of a page that has no block: it left the window, or is not there yet.
NO_BLOCK = -1


class PageTable:
    """The block of each page of a sequence, a page being `block_size` tokens.

    Token `j` lies in page `j // block_size`, slot `j % block_size` of its block. `first` is the
    first page that has a block: those before it left the window.
    """

    def __init__(self, block_size: int, blocks: Iterable[int] = (), first: int = 0) -> None:
        self.block_size = block_size
        self.first = first
        self._blocks = array("i", [NO_BLOCK] * first)
        self._blocks.extend(blocks)

    def __len__(self) -> int:
        """Pages, those that left the window included."""
        return len(self._blocks)

    def __getitem__(self, page: int) -> int:
        return self._blocks[page]

    def __setitem__(self, page: int, block: int) -> None:
        self._blocks[page] = block

    @property
    def held(self) -> list[int]:
        """The blocks of the pages from `first` on."""
        return self._blocks[self.first :].tolist()

    @property
    def row(self) -> np.ndarray:
        """The block of every page, -1 where it left the window: int32 `[pages]`."""
        return np.array(self._blocks, np.int32)

    def append(self, block: int) -> None:
        """The block of the next page."""
        self._blocks.append(block)

    def drop_first(self) -> int:
        """The block of the first page, which leaves the window."""
        block = self._blocks[self.first]
        self._blocks[self.first] = NO_BLOCK
        self.first += 1
        return block

    def pages(self, start: int, stop: int) -> range:
        """The pages that are there of the tokens `start` to `stop - 1`."""
        if start >= stop:
            return range(0)
        return range(start // self.block_size, min(-(-stop // self.block_size), len(self)))

    def slots(self, start: int, stop: int) -> np.ndarray:
        """The flat slots of the tokens `start` to `stop - 1`, -1 where one left the window."""
        tokens = np.arange(start, stop)
        blocks = self.row[tokens // self.block_size]
        slots = blocks * self.block_size + tokens % self.block_size
        return np.where(blocks == NO_BLOCK, -1, slots).astype(np.int32)

    def copy(self) -> "PageTable":
        """A table that goes on by itself."""
        return PageTable(self.block_size, self.held, self.first)
