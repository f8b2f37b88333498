"""Attention over packed sequences, in float64."""

from collections.abc import Iterator

import numpy as np

from irattn.reference.attention import (
    PlacedHead,
    Tensors,
    first_position,
    head_functions,
    sink_logits,
)
from irattn.reference.features import Head, attend
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec


def packed_attention(spec: PackedAttentionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of PackedAttentionSpec: cut out each sequence, then attend within it."""
    output = np.zeros(spec.outputs[0].largest_shape)
    lse = np.repeat(sink_logits(spec, tensors)[:, None], spec.q_tokens, axis=1)
    for at, lse_at, head in packed_heads(spec, tensors):
        output[at], lse[lse_at] = attend(spec, head)
    return (output, lse)[: len(spec.outputs)]


def packed_heads(
    spec: PackedAttentionSpec | PackedAttentionBackwardSpec, tensors: Tensors
) -> Iterator[PlacedHead]:
    """The inputs of each head of each sequence."""
    query, key, value = (tensors[name].astype(np.float64) for name in ("query", "key", "value"))
    sinks = sink_logits(spec, tensors)
    logits_shape = (spec.num_q_heads, spec.q_tokens, spec.kv_tokens)
    for s, head in np.ndindex(spec.batch, spec.num_q_heads):
        rows = slice(*tensors["cu_seqlens_q"][s : s + 2])
        tokens = slice(*tensors["cu_seqlens_k"][s : s + 2])
        kv_head = head // spec.group_size
        whole = {
            name: np.broadcast_to(tensors[name], logits_shape)[head, rows, tokens]
            for name in ("bias", "keep_mask")
            if name in tensors
        }
        num_rows, num_tokens = rows.stop - rows.start, tokens.stop - tokens.start
        yield (
            (rows, head),
            (head, rows),
            Head(
                query[rows, head],
                key[tokens, kv_head],
                value[tokens, kv_head],
                first_position(spec, tensors, s, int(num_rows), int(num_tokens)),
                slope=float(tensors["alibi_slopes"][head]) if spec.alibi else None,
                bias=whole["bias"].astype(np.float64) if spec.bias else None,
                keep_mask=whole.get("keep_mask"),
                sink=float(sinks[head]),
                **head_functions(spec, tensors, s, head, int(num_rows), int(num_tokens)),
            ),
        )
