"""Attention of drafted trees of tokens over a cache kept in blocks, as a function of arrays."""

from itertools import pairwise
from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import integers_of
from irattn.functional.graphs import between_graphs
from irattn.functional.packed import attend_packed
from irattn.runtime.size_policies import Policy, power_of_two
from irattn.specs.masks import Mask
from irattn.specs.packed_paged_attention import FEW_QUERIES, MOST_FEW_QUERIES
from irattn.specs.trees import WORD_BITS, as_words, is_on_path, paths_to_root

# Arrays of fewer sequences, tokens and words have as many, so that calls share a kernel.
_LEAST_SEQUENCES, _LEAST_TOKENS, _LEAST_WORDS = 8, 1024, 2


@between_graphs
def tree_attention(
    query: Any,
    key_cache: Any,
    value_cache: Any,
    parents: Any,
    cu_seqlens_q: Any,
    block_table: Any,
    context_lens: Any,
    *,
    scale: float | None = None,
    logits_soft_cap: float | None = None,
    sinks: Any = None,
    return_lse: bool = False,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> Any:
    """Attention of drafted tokens, a tree of each sequence, over blocks of a cache.

    A token sees the context of its sequence, itself and those that it follows in the tree: tree
    attention (Miao et al. 2024, SpecInfer). `parents`, integers `[q_tokens]`, tell for each token
    the one that it follows, by its number among the drafts of its sequence, below its own, or -1
    for the last token of the context. The drafts of a sequence are the last of its
    `context_lens[s]` tokens in the cache, in their order; whatever turns queries and keys by their
    positions must have given each the depth at which it stands. The other arrays and the result are
    those of `irattn.packed_paged_attention`. `parents`, `cu_seqlens_q` and `context_lens` are read
    on the host; other trees, and of other sizes, are no other kernel. ArgumentError, or SpecError
    for parents that are none, by name.
    """
    above = integers_of("parents", parents, "numbers")
    bounds = integers_of("cu_seqlens_q", cu_seqlens_q, "batch + 1")
    contexts = integers_of("context_lens", context_lens, "numbers")
    return attend_packed(
        (query, key_cache, value_cache, cu_seqlens_q, block_table, context_lens),
        {"sinks": sinks},
        {"policy": policy, "target": target, "device": device},
        {"mask_mod": _mask(above, bounds, contexts)},
        causal=True,
        softmax_scale=scale,
        logits_soft_cap=logits_soft_cap,
        return_lse=return_lse,
        few_queries=_few_queries(bounds),
    )


def _few_queries(bounds: np.ndarray) -> int:
    """The queries of a sequence whose keys are cut into parts: all trees', if not too many."""
    most = power_of_two(max(1, int(np.diff(bounds).max(initial=1))))
    return max(FEW_QUERIES, min(most, MOST_FEW_QUERIES))


def _mask(parents: np.ndarray, bounds: np.ndarray, contexts: np.ndarray) -> Mask:
    """The mask of all sequences' trees, of which arrays tell where they stand."""
    if len(bounds) != len(contexts) + 1:
        raise ArgumentError(
            f"cu_seqlens_q: expected [{len(contexts) + 1}], one more than sequences, got "
            f"[{len(bounds)}]"
        )
    if len(bounds) and not 0 <= bounds.max() <= len(parents):
        raise ArgumentError(
            f"parents: expected a number for each of {bounds.max()} tokens, got {len(parents)}"
        )
    drafted = np.diff(bounds)
    if (drafted > contexts).any():
        sequence = int(np.argmax(drafted > contexts))
        raise ArgumentError(
            f"context_lens[{sequence}]: expected at least the {drafted[sequence]} tokens that are "
            f"drafted, got {contexts[sequence]}"
        )
    paths = [
        path
        for begin, end in pairwise(bounds)
        for path in paths_to_root(parents[begin:end].tolist())
    ]
    count = max(_LEAST_WORDS, -(-int(drafted.max(initial=0)) // WORD_BITS))
    own_paths = _filled(as_words(paths, count), max(_LEAST_TOKENS, power_of_two(len(parents))))
    sequences = max(_LEAST_SEQUENCES, power_of_two(len(contexts)))
    # Where the drafts of a sequence begin among its tokens, and how far from there their paths are.
    begins = _filled(contexts - drafted, sequences)
    places = _filled(bounds[:-1] - contexts + drafted, sequences)

    def seen(batch: Any, head: Any, query: Any, key: Any) -> Any:
        begin, place = begins[batch], query + places[batch]
        words = [own_paths[place, n] for n in range(count)]
        return (key < begin) | is_on_path(words, key - begin)

    return Mask(seen)


def _filled(numbers: np.ndarray, rows: int) -> np.ndarray:
    """int32 numbers, and zeros up to so many rows."""
    more = [(0, rows - len(numbers)), *[(0, 0)] * (numbers.ndim - 1)]
    return np.pad(numbers.astype(np.int32), more)
