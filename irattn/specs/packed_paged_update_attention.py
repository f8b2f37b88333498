"""One step of an engine: packed new tokens go into the block cache, then their queries attend."""

from dataclasses import dataclass, fields
from typing import ClassVar

from irattn.core.tensors import TensorType, key, value
from irattn.specs.cache_write import slot_mapping
from irattn.specs.packed_paged_attention import (
    PackedPagedAttentionSpec,
    packed_paged_base,
    packed_paged_tiny,
)
from irattn.specs.pages import WritesPages


@dataclass(frozen=True, kw_only=True)
class PackedPagedUpdateAttentionSpec(WritesPages, PackedPagedAttentionSpec):
    """CacheWriteSpec and PackedPagedAttentionSpec as one function: write first, then attend.

    Tensors besides those of PackedPagedAttentionSpec:

    - key `[q_tokens, num_kv_heads, head_dim]` and value `[q_tokens, num_kv_heads, value_dim]` in
      `io_dtype`, of the current queries
    - slot_mapping int32 (int64 accepted) `[q_tokens]`: the cache slot of each,
      `block * block_size + offset`, or -1 for a token that is not written, as padding or a token of
      a shared prefix that is there already; no slot may be named twice
    - updated_key_cache, updated_value_cache: the caches with the new tokens, after the outputs of
      PackedPagedAttentionSpec. On the device they are the caches' own memory. With `joint_cache`
      one array may be given, and donated, as both: each writes its own half of a block's slots

    With `latent_cache` there is neither a value nor an updated_value_cache. Where each token of a
    quantised cache has its own scale, updated_key_scale and updated_value_scale follow.

    `context_lens` counts the new tokens. A query sees what the caches hold once all sequences'
    tokens are written; that `slot_mapping` and `block_table` name the same slots is the caller's
    business.
    """

    op: ClassVar[str] = "packed_paged_update_attention"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        query, *others = super().inputs
        new = (self.num_queries, self.num_kv_heads)
        return (
            query,
            key((*new, self.head_dim), self.io_dtype),
            *(() if self.latent_cache else (value((*new, self.v_dim), self.io_dtype),)),
            slot_mapping((self.num_queries,), self.num_blocks * self.block_size),
            *others,
        )


def packed_updating(spec: PackedPagedAttentionSpec) -> PackedPagedUpdateAttentionSpec:
    """The spec that also writes the new tokens."""
    return PackedPagedUpdateAttentionSpec(**{f.name: getattr(spec, f.name) for f in fields(spec)})


CATALOGUE = {
    "packed_paged_update_tiny": packed_updating(packed_paged_tiny()),
    "packed_paged_update_base": packed_updating(packed_paged_base()),
    "packed_update_int4_tiny": packed_updating(
        packed_paged_tiny(head_dim=64, io_dtype="f16", cache_dtype="int4")
    ),
}
