"""Who holds which block of a pool."""

from irattn.core.errors import ArgumentError, OutOfBlocksError, shown
from irattn.core.numbers import whole


class BlockAllocator:
    """Hands out the blocks 0 to `num_blocks - 1` and counts their holders; every call is O(1).

    A block that several hold must not be written: `own` gives a holder one of its own. Blocks that
    this allocator has not handed out, or that nobody holds any more, are refused with an
    ArgumentError.
    """

    def __init__(self, num_blocks: int) -> None:
        num_blocks = whole("num_blocks", num_blocks, error=ArgumentError)
        self._holders = [0] * num_blocks
        # A stack: the lowest first, and then what was freed last, which caches may still have.
        self._free = list(range(num_blocks - 1, -1, -1))

    @property
    def num_blocks(self) -> int:
        """All blocks, held or free."""
        return len(self._holders)

    @property
    def num_free(self) -> int:
        """Blocks that nobody holds."""
        return len(self._free)

    def holders(self, block: int) -> int:
        """The number of holders of a block; 0 where it is free."""
        if type(block) is not int or not 0 <= block < len(self._holders):
            raise ArgumentError(
                f"block: expected 0 to {len(self._holders) - 1}, got {shown(block)}; "
                "only what allocate() gave belongs here"
            )
        return self._holders[block]

    def allocate(self) -> int:
        """A free block, with one holder; OutOfBlocksError where there is none."""
        if not self._free:
            raise OutOfBlocksError(
                f"expected a free block, got none: all {self.num_blocks} are held; free some, or "
                "make num_blocks larger"
            )
        block = self._free.pop()
        self._holders[block] = 1
        return block

    def share(self, block: int) -> None:
        """Count one holder more."""
        self._check_held(block)
        self._holders[block] += 1

    def free(self, block: int) -> None:
        """Count one holder less; the block is free when none is left."""
        self._check_held(block)
        self._holders[block] -= 1
        if not self._holders[block]:
            self._free.append(block)

    def own(self, block: int) -> int:
        """A block for one who is about to write: this one if no other holds it, else a new one.

        The contents of the old one are the caller's to copy. OutOfBlocksError, with nothing
        changed, where a new one is needed and none is free.
        """
        self._check_held(block)
        if self._holders[block] == 1:
            return block
        new = self.allocate()
        self._holders[block] -= 1
        return new

    def _check_held(self, block: int) -> None:
        if not self.holders(block):
            raise ArgumentError(f"block: expected one that is held, got {block}, which is free")
