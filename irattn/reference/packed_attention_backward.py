"""The gradient of packed attention, in float64."""

from collections.abc import Iterator, Mapping

import numpy as np

from irattn.reference.attention_backward import (
    Attended,
    GivenHead,
    gradient_of_sinks,
    head_gradients,
)
from irattn.reference.packed_attention import packed_heads
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec

Tensors = Mapping[str, np.ndarray]


def packed_attention_backward(
    spec: PackedAttentionBackwardSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of PackedAttentionBackwardSpec: within each sequence, head by head."""
    made = [np.zeros(tensor.largest_shape) for tensor in spec.outputs]
    for one in given_packed_heads(spec, tensors):
        found = head_gradients(spec, one.head, one.made)
        made[0][one.at] = found.query
        made[1][one.kv] += found.key
        made[2][one.kv] += found.value
        if spec.sinks:
            delta = (one.made.gradient * one.made.output).sum(axis=-1)
            of_head = gradient_of_sinks(np.asarray(one.head.sink), one.made.lse, delta, (0,))
            made[3][one.number] += of_head
    return tuple(made)


def given_packed_heads(spec: PackedAttentionBackwardSpec, tensors: Tensors) -> Iterator[GivenHead]:
    """Each query head of each sequence, with what attention made of it."""
    output, lse, given = (
        tensors[name].astype(np.float64) for name in ("output", "lse", "output_gradient")
    )
    for n, (at, lse_at, head) in enumerate(packed_heads(spec, tensors)):
        sequence, number = divmod(n, spec.num_q_heads)
        tokens = slice(*tensors["cu_seqlens_k"][sequence : sequence + 2])
        kv = (tokens, number // spec.group_size)
        yield GivenHead(number, at, lse_at, kv, head, Attended(output[at], lse[lse_at], given[at]))
