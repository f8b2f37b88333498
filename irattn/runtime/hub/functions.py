"""Attention with the arguments of FlashAttention's functions, as transformers looks for them.

Tensors are `[batch, tokens, heads, head_dim]`, packed ones `[tokens, heads, head_dim]`. -1 in
`window_size` and 0 for `softcap` mean none. Gradients are not computed.
"""

from functools import cache, lru_cache
from importlib import import_module
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.runtime.direct.torch_memory import TORCH_NAMES, TorchMemory
from irattn.runtime.hub.dense import integers, sinks_of, tokens_by_row, tokens_of
from irattn.runtime.hub.kernels import HubKernel
from irattn.runtime.hub.paging import check_pages, in_blocks, inputs_of_slots
from irattn.runtime.hub.places import (
    bounds_of,
    counting,
    dense_places,
    lengths_in,
    page_table,
    places_of,
)
from irattn.runtime.hub.shaped import Shaped, ShapedParts
from irattn.runtime.hub.variants import (
    PAGE_SLOTS,
    HubAsked,
    HubFeatures,
    PageSlots,
    chosen,
    found,
)

torch: Any = import_module("torch")

Tensor: TypeAlias = Any
Window: TypeAlias = tuple[int | None, int | None]

_NO_WINDOW: Window = (-1, -1)
_DTYPES = {getattr(torch, theirs): ours for ours, theirs in TORCH_NAMES.items()}
_MOST_MADE = 1024
# Calls of so many queries of each sequence have their keys cut into parts, where keys are more than
# two parts: a launch for the parts and one to merge them cost more than they save over fewer.
_FEW_QUERIES, _FEW_KEYS = 8, 512
# Of packed queries a table is made besides, by operations of PyTorch's.
_FEW_PACKED_KEYS = 3072


@torch.compiler.disable  # type: ignore[untyped-decorator]
def flash_attn_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: Window = _NO_WINDOW,
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    *,
    s_aux: Tensor | None = None,
) -> Tensor:
    """Attention of `q` `[batch, q_len, num_q_heads, head_dim]` over `k` and `v` of `kv_len` tokens.

    `causal` is aligned to the last query and key. ArgumentError names what the package has not.
    """
    _refuse(dropout_p=dropout_p, alibi_slopes=alibi_slopes, return_attn_probs=return_attn_probs)
    (batch, q_len), kv_len = q.shape[:2], k.shape[1]
    how = (softmax_scale, causal or q_len == 1, window_size, softcap, s_aux)
    if q_len <= _FEW_QUERIES and _lie_by_heads(k, v):
        by_head = _asked("by_head", q, k, *how)
        if found(by_head):
            return _by_head(_kernel(by_head, q, k, v), q, k, v)
    if q_len <= _FEW_QUERIES and kv_len > _FEW_KEYS:
        few = _asked("few", q, k, *how)
        if found(few):
            kernel = _kernel(few, q, k, v)
            return _in_shape(kernel(_few(q, k, v, s_aux)), q, v)
    kernel = _kernel(
        _asked("packed", q, k, softmax_scale, causal, window_size, softcap, s_aux), q, k, v
    )
    bounds = {
        "cu_seqlens_q": bounds_of(batch, q_len, q.device),
        "cu_seqlens_k": bounds_of(batch, kv_len, q.device),
    }
    tokens = {"query": tokens_by_row(q), "key": tokens_by_row(k), "value": tokens_by_row(v)}
    return _in_shape(kernel({**tokens, **bounds, **sinks_of(s_aux)}), q, v)


@torch.compiler.disable  # type: ignore[untyped-decorator]
def flash_attn_varlen_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int | None = None,
    max_seqlen_k: int | None = None,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: Window = _NO_WINDOW,
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    *,
    s_aux: Tensor | None = None,
) -> Tensor:
    """Attention of packed sequences: those of `q` begin and end at `cu_seqlens_q`, of `k` likewise.

    `max_seqlen_q` and `max_seqlen_k`, where they are given, are taken at their word: of few queries
    over many keys the keys are shared by workgroups. ArgumentError as of flash_attn_func.
    """
    _refuse(dropout_p=dropout_p, alibi_slopes=alibi_slopes, return_attn_probs=return_attn_probs)
    most_q, most_k = int(max_seqlen_q or 0), int(max_seqlen_k or 0)
    if 0 < most_q <= _FEW_QUERIES and most_k > _FEW_PACKED_KEYS:
        how = (softmax_scale, causal or most_q == 1, window_size, softcap, s_aux)
        few = _asked("few", q, k, *how)
        if found(few):
            kernel, bounds = _kernel(few, q, k, v), integers(cu_seqlens_k)
            table = bounds[:-1].unsqueeze(1) + counting(most_k, q.device)[:most_k]
            places = places_of(integers(cu_seqlens_q), table, bounds.diff())
            return kernel({**tokens_of(q, k, v), **places, **sinks_of(s_aux)})
    kernel = _kernel(
        _asked("packed", q, k, softmax_scale, causal, window_size, softcap, s_aux), q, k, v
    )
    bounds = {"cu_seqlens_q": integers(cu_seqlens_q), "cu_seqlens_k": integers(cu_seqlens_k)}
    tokens = {"query": tokens_by_row(q), "key": tokens_by_row(k), "value": tokens_by_row(v)}
    return kernel({**tokens, **bounds, **sinks_of(s_aux)})


