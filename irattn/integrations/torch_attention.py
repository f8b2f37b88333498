"""The calls of attention and caches that operators of PyTorch make."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from irattn.core.dtypes import any_name
from irattn.functional.calls import spec_of
from irattn.functional.head_numbers import HEAD_FIELDS
from irattn.functional.nothing import shapes_of_nothing, with_columns
from irattn.functional.pages import check_no_tokens
from irattn.functional.shapes import mask_axes
from irattn.integrations.extras import need
from irattn.integrations.torch_calls import apart, given, run_on_tensors
from irattn.specs import Spec
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec

torch = need("torch")

Tensor: TypeAlias = Any


# The tensors of an operator, in order; those after `context_lens` or `cu_seqlens_k` may be None.
_TABLE = ("block_table", "context_lens")
_NEW = ("key", "value", "slot_mapping")
_CACHES = ("key_cache", "value_cache")
_OF_HEADS = ("sinks", "alibi_slopes")
_FLOATS = ("query", "key", "value", *_CACHES)
_TENSORS: dict[type[Spec], tuple[str, ...]] = {
    PagedAttentionSpec: ("query", *_CACHES, *_TABLE, "q_lens", *_OF_HEADS),
    PagedUpdateAttentionSpec: ("query", *_NEW, *_CACHES, *_TABLE, "q_lens", *_OF_HEADS),
    PackedAttentionSpec: ("query", "key", "value", "cu_seqlens_q", "cu_seqlens_k", *_OF_HEADS),
    PackedPagedAttentionSpec: ("query", *_CACHES, "cu_seqlens_q", *_TABLE, *_OF_HEADS),
    PackedPagedUpdateAttentionSpec: (
        *("query", *_NEW, *_CACHES, "cu_seqlens_q", *_TABLE, *_OF_HEADS),
    ),
}


def paged_attention(*tensors: Tensor | None, **options: Any) -> Tensor:
    """Attention of each sequence's last tokens over its blocks of a cache."""
    return _attended(PagedAttentionSpec, tensors, options, causal=True)[0]


def paged_update_attention(*tensors: Tensor | None, **options: Any) -> Tensor:
    """Attention over a cache that new keys and values are written to first, in place."""
    return _attended(PagedUpdateAttentionSpec, tensors, options, causal=True)[0]


def packed_attention(*tensors: Tensor | None, **options: Any) -> Tensor:
    """Attention of sequences that lie one after the other, without padding."""
    return _attended(PackedAttentionSpec, tensors, options, causal=False)[0]


def packed_attention_with_lse(*tensors: Tensor | None, **options: Any) -> tuple[Tensor, ...]:
    """Packed attention, and its softmax's denominators as logarithms `[num_q_heads, tokens]`."""
    with_lse = {**options, "return_lse": True}
    return apart(_attended(PackedAttentionSpec, tensors, with_lse, causal=False))


def packed_paged_attention(*tensors: Tensor | None, **options: Any) -> Tensor:
    """Attention of packed queries over blocks of a cache."""
    return _attended(PackedPagedAttentionSpec, tensors, options, causal=True)[0]


def packed_paged_update_attention(*tensors: Tensor | None, **options: Any) -> Tensor:
    """Attention of packed queries over a cache that new keys and values are written to first."""
    return _attended(PackedPagedUpdateAttentionSpec, tensors, options, causal=True)[0]


def _attended(
    make: type[Spec], tensors: Sequence[Tensor | None], options: Mapping[str, Any], *, causal: bool
) -> tuple[Tensor, ...]:
    """The results of a call, whose options may name tensors; `causal` unless an option says it."""
    names = _TENSORS[make]
    every = {**dict(zip(names, tensors, strict=False)), "causal": causal, **options}
    there = given({name: every.get(name) for name in names})
    has_values = there[_name_of("value", there)].shape[-1] != 0
    there |= with_columns({name: there[name] for name in _FLOATS if name in there})
    sizes = _sizes(there)
    empty = {name: 1 for name, size in sizes.items() if type(size) is int and not size}
    spec = _spec(make, there, every, sizes | empty)
    output, *lse = _of_nothing(spec, there) if empty else run_on_tensors(spec, there, options)
    if empty and spec.updates:
        # New keys are written even where no query sees one.
        new = (there[name] for name in ("key", "value", *_CACHES, "slot_mapping"))
        cache_write(*new, exact_sizes=bool(options.get("exact_sizes")))
    return output if has_values else output[..., :0], *lse


def _name_of(what: str, there: Mapping[str, Tensor]) -> str:
    """The name of the keys or values that queries see: in a cache, where a call has one."""
    return f"{what}_cache" if f"{what}_cache" in there else what


