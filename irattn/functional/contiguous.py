"""Attention over contiguous keys and values, as a function of arrays."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from irattn.core.dtypes import any_name
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, check_is_array, in_full, reshaped, taken
from irattn.functional.block_masks import BlockMask, of_all_heads
from irattn.functional.calls import given_back, kernel_of, run, spec_of
from irattn.functional.graphs import between_graphs
from irattn.functional.head_numbers import HEAD_FIELDS, numbers_of_heads
from irattn.functional.leading_axes import of_any_axes
from irattn.functional.listed_decode import listed_decode
from irattn.functional.nothing import of_any_columns, states_of_nothing
from irattn.functional.places import have_tokens_first
from irattn.functional.repeated import RepeatedCalls
from irattn.functional.score_functions import functions_of
from irattn.functional.shapes import alignment_of, mask_axes, output_shape, said
from irattn.runtime.size_policies import Policy
from irattn.specs.attention import AttentionSpec
from irattn.specs.base import check_flag, plain

# Layers make the same call one after the other, and a spec's checks cost as much as a small kernel.
_attention_spec = lru_cache(maxsize=1024)(AttentionSpec)
_calls = RepeatedCalls(
    {"query": 0, "key": 1, "value": 2, "keep_mask": 3, "bias": 3, "sinks": 4}
    | {"q_lens": 5, "context_lens": 6, "alibi_slopes": 7, "offsets": 8, "dropout_seed": 9}
)


@between_graphs
@of_any_axes
@of_any_columns
def attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    alignment: str | None = None,
    window: Sequence[int | None] | None = None,
    logits_soft_cap: float | None = None,
    sinks: Any = None,
    q_lens: Any = None,
    context_lens: Any = None,
    alibi_slopes: Any = None,
    offsets: Any = None,
    score_mod: Callable[..., Any] | None = None,
    mask_mod: Callable[..., Any] | None = None,
    block_mask: BlockMask | None = None,
    dropout_seed: Any = None,
    return_lse: bool = False,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> Any:
    """Attention in the words of PyTorch's `scaled_dot_product_attention`, on arrays.

    query `[batch, num_q_heads, q_len, head_dim]`, key `[batch, num_kv_heads, kv_len, head_dim]` and
    value `[batch, num_kv_heads, kv_len, value_dim]` are f32, f16 or bf16: NumPy's (bf16 by
    ml_dtypes), DeviceArrays, or any library's with DLPack. The result,
    `[batch, num_q_heads, q_len, value_dim]`, is an array as `query` is, where it is. A batch of one
    is every batch; any size may be 0. All three may have no batch, no heads either, or more axes
    before the heads, which are one batch.

    - `attn_mask` broadcasts to `[batch, num_q_heads, q_len, kv_len]`; bools say which keys are
      seen, numbers of the query's type are added to the logits.
    - `is_causal` hides the keys after a query's own position, `window` `(left, right)` those that
      are further away than so many tokens, None for no limit. Both may come with a mask, and then
      a key must be seen by all of them; of PyTorch's kernels some refuse a mask with `is_causal`.
    - `alignment` says where queries stand: with `bottom_right` the last query at the last key, as
      in a decode with a cache, with `top_left`, as PyTorch has it, the first at the first. It must
      be given where `is_causal`, `window` or `alibi_slopes` meet unequal lengths, unless `offsets`,
      int32 or int64 `[batch]`, say where the first query of each sequence stands.
    - `scale` is `head_dim ** -0.5` unless given; `logits_soft_cap` is `cap * tanh(logit / cap)`;
      `sinks` `[num_q_heads]` gives each head one more key with that logit and no value;
      `alibi_slopes` `[num_q_heads]` takes `slope * |position - j|` off the logit of key `j`.
    - `score_mod`, a function of `(score, batch, head, query, key)`, gives another logit in the
      place of each, after the cap; `mask_mod`, a function of `(batch, head, query, key)`, says
      which keys are seen. Both are FlexAttention's: called once, of what AttentionSpec tells,
      with symbolic numbers; arrays that they read are inputs. `irattn.masks` has masks. With
      `block_mask`, irattn.block_mask's or lists of your own, keys and values of hidden blocks are
      not read, and full ones ask no function; others ask the one that the blocks are of, unless
      `mask_mod` is given. For calls of many queries, and of one, whose lists are read on the host,
      without masks and windows, sinks and slopes, and lengths.
    - `q_lens` and `context_lens`, int32 or int64 `[batch]`, say how many queries and keys of each
      sequence are real, the first ones; keys from there on are neither seen nor read, and with
      `bottom_right` the last real query stands at the last real key.
    - Fewer heads in key and value than in query need `enable_gqa`.
    - `dropout_p` drops weights with that likelihood, those that `dropout_seed`, int32 `[3]`, says:
      the halves of a seed, and an offset (AttentionFeatures). With 0 there is no seed.
    - `return_lse` gives `(output, lse)`, lse f32 `[batch, num_q_heads, q_len]`.

    A query that sees no key gives zeros, and an lse of -inf, or its sink. There is no gradient
    here: `irattn.integrations.torch` has it. The first call of a kind compiles, for seconds;
    `policy`, as in KernelCache, says for which sizes. It runs where device arrays are, else on
    `target` and `device`, this machine's own unless given. ArgumentError or SpecError name the
    argument that is wrong, CompileError says what the compiler refuses.
    """
    mask_mod = _mask_of(block_mask, mask_mod)
    of_call = (q_lens, context_lens, alibi_slopes, offsets, dropout_seed)
    given = (query, key, value, attn_mask, sinks, *of_call)
    words = (dropout_p, is_causal, scale, enable_gqa, alignment, window, logits_soft_cap)
    functions = {"score_mod": score_mod, "mask_mod": mask_mod}
    repeated = None
    if score_mod is None and mask_mod is None and block_mask is None:
        repeated = _calls.key(given, (*words, return_lse, policy, target, device))
    if known := _calls.find(repeated):
        return known(given)
    arrays = {"query": query, "key": key, "value": value}
    lengths = _lengths(q_lens, context_lens)
    of_heads = {"sinks": sinks, "alibi_slopes": alibi_slopes}
    _check_arrays(**arrays)
    optional = {"attn_mask": attn_mask, **of_heads, **lengths, "offsets": offsets}
    _check_arrays(**{name: array for name, array in optional.items() if array is not None})
    _check_options(is_causal=is_causal, enable_gqa=enable_gqa)
    shape = output_shape(query, key, value, enable_gqa=enable_gqa)
    scores = (*shape[:3], key.shape[2])
    # Nothing else asks where queries stand.
    matters = is_causal or window is not None or alibi_slopes is not None
    if offsets is None:
        at = alignment_of(alignment, *scores[2:], matters=matters, ragged=bool(lengths))
    else:
        at = _offsets_alignment(alignment, offsets, shape[0])
        lengths["offsets"] = offsets
    others = (attn_mask, window, sinks, alibi_slopes, offsets, q_lens, dropout_seed)
    is_plain = all(one is None for one in others) and not (is_causal and at != "bottom_right")
    if block_mask is not None:
        block_mask = of_all_heads(block_mask, shape)
    is_decode = block_mask is not None and scores[2] == 1
    if is_decode and is_plain and not have_tokens_first(*arrays.values()):
        assert block_mask is not None
        return listed_decode(
            {name: in_full(one, (shape[0], *one.shape[1:])) for name, one in arrays.items()},
            block_mask,
            functions,
            scale=scale,
            logits_soft_cap=logits_soft_cap,
            return_lse=return_lse,
            policy=policy,
            target=target,
            device=device,
        )
    features, tensors = _features(attn_mask, of_heads, query.dtype, scores)
    function_fields, captured = functions_of(**functions)
    if block_mask is not None:
        function_fields["mask_blocks"] = block_mask.block
        captured["block_counts"] = block_mask.counts
        captured["block_columns"] = block_mask.columns
    captured |= _seed_of(dropout_p, dropout_seed)
    tokens_first = have_tokens_first(*arrays.values())
    call = _spec(
        shape,
        key.shape,
        layout="NHD" if tokens_first else "HND",
        io_dtype=any_name(query.dtype),
        causal=is_causal,
        alignment=at,
        window=plain(window),
        softmax_scale=scale,
        logits_soft_cap=logits_soft_cap,
        return_lse=return_lse,
        ragged=q_lens is not None,
        dropout_p=dropout_p or None,
        **features,
        **function_fields,
    )
    if 0 in (*shape, *key.shape):
        # No query, or none that sees a key.
        lse: dict[str, Any] = {"sinks": tensors.get("sinks"), "return_lse": return_lse}
        return given_back(query, *states_of_nothing(shape, shape[:3], call.io_dtype, **lse))
    for name, array in arrays.items():
        own = array.transpose(1, 2) if tokens_first else array
        tensors[name] = in_full(taken(name, own), (shape[0], *own.shape[1:]))
    tensors |= captured | {name: taken(name, array) for name, array in lengths.items()}
    where: dict[str, Any] = {"policy": policy, "target": target, "device": device}
    results = run(call, tensors, **where)
    if repeated and (kernel := kernel_of(call, tensors, **where)):
        _calls.keep(repeated, kernel, tensors, given, tokens_first=tokens_first)
    output: Any = results[0]
    return given_back(query, output.transpose(1, 2) if tokens_first else output, *results[1:])


def _mask_of(blocks: BlockMask | None, mask_mod: Callable[..., Any] | None) -> Any:
    """The mask function of a call: its own, else that of which its blocks are."""
    if blocks is None:
        return mask_mod
    if not isinstance(blocks, BlockMask):
        raise ArgumentError(
            f"block_mask: expected irattn.block_mask's or a BlockMask, got {type(blocks).__name__}"
        )
    return blocks.mask_mod if mask_mod is None else mask_mod


def _lengths(q_lens: Any, context_lens: Any) -> dict[str, Any]:
    """The lengths of a call's sequences by name; none where all are as long as the arrays."""
    if (q_lens is None) != (context_lens is None):
        raise ArgumentError("q_lens, context_lens: expected both or none, got one")
    return {} if q_lens is None else {"q_lens": q_lens, "context_lens": context_lens}