@torch.compiler.disable  # type: ignore[untyped-decorator]
def flash_attn_with_kvcache(
    q: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    k: Tensor | None = None,
    v: Tensor | None = None,
    rotary_cos: Tensor | None = None,
    rotary_sin: Tensor | None = None,
    cache_seqlens: Tensor | int | None = None,
    cache_batch_idx: Tensor | None = None,
    cache_leftpad: Tensor | None = None,
    block_table: Tensor | None = None,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: Window = _NO_WINDOW,
    softcap: float = 0.0,
    rotary_interleaved: bool = True,
    alibi_slopes: Tensor | None = None,
    num_splits: int = 0,
    return_softmax_lse: bool = False,
    *,
    s_aux: Tensor | None = None,
) -> Tensor:
    """Attention of `q` `[batch, q_len, num_q_heads, head_dim]` over a cache, which takes `k`, `v`.

    Caches are `[num_pages, page_size, num_kv_heads, head_dim]` with `block_table`
    `[batch, max_pages]`, else `[batch, kv_len, num_kv_heads, head_dim]`. `cache_seqlens` counts the
    tokens in the cache before `k`, of which each sequence has as many as of `q`; below zero the
    sequence is padding. ArgumentError as of flash_attn_func.
    """
    _refuse(rotary_cos=rotary_cos, rotary_sin=rotary_sin, cache_leftpad=cache_leftpad)
    _refuse(alibi_slopes=alibi_slopes, return_softmax_lse=return_softmax_lse)
    batch, q_len = q.shape[:2]
    # A single query stands at the last key: it sees them all either way.
    asked = _asked(
        "paged", q, k_cache, softmax_scale, causal or q_len == 1, window_size, softcap, s_aux
    )
    kernel = _kernel(asked, q, k_cache, v_cache)
    block_size = kernel.variant.block_size or 1
    check_pages("k_cache", k_cache, block_size)
    check_pages("v_cache", v_cache, block_size)
    new = _new_tokens(q, k_cache, v_cache, k, v)
    table = page_table(block_table, cache_batch_idx, batch, q.device)
    lens = lengths_in(cache_seqlens, table.shape[1] * k_cache.shape[1], batch, q.device)
    places = _loaded(PageSlots(PAGE_SLOTS, block_size, k is not None))
    slots, blocks, contexts = places(inputs_of_slots(q, k_cache, lens, table, block_size))
    output, *_ = kernel(
        {
            "query": tokens_by_row(q),
            **new,
            "slot_mapping": slots.reshaped(batch * q_len),
            "key_cache": in_blocks(k_cache, block_size),
            "value_cache": in_blocks(v_cache, block_size),
            "cu_seqlens_q": bounds_of(batch, q_len, q.device),
            "block_table": blocks.reshaped(batch, blocks.shape[1] * blocks.shape[2]),
            "context_lens": contexts,
            **sinks_of(s_aux),
        }
    )
    return _in_shape(output, q, v_cache)


def _asked(
    op: str,
    q: Tensor,
    k: Tensor,
    softmax_scale: float | None,
    causal: bool,
    window_size: Window,
    softcap: float | None,
    s_aux: Tensor | None,
) -> HubFeatures:
    heads = (*q.shape[-2:], k.shape[-2])
    # A caller may give a list.
    window = (window_size[0], window_size[1])
    how = (softmax_scale, bool(causal), window, softcap, s_aux is not None)
    return _features(op, q.dtype, heads, *how)