def _of_nothing(spec: Any, there: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
    """The results where there is no query, or no key: zeros, and the lse of packed queries."""
    names = ("query", _name_of("key", there), _name_of("value", there))
    shape, lse_shape = shapes_of_nothing(**{name: there[name] for name in names})
    output = there["query"].new_zeros(shape)
    if output.numel() and "context_lens" in there:
        check_no_tokens(there["context_lens"])
    if not spec.return_lse:
        return (output,)
    lse = output.new_full(lse_shape, -torch.inf, dtype=torch.float32)
    return output, lse if "sinks" not in there else lse.maximum(there["sinks"].float()[:, None])


def _spec(
    make: type[Spec],
    there: Mapping[str, Tensor],
    every: Mapping[str, Any],
    sizes: Mapping[str, Any],
) -> Spec:
    """The spec of tensors of some sizes, with the features that are said."""
    features = ("causal", "softmax_scale", "window", "logits_soft_cap")
    said = {name: every[name] for name in ("return_lse",) if name in every}
    return spec_of(
        make,
        **{name: every.get(name) for name in features},
        **{field: name in there for name, field in HEAD_FIELDS.items()},
        **sizes,
        **said,
    )


def packed_attention_gradient(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    lse: Tensor,
    output_gradient: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    **options: Any,
) -> tuple[Tensor, ...]:
    """The gradients of queries, keys and values of packed sequences; and of sinks, or nothing.

    Kernels are of all numbers of tokens up to the next power of two, and sequences are padded to
    one, but with `exact_sizes`.
    """
    bounds = {"cu_seqlens_q": cu_seqlens_q.int(), "cu_seqlens_k": cu_seqlens_k.int()}
    if not options.get("exact_sizes"):
        bounds = {name: _more_bounds(one) for name, one in bounds.items()}
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    there = given({"query": query, "key": key, "value": value, **bounds, **of_heads})
    # PyTorch leaves out options that have their default.
    every = {"causal": False, **options}
    spec = _spec(PackedAttentionBackwardSpec, there, every, _sizes(there))
    given_all = {**there, "output": output, "lse": lse, "output_gradient": output_gradient}
    tensors = {tensor.name: given_all[tensor.name] for tensor in spec.inputs}
    return _told_apart(run_on_tensors(spec, tensors, options), sinks is not None)


def _more_bounds(bounds: Tensor) -> Tensor:
    """Bounds with empty sequences at the end, so that their number is a power of two."""
    made = bounds[-1:].repeat(_power_of_two(bounds.shape[0] - 1) + 1)
    made[: bounds.shape[0]] = bounds
    return made


def _power_of_two(count: int) -> int:
    return 1 << max(0, count - 1).bit_length()


def _sizes(tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    """The sizes that a call's tensors have."""
    query = tensors["query"]
    keys, values = (tensors[_name_of(one, tensors)] for one in ("key", "value"))
    sizes = {
        "io_dtype": any_name(query.dtype),
        "num_q_heads": query.shape[1],
        "num_kv_heads": keys.shape[1],
        "head_dim": query.shape[-1],
        "value_dim": values.shape[-1],
    }
    if "cu_seqlens_q" in tensors:
        sizes |= {"batch": tensors["cu_seqlens_q"].shape[0] - 1, "q_tokens": query.shape[0]}
    else:
        sizes |= {"batch": query.shape[0], "q_len": query.shape[2], "ragged": "q_lens" in tensors}
    if "block_table" not in tensors:
        return {**sizes, "kv_tokens": keys.shape[0]}
    pages = {"num_blocks": keys.shape[0], "block_size": keys.shape[2]}
    return {**sizes, **pages, "max_blocks": tensors["block_table"].shape[1]}


def attention_gradient(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    lse: Tensor,
    output_gradient: Tensor,
    attn_mask: Tensor | None = None,
    sinks: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    dropout_seed: Tensor | None = None,
    **options: Any,
) -> tuple[Tensor, ...]:
    """The gradients of queries, keys and values; of an added mask, and of sinks, or nothing."""
    mask = {} if attn_mask is None else {_mask_name(attn_mask): attn_mask}
    scores = (*query.shape[:3], key.shape[2])
    tensors = {
        **{"query": query, "key": key, "value": value, "output": output, "lse": lse},
        **{"output_gradient": output_gradient, "alibi_slopes": alibi_slopes, **mask},
        **{"sinks": sinks, "dropout_seed": dropout_seed},
    }
    features = ("causal", "alignment", "softmax_scale", "window", "logits_soft_cap", "dropout_p")
    spec = spec_of(
        AttentionBackwardSpec,
        **{name: options[name] for name in features if options.get(name) is not None},
        **{name: mask_axes("attn_mask", one.shape, scores) for name, one in mask.items()},
        **{HEAD_FIELDS[name]: tensors[name] is not None for name in HEAD_FIELDS},
        io_dtype=any_name(query.dtype),
        batch=query.shape[0],
        num_q_heads=query.shape[1],
        num_kv_heads=key.shape[1],
        q_len=query.shape[2],
        kv_len=key.shape[2],
        head_dim=query.shape[3],
        value_dim=value.shape[3],
    )
    results = run_on_tensors(spec, given(tensors), {"exact_sizes": True})
    return _told_apart(results, "bias" in mask, sinks is not None)


def _told_apart(results: Sequence[Tensor], *are_there: bool) -> tuple[Tensor, ...]:
    """Gradients of three tensors, and those of others that are there; a tensor of none stands for
    any that is not, as PyTorch makes no rules for operators with any number of results."""
    every = iter(apart(tuple(results)))
    heads = [next(every) for _ in range(3)]
    return *heads, *(next(every) if one else heads[0].new_empty(0) for one in are_there)


def _mask_name(mask: Tensor) -> str:
    """Which of a spec's tensors a mask is."""
    return "bias" if mask.dtype.is_floating_point else "keep_mask"


def cache_write(
    key: Tensor,
    value: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    slot_mapping: Tensor,
    *,
    exact_sizes: bool = False,
) -> None:
    """New keys and values written to slots of a cache, in place."""
    if not len(slot_mapping):
        return
    num_blocks, num_kv_heads, block_size, head_dim = key_cache.shape
    spec = spec_of(
        CacheWriteSpec,
        io_dtype=any_name(key.dtype),
        num_tokens=key.shape[0],
        num_kv_heads=num_kv_heads,
        head_dim=head_dim,
        value_dim=value_cache.shape[3],
        block_size=block_size,
        num_blocks=num_blocks,
    )
    tensors = {
        "key": key,
        "value": value,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "slot_mapping": slot_mapping,
    }
    run_on_tensors(spec, tensors, {"exact_sizes": exact_sizes})
