"""Attention as an operator of PyTorch: in eager mode, and under torch.compile without a break."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from irattn.core.dtypes import float_name
from irattn.core.errors import ArgumentError, shown
from irattn.integrations.extras import by_name, need
from irattn.integrations.kernels import kernel_of
from irattn.integrations.masks import axes_of
from irattn.runtime import DeviceArray
from irattn.runtime.arrays import ALIGNMENT
from irattn.specs.attention import AttentionSpec

torch = need("torch")

Tensor: TypeAlias = Any

# The operator speaks irattn's words, those of AttentionSpec's fields.
_SCHEMA = (
    "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, Tensor? sinks=None, *, "
    "float? softmax_scale=None, bool causal=False, str alignment='bottom_right', "
    "SymInt[]? window=None, float? logits_soft_cap=None, bool enable_gqa=False, "
    "bool exact_sizes=False) -> Tensor"
)


# Layers make the same call one after the other, and a spec's checks cost as much as a small kernel.
_attention_spec = lru_cache(maxsize=1024)(AttentionSpec)


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
    window: Sequence[int] | None = None,
    logits_soft_cap: float | None = None,
    sinks: Tensor | None = None,
    alignment: str = "top_left",
    exact_sizes: bool = False,
) -> Tensor:
    """What PyTorch's function of this name computes, and what else irattn's attention can do.

    query `[batch, num_q_heads, q_len, head_dim]`, key `[batch, num_kv_heads, kv_len, head_dim]` and
    value `[batch, num_kv_heads, kv_len, value_dim]` are float32, float16 or bfloat16; the result is
    `[batch, num_q_heads, q_len, value_dim]`. A batch of one is every batch. Arguments of PyTorch's
    names mean what they mean there: `attn_mask` broadcasts to `[batch, num_q_heads, q_len, kv_len]`
    and is bool (true: attend) or is added to the logits; heads may differ in number with
    `enable_gqa`; query `i` stands at position `i`, unless `alignment` is `bottom_right`, where the
    last stands at the last key. All of them may be given at once. `window` is `[left, right]`
    tokens besides its own that a query sees, -1 for no limit; `logits_soft_cap` bounds the scaled
    logits; `sinks` `[num_q_heads]` gives every head one more key with that logit and no value. A
    query that sees no key gives zeros.

    One kernel serves all batches and lengths up to the next power of two: lengths that are no
    multiple of 64 are padded to one in a copy. `exact_sizes` has one compiled for these sizes, and
    then dense tensors are used where they lie. The first call with new sizes compiles, which takes
    seconds; the store keeps it. There is no gradient.

    ArgumentError or SpecError for what irattn cannot compute, CompileError where the compiler
    refuses the kernel.
    """
    if dropout_p:
        raise ArgumentError(f"dropout_p: expected 0, as irattn drops nothing, got {dropout_p}")
    return _operator(
        query,
        key,
        value,
        attn_mask,
        sinks,
        softmax_scale=scale,
        causal=is_causal,
        alignment=alignment,
        window=window,
        logits_soft_cap=logits_soft_cap,
        enable_gqa=enable_gqa,
        exact_sizes=exact_sizes,
    )


def _run(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    sinks: Tensor | None = None,
    *,
    enable_gqa: bool = False,
    exact_sizes: bool = False,
    **features: Any,
) -> Tensor:
    """What the operator does in eager mode. PyTorch leaves out what has its default."""
    shape = _output_shape(query, key, value, enable_gqa=enable_gqa)
    # A spec takes offsets of each sequence, too, for which the operator has no argument.
    if (alignment := features.get("alignment", "bottom_right")) not in ("bottom_right", "top_left"):
        raise ArgumentError(f"alignment: expected bottom_right or top_left, got {shown(alignment)}")
    scores = (*shape[:3], key.shape[2])
    if 0 in (*shape, *key.shape):
        # No query, or none that sees a key.
        return query.new_zeros(shape)
    tensors = {"query": query, "key": key, "value": value}
    tensors = {name: x.expand(shape[0], -1, -1, -1) for name, x in tensors.items()}
    if attn_mask is not None:
        name, features[name], tensor = _mask(attn_mask, query.dtype, scores)
        tensors[name] = tensor
    if sinks is not None:
        features["sinks"], tensors["sinks"] = True, sinks.float()
    if features.get("window") is not None:
        features["window"] = tuple(features["window"])
    call = _spec(tensors, features)
    kernel = kernel_of(call, _target(query.device), exact_sizes)
    return torch.from_dlpack(kernel(**{name: shared(x) for name, x in tensors.items()}))


def _spec(tensors: dict[str, Tensor], features: dict[str, Any]) -> AttentionSpec:
    """The spec of a call with these tensors; SpecError for what no spec can say."""
    query, key, value = (tensors[name] for name in ("query", "key", "value"))
    return _attention_spec(
        io_dtype=str(query.dtype),
        batch=query.shape[0],
        num_q_heads=query.shape[1],
        num_kv_heads=key.shape[1],
        q_len=query.shape[2],
        kv_len=key.shape[2],
        head_dim=query.shape[3],
        value_dim=value.shape[3],
        **features,
    )


def _shape_only(
    query: Tensor, key: Tensor, value: Tensor, *others: Any, enable_gqa: bool = False, **named: Any
) -> Tensor:
    """What the operator gives, without its contents: all that torch.compile asks."""
    return query.new_empty(_output_shape(query, key, value, enable_gqa=enable_gqa))


def _output_shape(
    query: Tensor, key: Tensor, value: Tensor, *, enable_gqa: bool
) -> tuple[int, int, int, int]:
    """The shape of the output; ArgumentError where the tensors do not fit each other."""
    for name, tensor in {"query": query, "key": key, "value": value}.items():
        if tensor.dim() != 4:
            raise ArgumentError(
                f"{name}: expected [batch, heads, tokens, head_dim], got {_text(tensor)}; "
                "torch.unsqueeze adds an axis"
            )
        if float_name(tensor.dtype) is None or tensor.dtype != query.dtype:
            wanted = "float32, float16 or bfloat16" if name == "query" else f"{query.dtype}"
            raise ArgumentError(f"{name}: expected {wanted}, got {tensor.dtype}")
        if tensor.device != query.device:
            raise ArgumentError(f"{name}: expected it on {query.device}, got {tensor.device}")
    if key.shape[:3] != value.shape[:3] or key.shape[3] != query.shape[3]:
        raise ArgumentError(
            "key: expected [batch, num_kv_heads, kv_len, head_dim] with the sizes of query "
            f"{_text(query)} and value {_text(value)}, got {_text(key)}"
        )
    if query.shape[1] != key.shape[1] and not enable_gqa:
        raise ArgumentError(
            f"key: expected {query.shape[1]} heads as in query, got {key.shape[1]}; "
            "enable_gqa=True shares them among the query heads"
        )
    if query.shape[0] != key.shape[0] and 1 not in (query.shape[0], key.shape[0]):
        raise ArgumentError(f"key: expected batch {query.shape[0]}, got {key.shape[0]}")
    batch = key.shape[0] if query.shape[0] == 1 else query.shape[0]
    return batch, query.shape[1], query.shape[2], value.shape[3]


def _mask(mask: Tensor, dtype: Any, scores: Sequence[int]) -> tuple[str, str, Tensor]:
    """The feature that a mask is, the axes along which it varies, and the tensor along these."""
    if mask.dtype not in (torch.bool, dtype):
        raise ArgumentError(f"attn_mask: expected torch.bool or {dtype}, got {mask.dtype}")
    axes_of("attn_mask", mask.shape, scores)
    whole = mask[(None,) * (len(scores) - mask.dim())]
    for axis in range(len(scores) - 1):
        if whole.stride(axis) == 0:
            # It was expanded; what it was made of says the same.
            whole = whole.narrow(axis, 0, 1)
    axes = axes_of("attn_mask", whole.shape, scores)
    name = "keep_mask" if mask.dtype == torch.bool else "bias"
    return name, axes, whole.expand(-1, -1, -1, scores[-1])


def shared(tensor: Tensor) -> DeviceArray:
    """The tensor's own memory; a dense copy where the kernel cannot read it as it lies."""
    dense = tensor.detach().contiguous()
    return DeviceArray.from_dlpack(dense.clone() if dense.data_ptr() % ALIGNMENT else dense)


def _target(device: Any) -> str:
    """The target whose code runs where a tensor lies."""
    if device.type != "cpu":
        raise ArgumentError(f"query: expected a tensor on the CPU, got one on {device}")
    return "cpu"


def _text(tensor: Tensor) -> str:
    return f"[{', '.join(map(str, tensor.shape))}]"


_operator = torch.library.custom_op(
    "irattn::attention", by_name(__name__, "_run"), mutates_args=(), schema=_SCHEMA
)
_operator.register_fake(by_name(__name__, "_shape_only"))
