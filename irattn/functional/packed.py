"""Attention of packed queries over a cache kept in blocks, as functions of arrays."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from irattn.core.dtypes import any_name
from irattn.core.errors import ArgumentError
from irattn.functional.calls import given_back, run
from irattn.functional.graphs import between_graphs
from irattn.functional.pages import attend, sizes_of_pages
from irattn.functional.shapes import check_axes_of
from irattn.functional.side_by_side import side_by_side
from irattn.runtime.size_policies import Policy, power_of_two
from irattn.specs.base import plain
from irattn.specs.merge_states import MergeStatesSpec
from irattn.specs.packed_paged_attention import (
    FEW_QUERIES,
    MOST_FEW_QUERIES,
    SHARED_NAMES,
    PackedPagedAttentionSpec,
)

_packed_paged_spec = lru_cache(maxsize=1024)(PackedPagedAttentionSpec)
_merge_spec = lru_cache(maxsize=1024)(MergeStatesSpec)


@between_graphs
def packed_paged_attention(
    query: Any,
    key_cache: Any,
    value_cache: Any,
    cu_seqlens_q: Any,
    block_table: Any,
    context_lens: Any,
    *,
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
    """Attention of the new tokens of many sequences, packed, over blocks of a cache.

    query `[q_tokens, num_q_heads, head_dim]`, key_cache
    `[num_blocks, num_kv_heads, block_size, head_dim]` and value_cache
    `[num_blocks, num_kv_heads, block_size, value_dim]` are f32, f16 or bf16. Queries
    `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]` are the last tokens of sequence `s`: its token `j`
    of `context_lens[s]`, these included, lies in block `block_table[s, j // block_size]`, at
    `j % block_size`. These three, `[batch + 1]`, `[batch, max_blocks]` and `[batch]`, are int32 or
    int64, as `PagedCache.packed_step` gives them. Query heads are shared evenly by KV heads.

    The result `[q_tokens, num_q_heads, value_dim]` is an array as `query` is, and any size may be
    0; with `return_lse` the log-sum-exps, f32 `[num_q_heads, q_tokens]`, follow. To `score_mod` and
    `mask_mod` query and key are positions in the sequence of number `batch`. What else there is,
    and where it runs, `irattn.attention` says. ArgumentError for an id, a length or an array that
    cannot be, by its name.
    """
    return attend_packed(
        (query, key_cache, value_cache, cu_seqlens_q, block_table, context_lens),
        {"sinks": sinks, "alibi_slopes": alibi_slopes},
        {"policy": policy, "target": target, "device": device},
        {"score_mod": score_mod, "mask_mod": mask_mod},
        causal=is_causal,
        softmax_scale=scale,
        window=plain(window),
        logits_soft_cap=logits_soft_cap,
        return_lse=return_lse,
    )


def attend_packed(
    arrays: Sequence[Any],
    of_heads: dict[str, Any],
    where: dict[str, Any],
    functions: dict[str, Callable[..., Any] | None],
    **fields: Any,
) -> Any:
    """Attention of packed queries with some fields of its spec; arrays are in call order."""
    names = ("query", "key_cache", "value_cache")
    floats = dict(zip(names, arrays[:3], strict=True))
    integers = dict(zip(SHARED_NAMES, arrays[3:], strict=True))
    results = attend(
        _packed_paged_spec, _sizes, (floats, integers, of_heads), where, functions, **fields
    )
    return given_back(arrays[0], *results)


@between_graphs
def cascade_attention(
    query: Any,
    key_cache: Any,
    value_cache: Any,
    cu_seqlens_q: Any,
    block_table: Any,
    context_lens: Any,
    shared_cu_seqlens_q: Any,
    shared_block_table: Any,
    shared_lens: Any,
    *,
    scale: float | None = None,
    logits_soft_cap: float | None = None,
    return_lse: bool = False,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> Any:
    """Attention of packed queries in groups that share the first blocks of their contexts.

    What a group shares is read once for all of its queries, not for each sequence, and the two
    results are merged by their log-sum-exps: cascade attention (Ye et al. 2024, "Cascade
    Inference", FlashInfer). The numbers are those of one call over the whole contexts but for
    rounding. `step[:6]` of `PagedCache.cascade_step` are the last six arrays.

    query `[q_tokens, num_q_heads, head_dim]`, key_cache
    `[num_blocks, num_kv_heads, block_size, head_dim]` and value_cache
    `[num_blocks, num_kv_heads, block_size, value_dim]` are f32, f16 or bf16. The others are int32
    or int64: queries `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]` are those of sequence `s`, whose
    own `context_lens[s]` tokens, the current ones included, lie in the blocks of
    `block_table[s]`; queries `shared_cu_seqlens_q[g]` up to `shared_cu_seqlens_q[g + 1]` see before
    these all `shared_lens[g]` tokens in the blocks of `shared_block_table[g]`.

    The result `[q_tokens, num_q_heads, value_dim]` is an array as `query` is; with `return_lse` the
    log-sum-exps, f32 `[num_q_heads, q_tokens]`, follow. What else there is, and where it runs,
    `irattn.attention` says. ArgumentError for an id, a length or an array that cannot be, by its
    name.
    """
    floats = {"query": query, "key_cache": key_cache, "value_cache": value_cache}
    where: dict[str, Any] = {"policy": policy, "target": target, "device": device}

    def states(*integers: Any, **fields: Any) -> tuple[Any, ...]:
        return attend(
            _packed_paged_spec,
            _sizes,
            (floats, dict(zip(SHARED_NAMES, integers, strict=True)), {}),
            where,
            {},
            softmax_scale=scale,
            logits_soft_cap=logits_soft_cap,
            return_lse=True,
            **fields,
        )

    def of_own() -> tuple[Any, ...]:
        return states(cu_seqlens_q, block_table, context_lens, causal=True)

    def of_shared() -> tuple[Any, ...]:
        few = _few_queries(query, shared_block_table)
        given = (shared_cu_seqlens_q, shared_block_table, shared_lens)
        try:
            return states(*given, causal=False, few_queries=few)
        except ArgumentError as error:
            # The kernel's own names stand first.
            said = str(error)
            name = next((name for name in SHARED_NAMES if said.startswith(name)), "")
            raise ArgumentError(SHARED_NAMES.get(name, "") + said.removeprefix(name)) from error

    given = 1 + return_lse
    if 0 in (*query.shape, *shared_block_table.shape):
        return given_back(query, *of_own()[:given])
    if 0 in block_table.shape:
        return given_back(query, *of_shared()[:given])
    # What is shared comes first: its workgroups are few, and leave room for the others.
    shared, own = side_by_side(query, of_shared, of_own)
    merge = _merge_spec(
        io_dtype=any_name(query.dtype),
        num_q_heads=query.shape[1],
        q_len=query.shape[0],
        head_dim=value_cache.shape[3],
        layout="packed",
    )
    names = ("out_a", "lse_a", "out_b", "lse_b")
    output, lse = run(merge, dict(zip(names, (*own, *shared), strict=True)), **where)
    return given_back(query, *(output, lse)[:given])


def _few_queries(query: Any, shared_block_table: Any) -> int:
    """The queries of a group whose keys are cut into parts: twice those of an even share.

    More have tiles enough for a GPU, but take as long as their keys are many. What is wrong with
    the arrays the call itself says.
    """
    tokens, groups = max(1, *query.shape[:1]), max(1, *shared_block_table.shape[:1])
    most = min(power_of_two(tokens), 2 * power_of_two(-(-tokens // groups)))
    return max(2 * FEW_QUERIES, min(most, MOST_FEW_QUERIES))


def _sizes(
    query: Any,
    key_cache: Any,
    value_cache: Any,
    cu_seqlens_q: Any,
    block_table: Any,
    context_lens: Any,
) -> dict[str, int]:
    """The sizes of a call; ArgumentError where arrays have other axes."""
    check_axes_of("query", query, "q_tokens, num_q_heads, head_dim")
    pages = sizes_of_pages(key_cache, value_cache, block_table)
    check_axes_of("cu_seqlens_q", cu_seqlens_q, "batch + 1")
    check_axes_of("context_lens", context_lens, "batch")
    q_tokens, num_q_heads, head_dim = query.shape
    return {**pages, "q_tokens": q_tokens, "num_q_heads": num_q_heads, "head_dim": head_dim}
