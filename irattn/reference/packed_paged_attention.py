"""Attention of packed queries over a block cache, in float64."""

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
from irattn.reference.merge_states import merge_states
from irattn.reference.paged_attention import caches_of
from irattn.specs.packed_paged_attention import SHARED_NAMES, PackedPagedAttentionSpec


def packed_paged_attention(
    spec: PackedPagedAttentionSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of PackedPagedAttentionSpec: sequence by sequence, over what its blocks hold."""
    if spec.cascade:
        return _cascade(spec, tensors)
    output = np.zeros((spec.q_tokens, spec.num_q_heads, spec.v_dim))
    lse = np.repeat(sink_logits(spec, tensors)[:, None], spec.q_tokens, axis=1)
    for at, lse_at, head in packed_paged_heads(spec, tensors):
        output[at], lse[lse_at] = attend(spec, head)
    return (output, lse) if spec.return_lse else (output,)


def _cascade(spec: PackedPagedAttentionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """Attention to what sequences have of their own, and to what groups share, merged."""
    groups = {own: tensors[shared] for own, shared in SHARED_NAMES.items()}
    states = {
        **_named("a", packed_paged_attention(spec.of_own, tensors)),
        **_named("b", packed_paged_attention(spec.of_shared, {**tensors, **groups})),
    }
    output, lse = merge_states(spec.merge, states)
    return (output, lse) if spec.return_lse else (output,)


def _named(which: str, state: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    output, lse = state
    return {f"out_{which}": output, f"lse_{which}": lse}


def packed_paged_heads(spec: PackedPagedAttentionSpec, tensors: Tensors) -> Iterator[PlacedHead]:
    """The inputs of each head of each sequence."""
    key_cache, value_cache = caches_of(spec, tensors)
    values_begin = spec.block_size if spec.joint_cache else 0
    sinks = sink_logits(spec, tensors)
    for s, context_len in enumerate(map(int, tensors["context_lens"])):
        rows = slice(*map(int, tensors["cu_seqlens_q"][s : s + 2]))
        queries = rows.stop - rows.start
        first = first_position(spec, tensors, s, queries, context_len)
        tokens = np.arange(context_len)
        blocks = tensors["block_table"][s, tokens // spec.block_size]
        slots = tokens % spec.block_size
        for head in range(spec.num_q_heads):
            key = key_cache[blocks, head // spec.group_size, slots]
            value = value_cache[blocks, head // spec.group_size, values_begin + slots]
            rules = _rules(spec, tensors, head, rows, context_len)
            yield (
                (rows, head),
                (head, rows),
                Head(
                    tensors["query"][rows, head].astype(np.float64),
                    key.astype(np.float64),
                    value.astype(np.float64),
                    first,
                    slope=float(tensors["alibi_slopes"][head]) if spec.alibi else None,
                    bias=rules["bias"].astype(np.float64) if spec.bias else None,
                    keep_mask=rules.get("keep_mask"),
                    sink=float(sinks[head]),
                    **head_functions(spec, tensors, s, head, queries, context_len),
                ),
            )


def _rules(
    spec: PackedPagedAttentionSpec, tensors: Tensors, head: int, rows: slice, context_len: int
) -> dict[str, np.ndarray]:
    """The bias and keep_mask of a head's queries of one sequence, by key of that sequence."""
    whole = (spec.num_q_heads, spec.q_tokens, spec.max_context)
    return {
        name: np.broadcast_to(tensors[name], whole)[head, rows, :context_len]
        for name in ("bias", "keep_mask")
        if name in tensors
    }
