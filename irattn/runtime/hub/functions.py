"""Attention with the arguments of FlashAttention's functions, as transformers looks for them.

Tensors are `[batch, tokens, heads, head_dim]`, packed ones `[tokens, heads, head_dim]`. -1 in
`window_size` and 0 for `softcap` mean none. Gradients are not computed.
"""

from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.runtime.direct.addresses import ALIGNMENT
from irattn.runtime.direct.torch_memory import TORCH_NAMES
from irattn.runtime.hub.kernels import HubKernel
from irattn.runtime.hub.paging import HubPages
from irattn.runtime.hub.variants import HubFeatures, chosen

torch: Any = import_module("torch")

Tensor: TypeAlias = Any
Window: TypeAlias = tuple[int | None, int | None]

_NO_WINDOW: Window = (-1, -1)
_DTYPES = {getattr(torch, theirs): ours for ours, theirs in TORCH_NAMES.items()}
_MOST_BOUNDS = 256


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
    batch, q_len = q.shape[:2]
    output = flash_attn_varlen_func(
        *(x.flatten(0, 1) for x in (q, k, v)),
        _bounds(batch, q_len, q.device),
        _bounds(batch, k.shape[1], q.device),
        dropout_p=dropout_p,
        softmax_scale=softmax_scale,
        causal=causal,
        window_size=window_size,
        softcap=softcap,
        alibi_slopes=alibi_slopes,
        return_attn_probs=return_attn_probs,
        s_aux=s_aux,
    )
    return output.view(*q.shape[:3], v.shape[-1])


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

    The kernel needs no `max_seqlen_q` and `max_seqlen_k`. ArgumentError as of flash_attn_func.
    """
    _refuse(dropout_p=dropout_p, alibi_slopes=alibi_slopes, return_attn_probs=return_attn_probs)
    kernel = _kernel(
        _asked("packed", q, k, softmax_scale, causal, window_size, softcap, s_aux), q, k, v
    )
    bounds = {"cu_seqlens_q": _integers(cu_seqlens_q), "cu_seqlens_k": _integers(cu_seqlens_k)}
    named = {"query": q, "key": k, "value": v}
    tokens = {name: _dense(x.flatten(0, -3)) for name, x in named.items()}
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
    new = _new_tokens(q, k_cache, k, v)
    pages = HubPages.of(k_cache, cache_seqlens, cache_batch_idx, block_table, batch, kernel.variant)
    tensors = {
        "query": _dense(q.flatten(0, 1)),
        **new,
        "slot_mapping": pages.slots(q_len, writes=k is not None),
        "key_cache": pages.blocks("k_cache", k_cache),
        "value_cache": pages.blocks("v_cache", v_cache),
        "cu_seqlens_q": _bounds(batch, q_len, q.device),
        "block_table": pages.table,
        "context_lens": pages.context_lens(q_len if k is not None else 0),
    }
    output, *_ = kernel({**tensors, **_sinks(s_aux)})
    return output.view(*q.shape[:3], v_cache.shape[-1])


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
    head_dim = q.shape[-1]
    return HubFeatures(
        op=op,
        io_dtype=_DTYPES.get(q.dtype, str(q.dtype)),
        num_q_heads=q.shape[-2],
        num_kv_heads=k.shape[-2],
        head_dim=head_dim,
        causal=bool(causal),
        softmax_scale=head_dim**-0.5 if softmax_scale is None else float(softmax_scale),
        window=_window(window_size, causal),
        logits_soft_cap=float(softcap) if softcap else None,
        sinks=s_aux is not None,
    )


@cache
def _loaded(asked: HubFeatures) -> HubKernel:
    return HubKernel(chosen(asked))


def _kernel(asked: HubFeatures, *tensors: Tensor) -> HubKernel:
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


def _new_tokens(
    q: Tensor, k_cache: Tensor, k: Tensor | None, v: Tensor | None
) -> dict[str, Tensor]:
    """Keys and values of the queries' tokens; without them, memory that no kernel looks at."""
    shape = (*q.shape[:2], *k_cache.shape[-2:])
    if k is None or v is None:
        unused = q.new_empty(shape).flatten(0, 1)
        return {"key": unused, "value": unused}
    if tuple(k.shape) != shape or tuple(v.shape) != shape:
        raise ArgumentError(
            f"k, v: expected {list(shape)}, a token for each query, got {list(k.shape)} and "
            f"{list(v.shape)}"
        )
    return {"key": _dense(k.flatten(0, 1)), "value": _dense(v.flatten(0, 1))}


def _sinks(s_aux: Tensor | None) -> dict[str, Tensor]:
    return {} if s_aux is None else {"sinks": _dense(s_aux.float())}


def _integers(tensor: Tensor) -> Tensor:
    return _dense(tensor.to(torch.int32))


def _dense(tensor: Tensor) -> Tensor:
    """The tensor as kernels take it: copied where rows lie apart, or begin where none can load."""
    dense = tensor.contiguous()
    return dense.clone() if dense.data_ptr() % ALIGNMENT else dense


_made_bounds: dict[tuple[int, int, Any], Tensor] = {}


def _bounds(batch: int, length: int, device: Any) -> Tensor:
    """Where sequences of one length begin and end.

    What is made while a graph is captured has no contents yet, and is not kept.
    """
    key = (batch, length, device)
    bounds = _made_bounds.get(key)
    if bounds is None:
        bounds = torch.arange(batch + 1, dtype=torch.int32, device=device) * length
        if not (device.type == "cuda" and torch.cuda.is_current_stream_capturing()):
            if len(_made_bounds) >= _MOST_BOUNDS:
                _made_bounds.clear()
            _made_bounds[key] = bounds
    return bounds
