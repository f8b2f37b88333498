"""Attention as an operator of PyTorch: in eager mode, and under torch.compile without a break."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError, shown
from irattn.functional import attention
from irattn.functional.leading_axes import of_any_axes
from irattn.functional.places import lie_tokens_first
from irattn.functional.shapes import output_shape
from irattn.integrations import torch_autocast, torch_gradients, torch_transforms
from irattn.integrations.extras import by_name, need
from irattn.integrations.torch_calls import (
    apart,
    check_features,
    check_reachable,
    check_same_device,
    check_tensors,
    check_words,
)
from irattn.integrations.torch_calls import given as there
from irattn.runtime.size_policies import EXACT, POWER_OF_TWO

torch = need("torch")

Tensor: TypeAlias = Any

# The operator speaks irattn's words, those of AttentionSpec's fields.
_SCHEMA = (
    "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, Tensor? sinks=None, "
    "Tensor? q_lens=None, Tensor? context_lens=None, Tensor? alibi_slopes=None, "
    "Tensor? offsets=None, Tensor? dropout_seed=None, *, "
    "float? softmax_scale=None, bool causal=False, str? alignment=None, "
    "SymInt[]? window=None, float? logits_soft_cap=None, bool enable_gqa=False, "
    "bool exact_sizes=False, float dropout_p=0.0) -> "
)


@of_any_axes
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
    window: Sequence[int | None] | None = None,
    logits_soft_cap: float | None = None,
    sinks: Tensor | None = None,
    q_lens: Tensor | None = None,
    context_lens: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    offsets: Tensor | None = None,
    alignment: str | None = None,
    return_lse: bool = False,
    exact_sizes: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Attention as PyTorch's function of this name computes it, with all of irattn's features.

    query `[batch, num_q_heads, q_len, head_dim]`, key `[batch, num_kv_heads, kv_len, head_dim]` and
    value `[batch, num_kv_heads, kv_len, value_dim]` are float32, float16 or bfloat16; the result is
    `[batch, num_q_heads, q_len, value_dim]`. A batch of one is every batch; all three may have no
    batch, no heads either, or more axes before the heads. Arguments of PyTorch's names mean what
    they mean there: `attn_mask` broadcasts to `[batch, num_q_heads, q_len, kv_len]` and is bool
    (true: attend) or is added to the logits; heads may differ in number with `enable_gqa`; query
    `i` stands at position `i`, unless `alignment` is `bottom_right`, where the last stands at the
    last key, or `offsets`, int32 `[batch]`, say where the first of each sequence stands. All of
    them may be given at once. `window` is `[left, right]` tokens besides its own that a query sees,
    None or -1 for no limit; `logits_soft_cap` bounds the scaled logits; `sinks` `[num_q_heads]`
    gives every head one more key with that logit and no value;
    `alibi_slopes` `[num_q_heads]` takes `slope * |position - j|` off the logit of key `j`.
    `q_lens` and `context_lens`, int32 `[batch]`, say how many queries and keys of each sequence are
    real, the first ones; what lies after them is not read, so that a cache may have room for more.
    `dropout_p` drops weights by a seed that PyTorch's generator draws for the call.
    A query that sees no key gives zeros. `return_lse` gives `(output, lse)`, lse float32
    `[batch, num_q_heads, q_len]`: the logarithm of the softmax's denominator.

    One kernel serves all batches and lengths up to the next power of two: lengths that are no
    multiple of 64 are padded to one in a copy. `exact_sizes` has one compiled for these sizes, and
    then dense tensors are used where they lie. The first call with new sizes compiles, which takes
    seconds; the store keeps it.

    Query, key, value, sinks and a mask that is added have gradients, the same bits every time;
    where one is asked for, kernels are those of `exact_sizes`. `lse` has none, and there is none
    with `q_lens`, `context_lens`, `offsets`, and heads above 256, none in forward mode and none of
    gradients. `torch.autocast` says in which dtype query, key, value and a mask that is added are,
    as it does for PyTorch's.

    ArgumentError or SpecError for what irattn cannot compute, CompileError where the compiler
    refuses the kernel.
    """
    check_tensors({"query": query, "key": key, "value": value})
    optional = {"attn_mask": attn_mask, "sinks": sinks, "q_lens": q_lens, "offsets": offsets}
    optional |= {"context_lens": context_lens, "alibi_slopes": alibi_slopes}
    check_tensors(there(optional))
    check_words(
        {"scale": scale, "logits_soft_cap": logits_soft_cap, "dropout_p": dropout_p},
        {"is_causal": is_causal, "enable_gqa": enable_gqa},
    )
    if alignment is None and offsets is None:
        alignment = "top_left"
    if not isinstance(alignment, str | None):
        raise ArgumentError(f"alignment: expected bottom_right or top_left, got {shown(alignment)}")
    query, key, value, attn_mask = torch_autocast.cast(query, key, value, attn_mask)
    given = (query, key, value, attn_mask, sinks)
    torch_transforms.check_no_tangents((*given, alibi_slopes))
    if torch_gradients.is_of_nothing(given):
        shape = output_shape(query, key, value, enable_gqa=enable_gqa)
        output = torch_gradients.zeros_of(given, shape)
        return (output, output.new_full(shape[:3], -torch.inf).float()) if return_lse else output
    is_trained = torch_gradients.wants_gradient(given, (q_lens, context_lens, offsets))
    if is_trained:
        query, key, value, attn_mask = torch_gradients.in_full(query, key, value, attn_mask)
        # The kernel of the gradient is for these sizes, too.
        exact_sizes = True
    # The gradient is made of both.
    gives_both = return_lse or is_trained
    eager, operator = (_run_with_lse, _with_lse) if gives_both else (_run, _operator)
    run = operator if _is_watched(query, key, value) else eager
    result: Tensor | tuple[Tensor, Tensor] = run(
        query,
        key,
        value,
        attn_mask,
        sinks,
        q_lens,
        context_lens,
        alibi_slopes,
        offsets,
        _drawn_seed(query) if dropout_p else None,
        softmax_scale=scale,
        causal=is_causal,
        alignment=alignment,
        window=_sides(window),
        logits_soft_cap=logits_soft_cap,
        enable_gqa=enable_gqa,
        exact_sizes=exact_sizes,
        dropout_p=dropout_p,
    )
    return result[0] if is_trained and not return_lse else result


