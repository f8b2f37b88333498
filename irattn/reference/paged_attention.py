"""Attention over a block cache, in float64."""

from collections.abc import Iterator

import numpy as np

from irattn.reference.attention import (
    PlacedHead,
    Tensors,
    first_position,
    head_features,
    nothing_seen,
)
from irattn.reference.features import Head, attend
from irattn.reference.layouts import heads_first
from irattn.reference.quantised_cache import dequantised
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec


def paged_attention(spec: PagedAttentionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of PagedAttentionSpec: read each sequence out of its blocks, then attend."""
    output, lse = nothing_seen(spec, tensors)
    for at, lse_at, head in paged_heads(spec, tensors):
        output[at], lse[lse_at] = attend(spec, head)
    output = heads_first(spec.layout, output)
    return (output, lse) if spec.return_lse else (output,)


def caches_of(
    spec: PagedAttentionSpec | PackedPagedAttentionSpec, tensors: Tensors
) -> tuple[np.ndarray, np.ndarray]:
    """The caches with heads before slots; of a latent one, values are the keys' first columns."""
    keys = dequantised(spec, tensors["key_cache"], tensors.get("key_scale"))
    if spec.latent_cache:
        return keys, keys[..., : spec.v_dim]
    return keys, dequantised(spec, tensors["value_cache"], tensors.get("value_scale"))


def paged_heads(spec: PagedAttentionSpec, tensors: Tensors) -> Iterator[PlacedHead]:
    """The inputs of each head of each sequence; places are those of heads before tokens."""
    query = heads_first(spec.layout, tensors["query"].astype(np.float64))
    key_cache, value_cache = caches_of(spec, tensors)
    q_lens = tensors.get("q_lens", [spec.q_len] * spec.batch)
    for b, context_len in enumerate(tensors["context_lens"]):
        tokens = np.arange(context_len)
        blocks = tensors["block_table"][b, tokens // spec.block_size]
        slots = tokens % spec.block_size
        rows = int(q_lens[b])
        for head in range(spec.num_q_heads):
            kv_head = head // spec.group_size
            at = (b, head, slice(rows))
            yield (
                at,
                at,
                Head(
                    query[b, head, :rows],
                    key_cache[blocks, kv_head, slots].astype(np.float64),
                    value_cache[blocks, kv_head, slots].astype(np.float64),
                    first_position(spec, tensors, b, rows, int(context_len)),
                    **head_features(spec, tensors, b, head, rows, int(context_len)),
                ),
            )
