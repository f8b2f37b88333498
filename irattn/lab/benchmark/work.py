"""The least that a call computes and moves."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from irattn.core.tensors import Role, TensorType, largest
from irattn.lab.inputs import CASES, Tensors
from irattn.reference.mixture_of_experts import choose
from irattn.specs import Spec
from irattn.specs.attention import AttentionSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.packed import PackedSequences
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec

_KEYS = {Role.KEY, Role.VALUE}
_CACHES = {Role.KEY_CACHE, Role.VALUE_CACHE}

_LEAST_LOG_DECAY = np.float32(-30)

# Tokens of a prompt that a step of an engine takes at once.
_CHUNK = 512


@dataclass(frozen=True)
class Work:
    """Floating-point operations that no mask hides, and bytes: each that is needed, once."""

    flops: int
    bytes: int


def bench_tensors(spec: Spec) -> Tensors:
    """The inputs of a timed call: normal numbers and full contexts.

    Packed sequences have lengths like 1 : 2 : 3 : …, and as many keys as queries where the tokens
    allow it; over pages, they are prompts and decodes (`mixed_lengths`).
    """
    tensors = CASES["full_context"].tensors(spec)
    if isinstance(spec, PackedPagedAttentionSpec):
        return tensors | _mixed(spec)
    for tensor in spec.inputs:
        if tensor.role == Role.LOG_DECAY:
            # Chunks of other libraries make NaN of a state that nothing is kept of.
            tensors[tensor.name] = np.maximum(tensors[tensor.name], _LEAST_LOG_DECAY)
        if tensor.role in (Role.QUERY_BOUNDS, Role.KEY_BOUNDS) and tensor.limits:
            share = (
                np.cumsum(np.arange(tensor.largest_shape[0]))
                / np.arange(tensor.largest_shape[0]).sum()
            )
            tensors[tensor.name] = (share * tensor.limits[1]).round().astype(np.int32)
    return tensors


def mixed_lengths(spec: PackedPagedAttentionSpec) -> list[int]:
    """Queries of each sequence of a step: one for a decode, and prompts first, of chunks of 512.

    505 and seven of 1 are a batch of 8 with 512 tokens; 2 of 512 and 64 of 1 one of 66 with 1088.
    """
    more = spec.q_tokens - spec.batch
    prompts = min(spec.batch, -(-more // (_CHUNK - 1)))
    return [
        1 + (more * (s + 1) // prompts - more * s // prompts if s < prompts else 0)
        for s in range(spec.batch)
    ]


def _mixed(spec: PackedPagedAttentionSpec) -> Tensors:
    """Where sequences begin, and their contexts: a prompt has no other, a decode a full one."""
    lengths = np.array(mixed_lengths(spec))
    contexts = np.where(lengths > 1, np.minimum(lengths, spec.max_context), spec.max_context)
    return {
        "cu_seqlens_q": np.cumsum([0, *lengths]).astype(np.int32),
        "context_lens": contexts.astype(np.int32),
    }


def work_of(spec: Spec, tensors: Mapping[str, np.ndarray]) -> Work:
    """The least work of a call of static sizes."""
    return Work(_flops(spec, tensors), _bytes(spec, tensors))


def _flops(spec: Spec, tensors: Mapping[str, np.ndarray]) -> int:
    if not isinstance(spec, PackedSequences):
        return spec.least_flops
    queries = np.diff(tensors["cu_seqlens_q"]).tolist()
    keys = tensors.get("context_lens", np.diff(tensors.get("cu_seqlens_k", [0]))).tolist()
    return sum(
        sequence_spec(spec, q_len, kv_len).least_flops
        for q_len, kv_len in zip(queries, keys, strict=True)
        if q_len and kv_len
    )


def sequence_spec(spec: PackedSequences, q_len: int, kv_len: int) -> AttentionSpec:
    """Contiguous attention over one of the packed sequences."""
    kept = ("io_dtype", "num_q_heads", "num_kv_heads", "head_dim", "value_dim", "softmax_scale")
    masks = ("causal", "alignment", "window", "logits_soft_cap")
    fields = {name: getattr(spec, name) for name in kept + masks}
    return AttentionSpec(q_len=q_len, kv_len=kv_len, **fields)


def _bytes(spec: Spec, tensors: Mapping[str, np.ndarray]) -> int:
    """A cache that is updated counts where attention reads it; what is written to it is small."""
    read = sum(
        tensors[tensor.name].nbytes * _read_share(spec, tensor, tensors) for tensor in spec.inputs
    )
    written = sum(tensor.bytes for tensor in spec.new_outputs)
    return round(read) + written


def _read_share(spec: Spec, tensor: TensorType, tensors: Mapping[str, np.ndarray]) -> float:
    """How much of an input is needed at least."""
    if isinstance(spec, MixtureOfExpertsSpec):
        return _chosen_share(spec, tensor, tensors)
    # A layer's pages are those of its attention.
    attention = getattr(spec, "attention", spec)
    if tensor.role in _CACHES:
        table = next((tensors[t.name] for t in spec.inputs if t.role == Role.BLOCK_IDS), None)
        if table is None:
            return 0.0
        share = np.unique(table[table >= 0]).size / len(tensors[tensor.name])
        return share * _seen_share(attention)
    return _seen_share(attention) if tensor.role in _KEYS else 1.0


def _chosen_share(
    spec: MixtureOfExpertsSpec, tensor: TensorType, tensors: Mapping[str, np.ndarray]
) -> float:
    """How much of an input is that of experts that any token has."""
    if not tensor.name.startswith(("gate_", "up_", "down_")):
        return 1.0
    tokens = tensors["router_hidden" if spec.has_router_input else "hidden"].astype(np.float64)
    experts, _ = choose(spec, tokens.reshape(-1, spec.hidden_size), tensors)
    return np.unique(experts).size / spec.num_experts


def _seen_share(spec: Spec) -> float:
    """How many of the keys any query sees, where causal or a window hides some from all."""
    if not isinstance(spec, AttentionSpec | PagedAttentionSpec):
        return 1.0
    queries, keys = largest(spec.num_queries), largest(spec.num_keys)
    first = 0 if spec.alignment == "top_left" else keys - queries
    right = 0 if spec.causal else spec.window_right
    start = 0 if spec.window_left is None else max(0, first - spec.window_left)
    end = keys if right is None else min(keys, first + queries + right)
    return max(0, end - start) / keys