def _sides(window: Sequence[int | None] | None) -> list[int] | None:
    """A window as operators have it, in numbers alone."""
    if window is None:
        return None
    if not isinstance(window, Sequence):
        raise ArgumentError(f"window: expected [left, right], or None, got {shown(window)}")
    sides = [-1 if side is None else side for side in window]
    if not all(isinstance(side, Integral | torch.SymInt) for side in sides):
        raise ArgumentError(f"window: expected whole numbers, or None, got {shown(window)}")
    return sides


def _drawn_seed(query: Tensor) -> Tensor:
    """A seed of dropout, and an offset, as PyTorch's generator for the device draws them."""
    return torch.randint(-(2**31), 2**31, (3,), dtype=torch.int32, device=query.device)


def _is_watched(*tensors: Tensor) -> bool:
    """Whether something of PyTorch's has to see the operator: gradients, a compiler, a mode, or
    tensors that have no contents.

    Nothing has in eager inference, where PyTorch's own work on an operator of Python's takes the
    host longer than the launch.
    """
    return (
        torch.is_grad_enabled()
        or torch.compiler.is_compiling()
        or any(type(tensor) is not torch.Tensor or tensor.is_meta for tensor in tensors)
        or torch._C._len_torch_dispatch_stack() > 0
        or torch._C._get_tracing_state() is not None
        or torch._C._functorch.peek_interpreter_stack() is not None
    )


