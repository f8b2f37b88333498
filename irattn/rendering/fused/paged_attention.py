"""The fused graphs of keys and values in a block cache."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize
from irattn.rendering.fused.plan import Fused
from irattn.specs.paged_attention import PagedAttentionSpec


@dataclass(frozen=True)
class FusedPagedAttention(Fused):
    """Rows of keys are numbered by block, head and slot; a table tells the blocks."""

    spec: PagedAttentionSpec

    def is_of_one_page(self, keys: int) -> bool:
        return self.spec.block_size % keys == 0

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        return {**super().named_sizes, "pages": self.spec.size("max_blocks")}
