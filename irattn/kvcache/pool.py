"""The blocks of layers that share a page table, with those that are kept for reuse."""

from irattn.kvcache.allocator import BlockAllocator
from irattn.kvcache.prefix import PrefixIndex


class BlockPool:
    """Allocates blocks, and keeps those of known tokens until their memory is needed.

    The index is one of the holders of every block in it: so a block stays when its last sequence
    leaves it. Every call is O(1).
    """

    def __init__(self, num_blocks: int) -> None:
        self.allocator = BlockAllocator(num_blocks)
        self.index = PrefixIndex()

    @property
    def num_available(self) -> int:
        """Blocks that can be had: the free ones, and those that are only kept for reuse."""
        return self.allocator.num_free + self.index.num_idle

    def users(self, block: int) -> int:
        """The number of sequences that hold a block."""
        return self.allocator.holders(block) - (block in self.index)

    def allocate(self) -> int:
        """A block that no one else has; OutOfBlocksError where none is available."""
        self._make_room()
        return self.allocator.allocate()

    def own(self, block: int) -> int:
        """The block, or a new one in its stead where another holds it, too."""
        if self.allocator.holders(block) > 1:
            self._make_room()
        own = self.allocator.own(block)
        self._note_if_idle(block)
        return own

    def share(self, block: int) -> None:
        """Note that one more sequence uses the block."""
        self.allocator.share(block)
        self.index.set_used(block)

    def free(self, block: int) -> None:
        """Note that one sequence less uses the block."""
        self.allocator.free(block)
        self._note_if_idle(block)

    def keep(self, block_hash: bytes, block: int) -> None:
        """Keep a full block for reuse, unless another with the same tokens is kept already."""
        if block in self.index or self.index.find(block_hash) is not None:
            return
        self.allocator.share(block)
        self.index.add(block_hash, block)

    def evict(self) -> int:
        """Free all blocks that are only kept for reuse; says how many these were."""
        count = self.index.num_idle
        for _ in range(count):
            self._evict_oldest()
        return count

    def _note_if_idle(self, block: int) -> None:
        if block in self.index and not self.users(block):
            self.index.set_idle(block)

    def _make_room(self) -> None:
        if not self.allocator.num_free and self.index.num_idle:
            self._evict_oldest()

    def _evict_oldest(self) -> None:
        self.allocator.free(self.index.pop_oldest())