def _run(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    sinks: Tensor | None = None,
    q_lens: Tensor | None = None,
    context_lens: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    offsets: Tensor | None = None,
    dropout_seed: Tensor | None = None,
    *,
    softmax_scale: float | None = None,
    causal: bool = False,
    alignment: str | None = None,
    window: Sequence[int] | None = None,
    logits_soft_cap: float | None = None,
    enable_gqa: bool = False,
    exact_sizes: bool = False,
    dropout_p: float = 0.0,
    return_lse: bool = False,
) -> Any:
    """Run the operator in eager mode. PyTorch leaves out arguments that have their default."""
    check_reachable("query", query.device)
    check_same_device(query.device, {"key": key, "value": value})
    if alignment is None and offsets is None:
        alignment = "bottom_right"
    return attention(
        _detached(query),
        _detached(key),
        _detached(value),
        attn_mask=None if attn_mask is None else _detached(attn_mask),
        sinks=None if sinks is None else _detached(sinks).float(),
        q_lens=q_lens,
        context_lens=context_lens,
        alibi_slopes=None if alibi_slopes is None else _detached(alibi_slopes).float(),
        offsets=offsets,
        is_causal=causal,
        scale=softmax_scale,
        alignment=alignment,
        window=None if window is None else tuple(window),
        logits_soft_cap=logits_soft_cap,
        enable_gqa=enable_gqa,
        dropout_p=dropout_p,
        dropout_seed=dropout_seed,
        return_lse=return_lse,
        policy=EXACT if exact_sizes else POWER_OF_TWO,
    )


def _run_with_lse(*tensors: Tensor | None, **options: Any) -> Any:
    return apart(_run(*tensors, **options, return_lse=True))


def _detached(tensor: Tensor) -> Tensor:
    return tensor.detach() if tensor.requires_grad else tensor


def _shape_only(
    query: Tensor, key: Tensor, value: Tensor, *others: Any, enable_gqa: bool = False, **named: Any
) -> Tensor:
    """The operator's result without its contents: all that torch.compile asks."""
    check_same_device(query.device, {"key": key, "value": value})
    check_features(**named)
    shape = output_shape(query, key, value, enable_gqa=enable_gqa)
    if query.is_cuda and lie_tokens_first(query, key, value):
        batch, heads, q_len, value_dim = shape
        return query.new_empty((batch, q_len, heads, value_dim)).transpose(1, 2)
    return query.new_empty(shape)


def _shapes_only(query: Tensor, *others: Any, **named: Any) -> tuple[Tensor, Tensor]:
    output = _shape_only(query, *others, **named)
    return output, query.new_empty(output.shape[:3], dtype=torch.float32)


def _is_trained(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    sinks: Tensor | None = None,
    q_lens: Tensor | None = None,
    context_lens: Tensor | None = None,
    _alibi_slopes: Tensor | None = None,
    offsets: Tensor | None = None,
    _dropout_seed: Tensor | None = None,
) -> bool:
    """Whether the operator's tensors ask for a gradient that there is."""
    given = (query, key, value, attn_mask, sinks)
    return torch_gradients.wants_gradient(given, (q_lens, context_lens, offsets))


def _trained(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    *others: Tensor | None,
    **options: Any,
) -> tuple[Tensor, Tensor]:
    """Attention and its lse, of which a gradient is made, by a kernel for exactly these sizes."""
    full = torch_gradients.in_full(query, key, value, attn_mask)
    both: tuple[Tensor, Tensor] = _with_lse(*full, *others, **{**options, "exact_sizes": True})
    return both


def _made(name: str, run: str, fake: str, results: str) -> Any:
    """An operator of torch.library; `run` and `fake` are functions here."""
    made = torch.library.custom_op(
        f"irattn::{name}", by_name(__name__, run), mutates_args=(), schema=_SCHEMA + results
    )
    made.register_fake(by_name(__name__, fake))
    torch_transforms.refuse_nested(made)
    return made


_operator = _made("attention", "_run", "_shape_only", "Tensor")
_with_lse = _made("attention_with_lse", "_run_with_lse", "_shapes_only", "(Tensor, Tensor)")
_operator.register_autograd(torch_gradients.refuse, setup_context=torch_gradients.save_nothing)
_with_lse.register_autograd(torch_gradients.gradients, setup_context=torch_gradients.save)
torch_transforms.refuse_tangents(_with_lse)
torch_transforms.follow(_with_lse, torch_gradients.save, torch_gradients.gradients)
torch_gradients.train_with(_operator, _trained, _is_trained)
torch_transforms.follow_first(_operator, _with_lse)
