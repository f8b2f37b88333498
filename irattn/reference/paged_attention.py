"""Attention over a block cache, in float64."""

import numpy as np

from irattn.reference.attention import Tensors, first_position, head_features, nothing_seen
from irattn.reference.features import Head, attend
from irattn.reference.layouts import heads_first
from irattn.specs.paged_attention import PagedAttentionSpec


def paged_attention(spec: PagedAttentionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of PagedAttentionSpec: read each sequence out of its blocks, then attend."""
    query = heads_first(spec.layout, tensors["query"].astype(np.float64))
    key_cache, value_cache = (
        heads_first(spec.layout, tensors[name]) for name in ("key_cache", "value_cache")
    )
    q_lens = tensors.get("q_lens", [spec.q_len] * spec.batch)
    output, lse = nothing_seen(spec, tensors)
    for b, context_len in enumerate(tensors["context_lens"]):
        tokens = np.arange(context_len)
        blocks = tensors["block_table"][b, tokens // spec.block_size]
        slots = tokens % spec.block_size
        rows = int(q_lens[b])
        for head in range(spec.num_q_heads):
            kv_head = head // spec.group_size
            output[b, head, :rows], lse[b, head, :rows] = attend(
                spec,
                Head(
                    query[b, head, :rows],
                    key_cache[blocks, kv_head, slots].astype(np.float64),
                    value_cache[blocks, kv_head, slots].astype(np.float64),
                    first_position(spec, tensors, b, rows, int(context_len)),
                    **head_features(spec, tensors, b, head, rows, int(context_len)),
                ),
            )
    output = heads_first(spec.layout, output)
    return (output, lse) if spec.return_lse else (output,)
