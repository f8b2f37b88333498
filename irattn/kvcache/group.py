"""Layers that share one page table a sequence: those that see as far and have as many blocks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from irattn.kvcache.pool import BlockPool
from irattn.kvcache.table import PageTable


@dataclass(frozen=True)
class Growth:
    """Tokens `start` to `stop - 1` of a table, about to be written.

    No layer reads tokens before `seen_from` any more.
    """

    table: PageTable
    start: int
    stop: int
    seen_from: int

    @property
    def left_pages(self) -> range:
        """The pages that leave the window."""
        return range(
            self.table.first, min(self.seen_from // self.table.block_size, len(self.table))
        )

    @property
    def new_pages(self) -> int:
        """The number of pages that are not there yet."""
        return max(0, -(-self.stop // self.table.block_size) - len(self.table))


@dataclass(frozen=True, eq=False)
class LayerGroup:
    """Layers, the blocks of their caches, and how far back their queries see.

    That is `window_left` tokens, or to the first of the `chunk` tokens that theirs is among. A page
    has `block_size` tokens in each layer, whose heads may differ.
    """

    layers: tuple[int, ...]
    window_left: int | None
    chunk: int | None
    block_size: int
    pool: BlockPool

    def seen_from(self, position: int) -> int:
        """The first token that queries from this position on see."""
        if self.chunk is not None:
            return position // self.chunk * self.chunk
        return 0 if self.window_left is None else max(0, position - self.window_left)

    def blocks_missing(self, growths: Sequence[Growth]) -> int:
        """The number of blocks that `grow` needs beyond those available."""
        needed = sum(growth.new_pages for growth in growths)
        freed = 0
        # What `grow` has given up when it comes to a block.
        given_up: Counter[int] = Counter()
        for growth in growths:
            for page in growth.left_pages:
                block = growth.table[page]
                given_up[block] += 1
                freed += self.pool.users(block) == given_up[block]
        for growth in growths:
            for page in growth.table.pages(growth.start, growth.stop):
                block = growth.table[page]
                if self.pool.allocator.holders(block) - given_up[block] > 1:
                    given_up[block] += 1
                    needed += 1
        return max(0, needed - freed - self.pool.num_available)

    def shortage(self, missing: int) -> str:
        """The message of an OutOfBlocksError."""
        return (
            f"num_blocks: {missing} more blocks are needed than the {self.pool.num_available} of "
            f"{self.pool.allocator.num_blocks} that layer {self.layers[0]} has left; nothing was "
            "changed: free() or swap_out() a sequence, or make num_blocks larger"
        )

    def grow(self, growths: Sequence[Growth]) -> list[tuple[int, int]]:
        """Make the tables hold their new tokens, in blocks that no other sequence holds.

        Gives the blocks `(old, new)` whose contents are to be copied. For growths of which
        `blocks_missing` says 0.
        """
        for growth in growths:
            for _ in growth.left_pages:
                self.pool.free(growth.table.drop_first())
        copies = []
        for growth in growths:
            for page in growth.table.pages(growth.start, growth.stop):
                old = growth.table[page]
                growth.table[page] = new = self.pool.own(old)
                if new != old:
                    copies.append((old, new))
        for growth in growths:
            for _ in range(growth.new_pages):
                growth.table.append(self.pool.allocate())
        return copies

    def longest_prefix(self, hashes: Sequence[bytes]) -> list[bool]:
        """For each number of pages from 0 on, whether all that a next query sees is kept."""
        runs = [0]
        for block_hash in hashes:
            runs.append(runs[-1] + 1 if self.pool.index.find(block_hash) is not None else 0)
        return [run >= pages - self.first_page(pages) for pages, run in enumerate(runs)]

    def first_page(self, pages: int) -> int:
        """The first page that the query after so many full pages sees; `pages` if it sees none."""
        return self.seen_from(pages * self.block_size) // self.block_size

    def adopt(self, hashes: Sequence[bytes]) -> PageTable:
        """A table of the kept blocks with these hashes, as far as the next query sees them."""
        first = self.first_page(len(hashes))
        table = PageTable(self.block_size, first=first)
        for block_hash in hashes[first:]:
            block = self.pool.index.find(block_hash)
            assert block is not None
            self.pool.share(block)
            table.append(block)
        return table

    def fork(self, table: PageTable) -> PageTable:
        """A page table for a new sequence with the same blocks."""
        for block in table.held:
            self.pool.share(block)
        return table.copy()

    def keep(self, table: PageTable, hashes: Sequence[bytes], start: int, stop: int) -> None:
        """Keep the pages `start` to `stop - 1`, which are full, for reuse."""
        for page in range(max(start, table.first), stop):
            self.pool.keep(hashes[page], table[page])

    def drop(self, table: PageTable) -> None:
        """Free the blocks of a table, the last first: of a prefix the end is evicted first."""
        for block in reversed(table.held):
            self.pool.free(block)