def _check_arrays(**arrays: Any) -> None:
    for name, array in arrays.items():
        check_is_array(name, array)


def _seed_of(dropout_p: float, seed: Any) -> dict[str, Taken]:
    """The seed of dropout, where there is dropout."""
    if bool(dropout_p) != (seed is not None):
        raise ArgumentError(
            f"dropout_p, dropout_seed: expected a likelihood and a seed, or 0 and no seed, got "
            f"{dropout_p} and {'none' if seed is None else 'one'}"
        )
    if seed is None:
        return {}
    check_is_array("dropout_seed", seed)
    if tuple(seed.shape) != (3,):
        raise ArgumentError(f"dropout_seed: expected int32 [3], got {said(seed)}")
    return {"dropout_seed": taken("dropout_seed", seed)}


def _check_options(**flags: bool) -> None:
    for name, flag in flags.items():
        check_flag(name, plain(flag))


def _spec(shape: tuple[int, ...], key_shape: Sequence[int], **fields: Any) -> AttentionSpec:
    """The spec of the call; of one with empty arrays that of one with a row in their place."""
    batch, heads, q_len, value_dim = (max(size, 1) for size in shape)
    _, kv_heads, kv_len, head_dim = (max(size, 1) for size in key_shape)
    return spec_of(
        _attention_spec,
        batch=batch,
        num_q_heads=heads,
        num_kv_heads=kv_heads,
        q_len=q_len,
        kv_len=kv_len,
        head_dim=head_dim,
        value_dim=value_dim,
        **fields,
    )


