"""One step of a model's attention: new tokens go into the block cache, then queries attend."""

from dataclasses import dataclass, fields
from typing import ClassVar

from irattn.core.tensors import TensorType, key, value
from irattn.specs.cache_write import slot_mapping
from irattn.specs.paged_attention import PagedAttentionSpec, paged_base, paged_tiny
from irattn.specs.pages import WritesPages


@dataclass(frozen=True, kw_only=True)
class PagedUpdateAttentionSpec(WritesPages, PagedAttentionSpec):
    """CacheWriteSpec and PagedAttentionSpec as one function: write first, then attend.

    Tensors besides those of PagedAttentionSpec:

    - key `[batch, num_kv_heads, q_len, head_dim]` and value
      `[batch, num_kv_heads, q_len, value_dim]` in `io_dtype`, of the current queries; tokens before
      heads with `layout` `NHD`
    - slot_mapping int32 (int64 accepted) `[batch, q_len]`: the cache slot of each,
      `block * block_size + offset`, or -1 for a token that is not written, as the padding of a
      `ragged` batch or a token of a shared prefix that is there already; no slot may be named twice
    - updated_key_cache, updated_value_cache: the caches with the new tokens, after the outputs of
      PagedAttentionSpec. On the device they are the caches' own memory.

    With `latent_cache` there is neither a value nor an updated_value_cache. Where each token of a
    quantised cache has its own scale, updated_key_scale and updated_value_scale follow.

    `context_lens` counts the new tokens. A query sees what the caches hold once all sequences'
    tokens are written; that `slot_mapping` and `block_table` name the same slots is the caller's
    business.
    """

    op: ClassVar[str] = "paged_update_attention"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        query, *others = super().inputs
        batch, q_len = self.size("batch"), self.num_queries
        new = (batch, *self.laid_out(self.num_kv_heads, q_len))
        return (
            query,
            key((*new, self.head_dim), self.io_dtype),
            *(() if self.latent_cache else (value((*new, self.v_dim), self.io_dtype),)),
            slot_mapping((batch, q_len), self.num_blocks * self.block_size),
            *others,
        )


def updating(spec: PagedAttentionSpec) -> PagedUpdateAttentionSpec:
    """The spec that also writes the new tokens."""
    return PagedUpdateAttentionSpec(**{f.name: getattr(spec, f.name) for f in fields(spec)})


CATALOGUE = {
    "paged_update_decode_tiny": updating(paged_tiny(1)),
    "paged_update_decode_base": updating(paged_base(1)),
    "paged_update_prefill_tiny": updating(paged_tiny(32)),
    "paged_update_prefill_base": updating(paged_base(512)),
    "paged_update_mixed_tiny": updating(paged_tiny(16, ragged=True)),
    "paged_update_mixed_base": updating(paged_base(64, ragged=True)),
}
