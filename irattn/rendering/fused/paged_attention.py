"""The fused graphs of keys and values in a block cache."""

from dataclasses import dataclass

from irattn.rendering.fused.arguments import Flat
from irattn.rendering.fused.plan import Fused
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.tensors import AnySize


@dataclass(frozen=True)
class FusedPagedAttention(Fused):
    """Rows of keys are numbered by block, head and slot; a table tells the blocks."""

    spec: PagedAttentionSpec

    @property
    def has_table(self) -> bool:
        return True

    def is_of_one_page(self, keys: int) -> bool:
        return self.spec.block_size % keys == 0

    @property
    def key_argument(self) -> str:
        return "key_cache"

    @property
    def value_argument(self) -> str:
        return "value_cache"

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        return {**super().named_sizes, "pages": self.spec.size("max_blocks")}

    def source_of(self, flat: Flat) -> str:
        """Caches that the function has written are read as it left them."""
        updates = {old: new for new, old in self.spec.updates.items()}
        return updates.get(flat.tensor.name, flat.tensor.name)
