"""The gradient of packed attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.attention_backward import Attended, gradient_of_sinks, head_gradients
from irattn.reference.packed_attention import packed_heads
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec

Tensors = Mapping[str, np.ndarray]


def packed_attention_backward(
    spec: PackedAttentionBackwardSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of PackedAttentionBackwardSpec: within each sequence, head by head."""
    output, lse, given = (
        tensors[name].astype(np.float64) for name in ("output", "lse", "output_gradient")
    )
    made = [np.zeros(tensor.largest_shape) for tensor in spec.outputs]
    for n, (at, lse_at, head) in enumerate(packed_heads(spec, tensors)):
        sequence, number = divmod(n, spec.num_q_heads)
        tokens = slice(*tensors["cu_seqlens_k"][sequence : sequence + 2])
        kv = (tokens, number // spec.group_size)
        found = head_gradients(spec, head, Attended(output[at], lse[lse_at], given[at]))
        made[0][at] = found.query
        made[1][kv] += found.key
        made[2][kv] += found.value
        if spec.sinks:
            delta = (given[at] * output[at]).sum(axis=-1)
            of_head = gradient_of_sinks(np.asarray(head.sink), lse[lse_at], delta, (0,))
            made[3][number] += of_head
    return tuple(made)