# Layers ask for the same one after the other.
@lru_cache(maxsize=_MOST_MADE)
def _features(
    op: str,
    dtype: Any,
    heads: tuple[int, int, int],
    softmax_scale: float | None,
    causal: bool,
    window_size: Window,
    softcap: float | None,
    sinks: bool,
) -> HubFeatures:
    num_q_heads, head_dim, num_kv_heads = heads
    return HubFeatures(
        op=op,
        io_dtype=_DTYPES.get(dtype, str(dtype)),
        num_q_heads=num_q_heads,
        num_kv_heads=num_kv_heads,
        head_dim=head_dim,
        causal=causal,
        softmax_scale=head_dim**-0.5 if softmax_scale is None else float(softmax_scale),
        window=_window(window_size, causal),
        logits_soft_cap=float(softcap) if softcap else None,
        sinks=sinks,
    )


@cache
def _loaded(asked: HubAsked) -> HubKernel:
    # What is made of pages goes to other kernels alone.
    return HubKernel(chosen(asked), ShapedParts() if asked.op == PAGE_SLOTS else TorchMemory())


def _kernel(asked: HubAsked, *tensors: Tensor) -> HubKernel:
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
        raise ArgumentError(
            "q, k, v: expected tensors that need no gradients, as the package computes none; call "
            "it under torch.no_grad()"
        )
    return _loaded(asked)


def _window(window_size: Window, causal: bool) -> Window | None:
    """None where the mask hides as much without; of a causal window only the left side counts."""
    left, right = (None if side is None or side < 0 else int(side) for side in window_size)
    right = None if causal else right
    return None if left is None and right is None else (left, right)


def _refuse(**values: Any) -> None:
    """ArgumentError for an argument that asks for what no kernel of a package does."""
    for name, value in values.items():
        if value is not None and (isinstance(value, torch.Tensor) or value):
            what = "a tensor" if isinstance(value, torch.Tensor) else value
            raise ArgumentError(
                f"{name}: expected none, as the package has no such kernel, got {what}"
            )


def _few(q: Tensor, k: Tensor, v: Tensor, s_aux: Tensor | None) -> dict[str, Any]:
    """A few queries of each sequence over keys in blocks of one token, of which parts are shared.

    Sequences' blocks are one after the other, as their tokens are.
    """
    return {
        **tokens_of(q, k, v),
        **dense_places(q.shape[0], q.shape[1], k.shape[1], q.device),
        **sinks_of(s_aux),
    }


def _lie_by_heads(*tensors: Tensor) -> bool:
    """Whether heads come before tokens in memory, as in transformers' caches."""
    return all(not x.is_contiguous() and x.transpose(1, 2).is_contiguous() for x in tensors)


def _by_head(kernel: HubKernel, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """A few queries over keys that lie by heads, where they lie: each KV head is a sequence."""
    batch, q_len, _, head_dim = q.shape
    kv_len, kv_heads = k.shape[1:3]
    by_head = q.unflatten(2, (kv_heads, -1)).transpose(1, 2)
    group, sequences = by_head.shape[3], batch * kv_heads
    queries = by_head.reshape(sequences, q_len, group, head_dim)
    keys, values = (x.transpose(1, 2).view(sequences, kv_len, 1, -1) for x in (k, v))
    output = kernel(
        {
            **tokens_of(queries, keys, values),
            **dense_places(sequences, q_len, kv_len, q.device),
        }
    )
    by_token = output.view(batch, kv_heads, q_len, group, -1).transpose(1, 2)
    return by_token.reshape(*q.shape[:3], -1)


def _new_tokens(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, k: Tensor | None, v: Tensor | None
) -> dict[str, Any]:
    """Keys and values of the queries' tokens; without them, memory that no kernel looks at."""
    shapes = [(*q.shape[:2], *cache.shape[-2:]) for cache in (k_cache, v_cache)]
    if k is None or v is None:
        places = [Shaped(q, (shape[0] * shape[1], *shape[2:])) for shape in shapes]
        return {"key": places[0], "value": places[1]}
    if [tuple(k.shape), tuple(v.shape)] != shapes:
        expected = " and ".join(str(list(shape)) for shape in shapes)
        raise ArgumentError(
            f"k, v: expected {expected}, a token for each query, got {list(k.shape)} and "
            f"{list(v.shape)}"
        )
    return {"key": tokens_by_row(k), "value": tokens_by_row(v)}


def _in_shape(output: Tensor, q: Tensor, values: Tensor) -> Tensor:
    return output.view(*q.shape[:3], values.shape[-1])
