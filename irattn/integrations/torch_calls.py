"""The calls that operators of PyTorch make: their specs, and tensors where they lie."""

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from irattn.core.dtypes import any_name
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import like, taken
from irattn.functional.calls import run, spec_of
from irattn.functional.rotary import rope_spec_of
from irattn.runtime.size_policies import EXACT, POWER_OF_TWO
from irattn.specs import Spec
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.specs.rms_norm import RmsNormSpec

Tensor: TypeAlias = Any


def paged(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    q_lens: Tensor | None = None,
    sinks: Tensor | None = None,
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
    return _over_pages(PagedAttentionSpec, tensors, q_lens, sinks, **options)


def paged_update(
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
    return _over_pages(PagedUpdateAttentionSpec, tensors, q_lens, sinks, **options)


def _over_pages(
    make: type[Spec],
    tensors: Mapping[str, Tensor],
    q_lens: Tensor | None,
    sinks: Tensor | None,
    *,
    causal: bool = True,
    **features: Any,
) -> Tensor:
    """The output of a batch of padded queries over pages."""
    query, key_cache = tensors["query"], tensors["key_cache"]
    spec = _spec(
        make,
        features,
        batch=query.shape[0],
        q_len=query.shape[2],
        causal=causal,
        ragged=q_lens is not None,
        sinks=sinks is not None,
        **_heads(query, key_cache, tensors["value_cache"]),
        **_pages(key_cache, tensors["block_table"]),
    )
    return _run(spec, {**tensors, **_given({"q_lens": q_lens, "sinks": sinks})}, features)[0]


def packed(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    sinks: Tensor | None = None,
    *,
    causal: bool = False,
    **features: Any,
) -> Tensor:
    """Attention of sequences that lie one after the other, without padding."""
    spec = _spec(
        PackedAttentionSpec,
        features,
        batch=cu_seqlens_q.shape[0] - 1,
        q_tokens=query.shape[0],
        kv_tokens=key.shape[0],
        causal=causal,
        sinks=sinks is not None,
        **_heads(query, key, value),
    )
    tensors = {
        "query": query,
        "key": key,
        "value": value,
        "cu_seqlens_q": cu_seqlens_q,
        "cu_seqlens_k": cu_seqlens_k,
    }
    return _run(spec, tensors | _given({"sinks": sinks}), features)[0]


def packed_paged(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    cu_seqlens_q: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    sinks: Tensor | None = None,
    *,
    causal: bool = True,
    **features: Any,
) -> Tensor:
    """Attention of packed queries over blocks of a cache."""
    spec = _spec(
        PackedPagedAttentionSpec,
        features,
        batch=context_lens.shape[0],
        q_tokens=query.shape[0],
        causal=causal,
        sinks=sinks is not None,
        **_heads(query, key_cache, value_cache),
        **_pages(key_cache, block_table),
    )
    tensors = {
        "query": query,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "cu_seqlens_q": cu_seqlens_q,
        "block_table": block_table,
        "context_lens": context_lens,
    }
    return _run(spec, tensors | _given({"sinks": sinks}), features)[0]


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
    _run(spec, tensors, {"exact_sizes": exact_sizes})


def rope(
    query: Tensor,
    key: Tensor,
    positions: Tensor,
    *,
    theta: float = 10000.0,
    rope_style: str = "rotate_half",
    rotary_dim: int | None = None,
    exact_sizes: bool = False,
) -> tuple[Tensor, Tensor]:
    """Query and key turned by the angles of their positions."""
    spec = rope_spec_of(query, key, theta=theta, rope_style=rope_style, rotary_dim=rotary_dim)
    tensors = {"query": query, "key": key, "positions": positions}
    rotated, other = _run(spec, tensors, {"exact_sizes": exact_sizes})
    # An operator's results may not share memory, in which the two lie one after the other.
    return rotated, other.clone()


def rms_norm(
    x: Tensor, weight: Tensor, *, eps: float = 1e-6, offset: float = 0.0, exact_sizes: bool = False
) -> Tensor:
    """Rows divided by their root mean square, times a weight."""
    columns = x.shape[-1]
    rows = x.reshape(-1, columns)
    spec = spec_of(
        RmsNormSpec,
        io_dtype=any_name(x.dtype),
        rows=rows.shape[0],
        columns=columns,
        eps=eps,
        offset=offset,
    )
    (output,) = _run(spec, {"x": rows, "weight": weight}, {"exact_sizes": exact_sizes})
    return output.reshape(x.shape)


def _spec(make: type[Spec], features: Mapping[str, Any], **fields: Any) -> Spec:
    """The static spec of a call of attention."""
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


def _given(tensors: Mapping[str, Tensor | None]) -> dict[str, Tensor]:
    return {name: tensor for name, tensor in tensors.items() if tensor is not None}


def _run(
    spec: Spec, tensors: Mapping[str, Tensor], options: Mapping[str, Any]
) -> tuple[Tensor, ...]:
    """The outputs of a call that are no caches; those are written."""
    name, first = next(iter(tensors.items()))
    check_reachable(name, first.device)
    check_same_device(first.device, tensors)
    arrays = {name: taken(name, tensor.detach()) for name, tensor in tensors.items()}
    updates = spec.updates
    _check_in_place(updates.values(), tensors)
    policy = EXACT if options.get("exact_sizes") else POWER_OF_TWO
    how: dict[str, Any] = {"policy": policy, "target": None, "device": "auto"}
    results = run(spec, arrays, **how, donate=tuple(updates.values()))
    named = zip((tensor.name for tensor in spec.outputs), results, strict=True)
    outputs = {name: like(first, result) for name, result in named}
    for name, cache in updates.items():
        written = outputs.pop(name)
        if written.data_ptr() != tensors[cache].data_ptr():
            tensors[cache].copy_(written)
    return tuple(outputs.values())


def check_reachable(name: str, device: Any) -> None:
    """ArgumentError for a tensor whose device irattn cannot reach."""
    if device.type not in ("cpu", "cuda"):
        raise ArgumentError(f"{name}: expected it on the CPU or a GPU, got {device}")


def check_same_device(wanted: Any, tensors: Mapping[str, Tensor]) -> None:
    """ArgumentError for a tensor that is on another device than the first one's."""
    for name, tensor in tensors.items():
        if tensor.device != wanted:
            raise ArgumentError(f"{name}: expected it on {wanted}, got {tensor.device}")


def _check_in_place(names: Collection[str], tensors: Mapping[str, Tensor]) -> None:
    for name in names:
        if not tensors[name].is_contiguous():
            raise ArgumentError(
                f"{name}: expected elements that lie row by row, as it is written in place"
            )