def _offsets_alignment(alignment: str | None, offsets: Any, batch: int) -> str:
    """The alignment of queries whose places `offsets` tell."""
    if alignment is not None:
        raise ArgumentError("alignment, offsets: expected one of them, got both")
    if tuple(offsets.shape) != (batch,):
        raise ArgumentError(
            f"offsets: expected [{batch}], a position for each sequence, got {said(offsets)}"
        )
    return "offsets"


def _features(
    attn_mask: Any, of_heads: Mapping[str, Any], element: Any, scores: tuple[int, ...]
) -> tuple[dict[str, Any], dict[str, Taken]]:
    """The fields of the spec that say which tensors a call has besides, and these."""
    fields: dict[str, Any] = {}
    tensors: dict[str, Taken] = {}
    if attn_mask is not None:
        name, fields[name], tensors[name] = _mask(attn_mask, element, scores)
    tensors |= numbers_of_heads(scores[1], **of_heads)
    fields |= {field: name in tensors for name, field in HEAD_FIELDS.items()}
    return fields, tensors


def _mask(mask: Any, element: Any, scores: tuple[int, ...]) -> tuple[str, str, Taken]:
    """The feature that a mask is, the axes along which it varies, and the array along these."""
    own, wanted = any_name(mask.dtype), any_name(element)
    if own not in ("bool", wanted):
        raise ArgumentError(f"attn_mask: expected bool or {wanted} as query, got {mask.dtype}")
    mask_axes("attn_mask", mask.shape, scores)
    array = taken("attn_mask", _as_before_expansion(mask))
    whole_shape = (*(1,) * (len(scores) - len(array.shape)), *array.shape)
    axes = mask_axes("attn_mask", whole_shape, scores)
    if whole_shape[-1] != scores[-1]:
        array = in_full(array, (*array.shape[:-1], scores[-1]))
        whole_shape = (*whole_shape[:-1], scores[-1])
    return "keep_mask" if own == "bool" else "bias", axes, reshaped(array, whole_shape)


def _as_before_expansion(mask: Any) -> Any:
    """A mask with one row along the axes, but the keys', in which all rows are the same memory."""
    strides = mask.stride() if hasattr(mask, "stride") else getattr(mask, "strides", None)
    if strides is None or 0 not in strides[:-1]:
        return mask
    return mask[tuple(slice(1) if stride == 0 else slice(None) for stride in strides[:-1])]
