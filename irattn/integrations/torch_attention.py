"""The calls of attention and caches that operators of PyTorch make."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from irattn.core.dtypes import any_name
from irattn.functional.calls import spec_of
from irattn.functional.contiguous import HEAD_FIELDS
from irattn.integrations.torch_calls import given, run_on_tensors
from irattn.specs import Spec
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec

Tensor: TypeAlias = Any


def paged_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    q_lens: Tensor | None = None,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    **options: Any,
) -> Tensor:
    """Attention of each sequence's last tokens over its blocks of a cache."""
    tensors = {
        "query": query,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "block_table": block_table,
        "context_lens": context_lens,
    }
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    return _over_pages(PagedAttentionSpec, tensors, q_lens, of_heads, **options)


def paged_update_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    slot_mapping: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    q_lens: Tensor | None = None,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    **options: Any,
) -> Tensor:
    """Attention over a cache that new keys and values are written to first, in place."""
    tensors = {
        "query": query,
        "key": key,
        "value": value,
        "slot_mapping": slot_mapping,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "block_table": block_table,
        "context_lens": context_lens,
    }
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    return _over_pages(PagedUpdateAttentionSpec, tensors, q_lens, of_heads, **options)


def _over_pages(
    make: type[Spec],
    tensors: Mapping[str, Tensor],
    q_lens: Tensor | None,
    of_heads: Mapping[str, Tensor | None],
    *,
    causal: bool = True,
    **features: Any,
) -> Tensor:
    """The output of a batch of padded queries over pages."""
    query, key_cache = tensors["query"], tensors["key_cache"]
    spec = _spec(
        make,
        features,
        of_heads,
        batch=query.shape[0],
        q_len=query.shape[2],
        causal=causal,
        ragged=q_lens is not None,
        **_heads(query, key_cache, tensors["value_cache"]),
        **_pages(key_cache, tensors["block_table"]),
    )
    return run_on_tensors(spec, {**tensors, **given({"q_lens": q_lens, **of_heads})}, features)[0]


def packed_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    *,
    causal: bool = False,
    **features: Any,
) -> Tensor:
    """Attention of sequences that lie one after the other, without padding."""
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    spec = _spec(
        PackedAttentionSpec,
        features,
        of_heads,
        batch=cu_seqlens_q.shape[0] - 1,
        q_tokens=query.shape[0],
        kv_tokens=key.shape[0],
        causal=causal,
        **_heads(query, key, value),
    )
    tensors = {
        "query": query,
        "key": key,
        "value": value,
        "cu_seqlens_q": cu_seqlens_q,
        "cu_seqlens_k": cu_seqlens_k,
    }
    return run_on_tensors(spec, tensors | given(of_heads), features)[0]


def packed_paged_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    cu_seqlens_q: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    **options: Any,
) -> Tensor:
    """Attention of packed queries over blocks of a cache."""
    tensors = {
        "query": query,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "cu_seqlens_q": cu_seqlens_q,
        "block_table": block_table,
        "context_lens": context_lens,
    }
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    return _packed_over_pages(PackedPagedAttentionSpec, tensors, of_heads, **options)


def packed_paged_update_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    slot_mapping: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    cu_seqlens_q: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    **options: Any,
) -> Tensor:
    """Attention of packed queries over a cache that new keys and values are written to first."""
    tensors = {
        "query": query,
        "key": key,
        "value": value,
        "slot_mapping": slot_mapping,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "cu_seqlens_q": cu_seqlens_q,
        "block_table": block_table,
        "context_lens": context_lens,
    }
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    return _packed_over_pages(PackedPagedUpdateAttentionSpec, tensors, of_heads, **options)


def _packed_over_pages(
    make: type[Spec],
    tensors: Mapping[str, Tensor],
    of_heads: Mapping[str, Tensor | None],
    *,
    causal: bool = True,
    **features: Any,
) -> Tensor:
    """The output of packed queries over pages."""
    query, key_cache = tensors["query"], tensors["key_cache"]
    spec = _spec(
        make,
        features,
        of_heads,
        batch=tensors["context_lens"].shape[0],
        q_tokens=query.shape[0],
        causal=causal,
        **_heads(query, key_cache, tensors["value_cache"]),
        **_pages(key_cache, tensors["block_table"]),
    )
    return run_on_tensors(spec, {**tensors, **given(of_heads)}, features)[0]


def cache_write(
    key: Tensor,
    value: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    slot_mapping: Tensor,
    *,
    exact_sizes: bool = False,
) -> None:
    """New keys and values written to slots of a cache, in place."""
    num_blocks, num_kv_heads, block_size, head_dim = key_cache.shape
    spec = spec_of(
        CacheWriteSpec,
        io_dtype=any_name(key.dtype),
        num_tokens=key.shape[0],
        num_kv_heads=num_kv_heads,
        head_dim=head_dim,
        value_dim=value_cache.shape[3],
        block_size=block_size,
        num_blocks=num_blocks,
    )
    tensors = {
        "key": key,
        "value": value,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "slot_mapping": slot_mapping,
    }
    run_on_tensors(spec, tensors, {"exact_sizes": exact_sizes})


def _spec(
    make: type[Spec],
    features: Mapping[str, Any],
    of_heads: Mapping[str, Tensor | None],
    **fields: Any,
) -> Spec:
    """The static spec of a call of attention."""
    fields |= {field: of_heads[name] is not None for name, field in HEAD_FIELDS.items()}
    words = {name: features.get(name) for name in ("softmax_scale", "window", "logits_soft_cap")}
    return spec_of(make, **words, **fields)


def _heads(query: Tensor, key: Tensor, value: Tensor) -> dict[str, Any]:
    """Heads and their sizes; those of caches and of queries by batch stand on the second axis."""
    return {
        "io_dtype": any_name(query.dtype),
        "num_q_heads": query.shape[1],
        "num_kv_heads": key.shape[1],
        "head_dim": query.shape[-1],
        "value_dim": value.shape[-1],
    }


def _pages(key_cache: Tensor, block_table: Tensor) -> dict[str, int]:
    return {
        "num_blocks": key_cache.shape[0],
        "block_size": key_cache.shape[2],
        "max_blocks": block_table.shape[1],
    }
