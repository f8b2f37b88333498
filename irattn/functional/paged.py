"""Attention over a cache kept in blocks, as a function of arrays."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from irattn.functional.calls import given_back
from irattn.functional.graphs import between_graphs
from irattn.functional.pages import attend, sizes_of_pages
from irattn.functional.shapes import check_axes_of
from irattn.runtime.size_policies import Policy
from irattn.specs.base import plain
from irattn.specs.paged_attention import PagedAttentionSpec

_paged_spec = lru_cache(maxsize=1024)(PagedAttentionSpec)


@between_graphs
def paged_attention(
    query: Any,
    key_cache: Any,
    value_cache: Any,
    block_table: Any,
    context_lens: Any,
    *,
    q_lens: Any = None,
    is_causal: bool = True,
    scale: float | None = None,
    window: Sequence[int | None] | None = None,
    logits_soft_cap: float | None = None,
    sinks: Any = None,
    alibi_slopes: Any = None,
    score_mod: Callable[..., Any] | None = None,
    mask_mod: Callable[..., Any] | None = None,
    return_lse: bool = False,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> Any:
    """Attention of each sequence's last tokens over its blocks of a cache.

    query `[batch, num_q_heads, q_len, head_dim]`, key_cache
    `[num_blocks, num_kv_heads, block_size, head_dim]` and value_cache
    `[num_blocks, num_kv_heads, block_size, value_dim]` are f32, f16 or bf16. Token `j` of sequence
    `b` lies in block `block_table[b, j // block_size]`, at `j % block_size`; block_table
    `[batch, max_blocks]`, context_lens `[batch]` (tokens of each sequence, those of the query
    included) and q_lens `[batch]` (how many queries of each are real; None for all) are int32 or
    int64. The last query stands at the last token. Query heads are shared evenly by KV heads.

    The result `[batch, num_q_heads, q_len, value_dim]` is an array as `query` is; any size may be
    0. Queries and keys of `score_mod` and `mask_mod` are positions in the sequence. What else there
    is, and where it runs, `irattn.attention` says. ArgumentError for an id, a length or an array
    that cannot be, by its name.
    """
    floats = {"query": query, "key_cache": key_cache, "value_cache": value_cache}
    integers = {"block_table": block_table, "context_lens": context_lens}
    integers |= {} if q_lens is None else {"q_lens": q_lens}
    results = attend(
        _paged_spec,
        _sizes,
        (floats, integers, {"sinks": sinks, "alibi_slopes": alibi_slopes}),
        {"policy": policy, "target": target, "device": device},
        {"score_mod": score_mod, "mask_mod": mask_mod},
        causal=is_causal,
        softmax_scale=scale,
        window=plain(window),
        logits_soft_cap=logits_soft_cap,
        return_lse=return_lse,
        ragged=q_lens is not None,
    )
    return given_back(query, *results)


def _sizes(
    query: Any, key_cache: Any, value_cache: Any, block_table: Any, **_: Any
) -> dict[str, int]:
    """The sizes of a call; ArgumentError where arrays have other axes."""
    check_axes_of("query", query, "batch, num_q_heads, q_len, head_dim")
    pages = sizes_of_pages(key_cache, value_cache, block_table)
    batch, num_q_heads, q_len, head_dim = query.shape
    own = {"batch": batch, "num_q_heads": num_q_heads, "q_len": q_len, "head_dim": head_dim}
    return pages | own
