"""The blocked graphs of keys and values in a block cache."""

import math
from dataclasses import dataclass

from irattn.rendering.blocked.plan import Blocked
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.tensors import TensorType


@dataclass(frozen=True)
class BlockedPagedAttention(Blocked):
    """Keys lie in blocks that a table names."""

    spec: PagedAttentionSpec

    @property
    def has_table(self) -> bool:
        return True

    def key_place(self, token: str) -> tuple[str, ...]:
        return (f"%{token}_block", "%kv_head", f"%{token}_slot")

    @property
    def size_of_keys(self) -> str:
        return "%max_blocks_dim"

    @property
    def keys_of_size(self) -> int:
        return self.spec.block_size

    @property
    def key_run(self) -> int:
        return math.gcd(self.spec.block_size, self.tile.registers.lanes)

    @property
    def key_argument(self) -> TensorType:
        return self._input("key_cache")

    @property
    def value_argument(self) -> TensorType:
        return self._input("value_cache")

    def source_of(self, tensor: TensorType) -> str:
        """Caches that the function has written are read as it left them."""
        updates = {old: new for new, old in self.spec.updates.items()}
        written = updates.get(tensor.name)
        return f"%{written}" if written else super().source_of(tensor)
