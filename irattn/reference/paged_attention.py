"""Causal attention over a block cache, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.attention import attend
from irattn.specs import PagedAttentionSpec


def paged_attention(spec: PagedAttentionSpec, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """The meaning of PagedAttentionSpec: read each sequence out of its blocks, then attend."""
    query = tensors["query"].astype(np.float64)
    output = np.zeros(spec.outputs[0].shape)
    for b, context_len in enumerate(tensors["context_lens"]):
        tokens = np.arange(context_len)
        blocks = tensors["block_table"][b, tokens // spec.block_size]
        slots = tokens % spec.block_size
        if context_len == 0:
            continue
        for head in range(spec.num_q_heads):
            kv_head = head // spec.group_size
            key = tensors["key_cache"][blocks, kv_head, slots].astype(np.float64)
            value = tensors["value_cache"][blocks, kv_head, slots].astype(np.float64)
            output[b, head] = attend(query[b, head], key, value, spec.scale, causal=True)
    return output
