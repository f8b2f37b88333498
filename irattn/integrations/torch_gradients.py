"""The gradient of attention for PyTorch's autograd, by an operator of its own."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.integrations import torch_attention, torch_transforms
from irattn.integrations.extras import by_name, need
from irattn.specs.base import MAX_HEAD_DIM

torch = need("torch")

Tensor: TypeAlias = Any

_SCHEMA = (
    "(Tensor query, Tensor key, Tensor value, Tensor output, Tensor lse, Tensor output_gradient, "
    "Tensor? attn_mask=None, Tensor? sinks=None, Tensor? alibi_slopes=None, "
    "Tensor? dropout_seed=None, *, float? softmax_scale=None, bool causal=False, "
    "str? alignment=None, SymInt[]? window=None, float? logits_soft_cap=None, "
    "float dropout_p=0.0) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"
)
_OPTIONS = ("softmax_scale", "causal", "alignment", "window", "logits_soft_cap", "dropout_p")

# What a gradient is asked of, and what there is none with.
_NONE_WITH = "q_lens, context_lens, offsets, no tokens and heads above 256"


def wants_gradient(given: Sequence[Any], told: Sequence[Any]) -> bool:
    """Whether some of query, key, value, mask and sinks asks for a gradient that there is.

    There is none where lengths or places are `told`, of wide heads, and of nothing.
    """
    query, key, value, *_ = given
    # A tensor that a transform has a batch of does not say that it asks for one.
    return (
        torch.is_grad_enabled()
        and (
            any(one is not None and one.requires_grad for one in given)
            or torch_transforms.is_differentiated()
        )
        and all(one is None for one in told)
        and max(query.shape[-1], value.shape[-1]) <= MAX_HEAD_DIM
        and 0 not in (*query.shape, *key.shape, *value.shape)
    )


def is_of_nothing(given: Sequence[Any]) -> bool:
    """Whether a gradient is asked of attention without queries, keys, heads or values."""
    query, key, value, *_ = given
    return (
        torch.is_grad_enabled()
        and any(one is not None and one.requires_grad for one in given)
        and 0 in (*query.shape[:-1], *key.shape[:-1], *value.shape)
    )


def zeros_of(given: Sequence[Any], shape: Sequence[int]) -> Tensor:
    """Zeros that have a gradient, of zeros, for each of these that asks for one."""
    asking = [one for one in given if one is not None and one.requires_grad]
    nothing = sum(one.flatten()[:0].sum() for one in asking)
    return given[0].new_zeros(shape) + nothing.to(given[0].dtype)


def in_full(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """The tensors of all sequences and keys; autograd sums up what became several.

    What does not fit stays as it is: the call refuses it by name.
    """
    batch = max(query.shape[0], key.shape[0], value.shape[0])
    query, key, value = (
        one.expand(batch, *one.shape[1:]) if one.shape[0] == 1 else one
        for one in (query, key, value)
    )
    if mask is not None:
        mask = mask.reshape(*(1,) * (4 - mask.dim()), *mask.shape)
        if mask.shape[-1] == 1:
            mask = mask.expand(*mask.shape[:-1], key.shape[2])
    return query, key, value, mask


def _shapes_only(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    lse: Tensor,
    output_gradient: Tensor,
    attn_mask: Tensor | None = None,
    sinks: Tensor | None = None,
    *_: Any,
    **__: Any,
) -> tuple[Tensor, ...]:
    mask = attn_mask if _is_added(attn_mask) else None
    return tuple(_like(one, query) for one in (query, key, value, mask, sinks))


def _like(tensor: Tensor | None, first: Tensor) -> Tensor:
    """A gradient without its contents: of no elements for what is not there."""
    return first.new_empty(0) if tensor is None else tensor.new_empty(tensor.shape)


gradient_operator = torch.library.custom_op(
    "irattn::attention_gradient",
    by_name(torch_attention.__name__, "attention_gradient"),
    mutates_args=(),
    schema=_SCHEMA,
)
gradient_operator.register_fake(by_name(__name__, "_shapes_only"))

packed_gradient_operator = torch.library.custom_op(
    "irattn::packed_attention_gradient",
    by_name(torch_attention.__name__, "packed_attention_gradient"),
    mutates_args=(),
    schema="(Tensor query, Tensor key, Tensor value, Tensor output, Tensor lse, "
    "Tensor output_gradient, Tensor cu_seqlens_q, Tensor cu_seqlens_k, Tensor? sinks=None, "
    "Tensor? alibi_slopes=None, *, bool causal=False, float? softmax_scale=None, "
    "SymInt[]? window=None, float? logits_soft_cap=None, bool exact_sizes=False) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
)
_PACKED_OPTIONS = ("causal", "softmax_scale", "window", "logits_soft_cap", "exact_sizes")


def _packed_shapes_only(
    query: Tensor, key: Tensor, value: Tensor, *others: Any, **_: Any
) -> tuple[Tensor, ...]:
    sinks = others[5] if len(others) > 5 else None
    return tuple(_like(one, query) for one in (query, key, value, sinks))


packed_gradient_operator.register_fake(by_name(__name__, "_packed_shapes_only"))


def save_packed(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    """Keep what the gradient of packed attention with its lse is made of. The lse has none."""
    ctx.save_for_backward(*inputs, *output)
    ctx.options = {name: keyword_only_inputs[name] for name in _PACKED_OPTIONS}
    ctx.mark_non_differentiable(output[1])


def packed_gradients(ctx: Any, output_gradient: Tensor, _lse_gradient: Tensor) -> tuple[Any, ...]:
    """The gradients of all positional arguments of packed attention."""
    query, key, value, *bounds, sinks, slopes, output, lse = ctx.saved_tensors
    if 0 in (*query.shape, *key.shape, *value.shape):
        nothing = None if sinks is None else torch.zeros_like(sinks)
        zeros = [torch.zeros_like(one) for one in (query, key, value)]
        return (*zeros, None, None, nothing, None)
    of_query, of_key, of_value, of_sinks = packed_gradient_operator(
        *(query, key, value, output, lse, output_gradient.to(query.dtype), *bounds),
        *(None if one is None else one.float() for one in (sinks, slopes)),
        **ctx.options,
    )
    of_sinks = None if sinks is None else of_sinks.to(sinks.dtype)
    return of_query, of_key, of_value, None, None, of_sinks, None


# Rules of dispatch last as long as what they are registered with.
_library = torch.library.Library("irattn", "FRAGMENT")


def _asks_for_one(*tensors: Tensor | None) -> bool:
    """Whether a gradient is asked of some tensor."""
    return torch.is_grad_enabled() and bool(torch._C._any_requires_grad(*tensors))


def train_with(
    operator: Any,
    with_lse: Callable[..., Any],
    wants: Callable[..., bool] = _asks_for_one,
) -> None:
    """Have an operator's gradient be that of another, which gives its lse, too.

    `wants` says of a call's tensors whether there is such a gradient; others have the operator's
    own, which may say why there is none.
    """
    usual = torch._library.autograd.make_autograd_impl(operator._opoverload, operator)

    def run(keys: Any, *tensors: Tensor | None, **options: Any) -> Tensor:
        torch_transforms.check_no_tangents(tensors)
        if wants(*tensors):
            return with_lse(*tensors, **options)[0]
        result: Tensor = usual(keys, *tensors, **options)
        return result

    for key in torch_transforms.AUTOGRAD:
        _library.impl(operator._name, run, key, with_keyset=True)


def _refuse_twice(ctx: Any, *_: Any) -> NoReturn:
    """Say why there is no gradient of a gradient."""
    raise ArgumentError("attention: there is no gradient of a gradient (create_graph)")


def save_nothing(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    """Keep nothing of a call whose gradient was not asked for beforehand, or has none."""


for operator in (gradient_operator, packed_gradient_operator):
    operator.register_autograd(_refuse_twice)
    torch_transforms.follow(operator, save_nothing, _refuse_twice)


def save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    """Keep what the gradient of a call with its lse is made of. The lse has none itself."""
    *given, q_lens, context_lens, alibi_slopes, offsets, dropout_seed = inputs
    ctx.save_for_backward(*given, alibi_slopes, dropout_seed, *output)
    ctx.options = {name: keyword_only_inputs[name] for name in _OPTIONS}
    ctx.told = any(one is not None for one in (q_lens, context_lens, offsets))
    ctx.mark_non_differentiable(output[1])


def gradients(ctx: Any, output_gradient: Tensor, _lse_gradient: Tensor) -> tuple[Any, ...]:
    """The gradients of all positional arguments of the operator."""
    query, key, value, mask, sinks, slopes, seed, output, lse = ctx.saved_tensors
    if ctx.told:
        refuse(ctx)
    wide_sinks, wide_slopes = (None if one is None else one.float() for one in (sinks, slopes))
    *of_heads, of_mask, of_sinks = gradient_operator(
        *(query, key, value, output, lse, output_gradient.to(query.dtype)),
        *(mask, wide_sinks, wide_slopes, seed),
        **ctx.options,
    )
    of_sinks = None if sinks is None else of_sinks.to(sinks.dtype)
    return *of_heads, of_mask if _is_added(mask) else None, of_sinks, *(None,) * 5


def _is_added(mask: Tensor | None) -> bool:
    """Whether a mask is added to logits, and has a gradient."""
    return mask is not None and mask.dtype.is_floating_point


def refuse(ctx: Any, *_: Any) -> NoReturn:
    """Say why there is no gradient."""
    raise ArgumentError(
        f"attention: there is no gradient with {_NONE_WITH}; hide padding with attn_mask, or call "
        "it where gradients are enabled and some argument requires one"
    )
