"""Attention with the arguments of FlashAttention's functions, as transformers looks for them.

Tensors are `[batch, tokens, heads, head_dim]`, packed ones `[tokens, heads, head_dim]`. -1 in
`window_size` and 0 for `softcap` mean none. Gradients are not computed.
"""

import math
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.runtime.direct.addresses import ALIGNMENT
from irattn.runtime.direct.torch_memory import TORCH_NAMES, TorchMemory
from irattn.runtime.hub.kernels import HubKernel
from irattn.runtime.hub.paging import check_pages, in_blocks, inputs_of_slots
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
        "cu_seqlens_q": _bounds(batch, q_len, q.device),
        "cu_seqlens_k": _bounds(batch, kv_len, q.device),
    }
    tokens = {"query": _tokens(q), "key": _tokens(k), "value": _tokens(v)}
    return _in_shape(kernel({**tokens, **bounds, **_sinks(s_aux)}), q, v)


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
            kernel, bounds = _kernel(few, q, k, v), _integers(cu_seqlens_k)
            table = bounds[:-1].unsqueeze(1) + _counting(most_k, q.device)[:most_k]
            places = _places(_integers(cu_seqlens_q), table, bounds.diff())
            return kernel({**_tokens_of(q, k, v), **places, **_sinks(s_aux)})
    kernel = _kernel(
        _asked("packed", q, k, softmax_scale, causal, window_size, softcap, s_aux), q, k, v
    )
    bounds = {"cu_seqlens_q": _integers(cu_seqlens_q), "cu_seqlens_k": _integers(cu_seqlens_k)}
    tokens = {"query": _tokens(q), "key": _tokens(k), "value": _tokens(v)}
    return kernel({**tokens, **bounds, **_sinks(s_aux)})


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
    table = _page_table(block_table, cache_batch_idx, batch, q.device)
    lens = _lengths(cache_seqlens, table.shape[1] * k_cache.shape[1], batch, q.device)
    places = _loaded(PageSlots(PAGE_SLOTS, block_size, k is not None))
    slots, blocks, contexts = places(inputs_of_slots(q, k_cache, lens, table, block_size))
    output, *_ = kernel(
        {
            "query": _tokens(q),
            **new,
            "slot_mapping": slots.reshaped(batch * q_len),
            "key_cache": in_blocks(k_cache, block_size),
            "value_cache": in_blocks(v_cache, block_size),
            "cu_seqlens_q": _bounds(batch, q_len, q.device),
            "block_table": blocks.reshaped(batch, blocks.shape[1] * blocks.shape[2]),
            "context_lens": contexts,
            **_sinks(s_aux),
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
        **_tokens_of(q, k, v),
        **_dense_places(q.shape[0], q.shape[1], k.shape[1], q.device),
        **_sinks(s_aux),
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
            **_tokens_of(queries, keys, values),
            **_dense_places(sequences, q_len, kv_len, q.device),
        }
    )
    by_token = output.view(batch, kv_heads, q_len, group, -1).transpose(1, 2)
    return by_token.reshape(*q.shape[:3], -1)


def _tokens_of(q: Tensor, k: Tensor, v: Tensor) -> dict[str, Any]:
    """Packed queries, and keys and values in blocks of one token."""
    blocks = {"key_cache": _tokens(k), "value_cache": _tokens(v)}
    in_blocks = {
        name: one.reshaped(one.shape[0], 1, *one.shape[1:]) for name, one in blocks.items()
    }
    return {"query": _tokens(q), **in_blocks}


def _dense_places(sequences: int, q_len: int, kv_len: int, device: Any) -> dict[str, Any]:
    """Where sequences of one length lie, whose blocks of one token are one after the other."""
    table = Shaped(_counting(sequences * kv_len, device), (sequences, kv_len))
    lengths = _lengths(kv_len, kv_len, sequences, device)
    return _places(_bounds(sequences, q_len, device), table, lengths)


def _places(bounds: Tensor, table: Any, lengths: Tensor) -> dict[str, Any]:
    return {"cu_seqlens_q": bounds, "block_table": table, "context_lens": lengths}


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
    return {"key": _tokens(k), "value": _tokens(v)}


def _page_table(table: Tensor | None, rows: Tensor | None, batch: int, device: Any) -> Any:
    """Pages as a caller names them: by a table, else sequences are pages, those of `rows`."""
    if table is not None:
        return _integers(table)
    return Shaped(_counting(batch, device) if rows is None else _integers(rows), (batch, 1))


def _lengths(lengths: Tensor | int | None, most: int, batch: int, device: Any) -> Tensor:
    """The tokens of each sequence that are in the cache before the call; None for all of them."""
    if isinstance(lengths, torch.Tensor):
        return _integers(lengths.expand(batch) if lengths.shape != (batch,) else lengths)
    number = most if lengths is None else lengths
    return torch.full((batch,), number, dtype=torch.int32, device=device)


def _tokens(tensor: Tensor) -> Shaped:
    """Tokens one after the other, `[tokens, heads, head_dim]`, of however many sequences."""
    *tokens, heads, head_dim = tensor.shape
    return Shaped(_dense(tensor), (math.prod(tokens), heads, head_dim))


def _in_shape(output: Tensor, q: Tensor, values: Tensor) -> Tensor:
    return output.view(*q.shape[:3], values.shape[-1])


def _sinks(s_aux: Tensor | None) -> dict[str, Tensor]:
    return {} if s_aux is None else {"sinks": _dense(s_aux.float())}


def _integers(tensor: Tensor) -> Tensor:
    return _dense(tensor.to(torch.int32))


def _dense(tensor: Tensor) -> Tensor:
    """The tensor as kernels take it: copied where rows lie apart, or begin where none can load."""
    dense = tensor.contiguous()
    return dense.clone() if dense.data_ptr() % ALIGNMENT else dense


_made: dict[Any, Tensor] = {}


def _bounds(batch: int, length: int, device: Any) -> Tensor:
    """Where sequences of one length begin and end."""
    key = (batch, length, device)
    bounds = _made.get(key)
    if bounds is None:
        bounds = torch.arange(batch + 1, dtype=torch.int32, device=device) * length
        _keep(key, bounds)
    return bounds


def _counting(length: int, device: Any) -> Tensor:
    """0, 1, 2 and so on: at least so many numbers, mostly those that an earlier call has made."""
    size = 1 << (length - 1).bit_length()
    numbers = _made.get((size, device))
    if numbers is None:
        numbers = torch.arange(size, dtype=torch.int32, device=device)
        _keep((size, device), numbers)
    return numbers


def _keep(key: Any, made: Tensor) -> None:
    """Keep a tensor for later calls, for ever: captured graphs may have its address.

    A tensor made while a graph is captured has no contents yet.
    """
    is_captured = made.is_cuda and torch.cuda.is_current_stream_capturing()
    if len(_made) < _MOST_MADE and not is_captured:
        _made[key] = made
