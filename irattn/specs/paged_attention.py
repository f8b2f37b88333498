"""Attention over a key and value cache kept in blocks."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.tensors import (
    AnySize,
    Role,
    TensorType,
    context_lens,
    integers,
    q_lens,
    query,
)
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import DynamicAttention
from irattn.specs.pages import ReadsPages
from irattn.specs.sizes import BASE_HEADS, BASE_PAGES, BENCH_GQA, TINY_HEADS, TINY_PAGES


@dataclass(frozen=True, kw_only=True)
class PagedAttentionSpec(ReadsPages, DynamicAttention):
    """Attention whose keys and values lie in cache blocks (Kwon et al. 2023, PagedAttention).

    Tensors:

    - query `[batch, num_q_heads, q_len, head_dim]` in `io_dtype`
    - key_cache `[num_blocks, num_kv_heads, block_size, head_dim]` and value_cache
      `[num_blocks, num_kv_heads, block_size, value_dim]` in `io_dtype`
    - block_table int32 (int64 accepted) `[batch, max_blocks]`: token `j` of sequence `b` lies in
      block `block_table[b, j // block_size]`, slot `j % block_size`; entries past the context, and
      those of which all tokens lie before the window of the first query, are ignored
    - context_lens int32 (int64 accepted) `[batch]`: valid KV tokens of each sequence, the current
      queries included
    - with `ragged`, q_lens int32 (int64 accepted) `[batch]`: how many of the `q_len` queries are
      real, as in a batch that mixes prefill and decode; the others give zeros
    - output `[batch, num_q_heads, q_len, value_dim]` in `io_dtype`

    With `latent_cache` (DeepSeek-V2) there is no value_cache: values are the first `value_dim`
    columns of the keys. With `cache_dtype` the caches are quantised, and key_scale and value_scale
    follow them (CacheElements); attention reads them as they lie.

    With `layout` `NHD`, tokens come before heads: query and output
    `[batch, q_len, num_q_heads, …]`, caches `[num_blocks, block_size, num_kv_heads, …]`.

    Causal by default: query `i` of sequence `b` sees token `j` where
    `j <= i + context_lens[b] - q_lens[b]`. What the other fields do to the logits,
    AttentionFeatures tells; its keys are the `max_blocks * block_size` tokens of the table.
    `dynamic` lists the sizes that every call chooses for itself, some of batch, q_len, num_blocks
    and max_blocks; the fields say how large they may be. `q_len` 1 is decode, more is prefill.
    Slots past a context, and blocks that no sequence uses, may hold anything.
    """

    op: ClassVar[str] = "paged_attention"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len", "num_blocks", "max_blocks")
    takes_functions: ClassVar[bool] = True

    q_len: int
    block_size: int = 16
    num_blocks: int
    max_blocks: int
    causal: bool = True
    latent_cache: bool = False
    cache_dtype: str | None = None
    cache_scale: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "q_len", "block_size", "num_blocks", "max_blocks")
        check_flag("ragged", self.ragged)
        self._check_features()
        self._check_sizes()
        self._check_pages()

    @property
    def num_queries(self) -> AnySize:
        return self.size("q_len")

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        t, d, b = self.io_dtype, self.head_dim, self.size("batch")
        rows = self.laid_out(self.num_q_heads, self.num_queries)
        blocks = (0, self.num_blocks - 1)
        return (
            query((b, *rows, d), t),
            *self.stored,
            integers("block_table", (b, self.size("max_blocks")), Role.BLOCK_IDS, blocks),
            *((q_lens(b, self.q_len),) if self.ragged else ()),
            context_lens(b, self.max_context),
            *self.feature_inputs,
        )


def paged_tiny(q_len: int, **fields: Any) -> PagedAttentionSpec:
    """Catalogue entries of two short sequences."""
    sizes = TINY_HEADS | TINY_PAGES
    return PagedAttentionSpec(**sizes, batch=2, num_kv_heads=2, q_len=q_len, **fields)


def paged_base(q_len: int, **fields: Any) -> PagedAttentionSpec:
    """Catalogue entries of four sequences of up to 2048 tokens."""
    sizes = BASE_HEADS | BASE_PAGES
    return PagedAttentionSpec(**sizes, batch=4, num_kv_heads=8, q_len=q_len, **fields)


def _bench(
    batch: int, context: int, io_dtype: str, cache_dtype: str | None = None
) -> dict[str, PagedAttentionSpec]:
    """An entry of the suite that is timed: decode over so many tokens for each sequence."""
    blocks = context // 16
    spec = PagedAttentionSpec(
        **BENCH_GQA,
        io_dtype=io_dtype,
        batch=batch,
        q_len=1,
        num_blocks=batch * blocks,
        max_blocks=blocks,
        cache_dtype=cache_dtype,
    )
    return {f"paged_decode_{batch}x{context}_{cache_dtype or io_dtype}_bench": spec}


CATALOGUE = {
    "gqa_paged_prefill_tiny": paged_tiny(32),
    "gqa_paged_prefill_base": paged_base(512),
    "gqa_paged_decode_tiny": paged_tiny(1),
    "gqa_paged_decode_base": paged_base(1),
    "paged_mixed_tiny": paged_tiny(16, ragged=True),
    "paged_mixed_base": paged_base(64, ragged=True),
    "paged_window_sinks_tiny": paged_tiny(1, window=(7, None), sinks=True),
    "paged_window_sinks_base": paged_base(1, window=(127, None), sinks=True),
    "paged_soft_cap_lse_tiny": paged_tiny(1, logits_soft_cap=2.0, return_lse=True),
    "paged_soft_cap_lse_base": paged_base(1, logits_soft_cap=50.0, return_lse=True),
    "dynamic_paged_decode_tiny": paged_tiny(1, dynamic=("batch", "num_blocks", "max_blocks")),
    "dynamic_paged_decode_base": paged_base(1, dynamic=("batch", "num_blocks", "max_blocks")),
    "paged_tokens_first_tiny": paged_tiny(5, layout="NHD"),
    # As DeepSeek's latent attention decodes: one KV head, whose values are part of its keys.
    "paged_latent_decode_tiny": paged_tiny(1, value_dim=24).replace(num_kv_heads=1),
    "paged_latent_decode_base": paged_base(1, value_dim=512).replace(
        num_q_heads=128, num_kv_heads=1, head_dim=576
    ),
    # Numbers of 8 bits with scales of tokens, as `irattn generate --cache-dtype` keeps them.
    "paged_int8_decode_tiny": paged_tiny(1).replace(
        io_dtype="f16", head_dim=64, cache_dtype="int8"
    ),
    "paged_int8_decode_base": paged_base(1, cache_dtype="int8"),
    **_bench(1, 4096, "f32"),
    **_bench(1, 4096, "f16"),
    **_bench(1, 4096, "f16", "int8"),
    **_bench(1, 4096, "f16", "fp8_e4m3"),
    **_bench(1, 4096, "f16", "int4"),
    **_bench(4, 1024, "f32"),
    **_bench(4, 1024, "f16"),
}
