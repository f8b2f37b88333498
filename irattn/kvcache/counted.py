"""Sequences of models that keep states alone: counted in blocks, in which nothing lies."""

from irattn.kvcache.group import LayerGroup
from irattn.kvcache.pool import BlockPool
from irattn.kvcache.sequences import PagedSequences


class CountedSequences(PagedSequences):
    """The sequences of a model without layers that attend, as a PagedCache counts them.

    What sequences begin with is known by whole blocks of `block_size` tokens, so that states at the
    ends of these serve others, too.
    """

    def __init__(self, num_blocks: int, block_size: int, max_blocks: int) -> None:
        of_all = LayerGroup((0,), None, None, block_size, BlockPool(num_blocks))
        super().__init__([of_all], max_blocks)

    def _copy_blocks(self, group: LayerGroup, blocks: list[tuple[int, int]]) -> None:
        """Copy nothing: blocks have no contents."""
