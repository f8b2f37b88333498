"""The blocked graphs of keys and values in a block cache."""

import math
from dataclasses import dataclass

from irattn.rendering.blocked.plan import Blocked
from irattn.rendering.cache_writing import CacheWriting
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec


@dataclass(frozen=True)
class BlockedPagedAttention(Blocked):
    """Keys lie in blocks that a table names."""

    spec: PagedAttentionSpec

    @property
    def block_size(self) -> int:
        return self.spec.block_size

    @property
    def size_of_keys(self) -> str:
        return "%max_blocks_dim"

    @property
    def keys_of_size(self) -> int:
        return self.spec.block_size

    @property
    def key_run(self) -> int:
        return math.gcd(self.spec.block_size, self.tile.registers.lanes)


@dataclass(frozen=True)
class BlockedPagedUpdateAttention(BlockedPagedAttention):
    """New tokens are written before."""

    spec: PagedUpdateAttentionSpec

    @property
    def writing(self) -> CacheWriting:
        return CacheWriting(self.spec, self.target)
