"""Where a batch's new tokens go in a cache of pages, in the words of attention over blocks."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, context_lens, integers
from irattn.specs.base import check_flag, check_positive
from irattn.specs.block_cache import check_rows
from irattn.specs.cache_write import slot_mapping
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class PageSlotsSpec(DynamicSizes):
    """Slots, blocks and contexts, from what FlashAttention's calls tell of a cache in pages.

    A page has `blocks_per_page` blocks of `block_size` tokens. Tensors, int32 (int64 accepted):

    - cached_lens `[batch]`: the tokens of each sequence in the cache before the call; -1 for
      padding, of which nothing is written
    - page_table `[batch, max_pages]`: the pages of each sequence; a number out of range names none
    - tokens `[batch, new_tokens]` and pool `[num_pages, blocks_per_page]`: only their shapes count
    - slot_mapping `[batch, new_tokens]`: the slot of each new token,
      `page * page_size + offset`, or -1 where there is no page for it
    - block_table `[batch, max_pages, blocks_per_page]`: the blocks of each page, in its order; of a
      number that names no page, those of the nearest one
    - context_lens `[batch]`: tokens with the new ones, at most what `max_pages` hold

    Without `writes` there are no new tokens: slots are -1, and contexts are as before. `dynamic`
    may name all sizes but `block_size`; the slots of a call must be numbers of 32 bits.
    """

    op: ClassVar[str] = "page_slots"
    dynamic_names: ClassVar[tuple[str, ...]] = (
        *("batch", "new_tokens", "max_pages", "num_pages", "blocks_per_page"),
    )

    batch: int = 1
    new_tokens: int = 1
    max_pages: int
    num_pages: int
    blocks_per_page: int = 1
    block_size: int = 16
    writes: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, *self.dynamic_names, "block_size")
        check_flag("writes", self.writes)
        self._check_dynamic()
        if not self.dynamic:
            # Sizes that a call chooses are not all the largest at once.
            check_rows(self._num_slots, "num_pages * blocks_per_page * block_size")
            check_rows(self._most_tokens, "max_pages * blocks_per_page * block_size")

    @property
    def io_dtype(self) -> str:
        return "i32"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        batch, shape_only = self.size("batch"), (0, 0)
        pages = (batch, self.size("max_pages"))
        pool = (self.size("num_pages"), self.size("blocks_per_page"))
        return (
            integers("cached_lens", (batch,), Role.POSITIONS, (-1, self._most_tokens)),
            integers("page_table", pages, Role.POSITIONS, (-1, self.num_pages)),
            integers("tokens", self._tokens, Role.POSITIONS, shape_only),
            integers("pool", pool, Role.POSITIONS, shape_only),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        batch = self.size("batch")
        table = (batch, self.size("max_pages"), self.size("blocks_per_page"))
        last = self.num_pages * self.blocks_per_page - 1
        return (
            slot_mapping(self._tokens, self._num_slots),
            integers("block_table", table, Role.BLOCK_IDS, (0, last)),
            context_lens(batch, self._most_tokens),
        )

    @property
    def flops(self) -> int:
        """Numbers made."""
        return self.batch * (self.new_tokens + self.max_pages * self.blocks_per_page + 1)

    @property
    def _tokens(self) -> tuple[AnySize, ...]:
        return (self.size("batch"), self.size("new_tokens"))

    @property
    def _num_slots(self) -> int:
        return self.num_pages * self.blocks_per_page * self.block_size

    @property
    def _most_tokens(self) -> int:
        return self.max_pages * self.blocks_per_page * self.block_size


CATALOGUE = {
    "page_slots_tiny": PageSlotsSpec(
        batch=3, new_tokens=4, max_pages=4, num_pages=9, blocks_per_page=2
    ),
    "page_slots_base": PageSlotsSpec(
        batch=64,
        max_pages=128,
        num_pages=8192,
        dynamic=("batch", "new_tokens", "max_pages", "num_pages"),
    ),
}
