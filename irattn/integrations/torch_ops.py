"""More operators of PyTorch: attention over pages and packed, writing caches, and parts of layers.

Each takes tensors where they lie, on the CPU or on a GPU, and is of `torch.library`: torch.compile
leaves it as it is. Caches are written in place.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, TypeAlias

from irattn.integrations import (
    torch_attention,
    torch_autocast,
    torch_gradients,
    torch_layers,
    torch_transforms,
)
from irattn.integrations.extras import by_name, need
from irattn.integrations.torch_calls import check_features

torch = need("torch")

Tensor: TypeAlias = Any

# The fields of attention's specs that every attention takes.
_FEATURES = (
    "float? softmax_scale=None, SymInt[]? window=None, float? logits_soft_cap=None, "
    "bool exact_sizes=False"
)

# Operators whose gradient is another's: what they have of one refuses forward mode, too.
_TRAINED = ("packed_attention",)


def _like_queries(query: Tensor, keys: Tensor, values: Tensor, *_: Any, **__: Any) -> Tensor:
    return query.new_empty((*query.shape[:-1], values.shape[-1]))


def _like_packed_lse(query: Tensor, *others: Any, **_: Any) -> tuple[Tensor, Tensor]:
    tokens, heads, _head_dim = query.shape
    lse = query.new_empty((heads, tokens), dtype=torch.float32)
    return _like_queries(query, *others), lse


def _like_updated(query: Tensor, key: Tensor, value: Tensor, *_: Any, **__: Any) -> Tensor:
    return query.new_empty((*query.shape[:-1], value.shape[-1]))


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _like_both(query: Tensor, key: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
    return query.new_empty(query.shape), key.new_empty(key.shape)


def _like_first(x: Tensor, *_: Any, **__: Any) -> Tensor:
    return x.new_empty(x.shape)


def _heads_of_product(
    hidden: Tensor, weight: Tensor, *_: Any, num_q_heads: int, num_kv_heads: int, **__: Any
) -> tuple[Tensor, ...]:
    batch, q_len, _hidden_size = hidden.shape
    head_dim = weight.shape[0] // (num_q_heads + 2 * num_kv_heads)
    heads = (num_q_heads, num_kv_heads, num_kv_heads)
    return tuple(hidden.new_empty(batch, count, q_len, head_dim) for count in heads)


def _back_in_hidden(attended: Tensor, weight: Tensor, *_: Any, **__: Any) -> Tensor:
    return attended.new_empty(attended.shape[0], attended.shape[2], weight.shape[0])


def _each(results: Any) -> tuple[Tensor, ...]:
    """The results of an operator, of which there may be one or several."""
    return results if isinstance(results, tuple) else (results,)


def _operator(
    calls: ModuleType, name: str, schema: str, fake: str, mutates: Sequence[str] = ()
) -> Any:
    """An operator of torch.library that makes the call of its name; `fake` is a function here."""
    call, like = by_name(calls.__name__, name), by_name(__name__, fake)

    def without_contents(first: Tensor, *others: Any, **options: Any) -> Any:
        check_features(**options)
        return like(first, *others, **options)

    def run(first: Tensor, *others: Any, **options: Any) -> Any:
        if not first.numel():
            results = without_contents(first, *others, **options)
            if not any(one.numel() for one in _each(results)):
                return results
        return call(first, *others, **options)

    made = torch.library.custom_op(
        f"irattn::{name}",
        # Attention checks the sizes of nothing, too, and may write where no query sees it.
        call if calls is torch_attention else run,
        mutates_args=tuple(mutates),
        schema=schema,
    )
    made.register_fake(without_contents)
    torch_transforms.refuse_nested(made)
    if name not in _TRAINED:
        torch_transforms.refuse_tangents(made)
    return made


_CACHES = "Tensor key_cache, Tensor value_cache"
_WRITTEN = "Tensor(a!) key_cache, Tensor(b!) value_cache"
_TABLE = "Tensor block_table, Tensor context_lens"
_OF_HEADS = "Tensor? sinks=None, Tensor? alibi_slopes=None"
_OPTIONAL = f"Tensor? q_lens=None, {_OF_HEADS}"

paged_attention = _operator(
    torch_attention,
    "paged_attention",
    f"(Tensor query, {_CACHES}, {_TABLE}, {_OPTIONAL}, *, bool causal=True, {_FEATURES}) -> Tensor",
    "_like_queries",
)
paged_update_attention = _operator(
    torch_attention,
    "paged_update_attention",
    f"(Tensor query, Tensor key, Tensor value, Tensor slot_mapping, {_WRITTEN}, {_TABLE}, "
    f"{_OPTIONAL}, *, bool causal=True, {_FEATURES}) -> Tensor",
    "_like_updated",
    ("key_cache", "value_cache"),
)
_PACKED = (
    "(Tensor query, Tensor key, Tensor value, Tensor cu_seqlens_q, Tensor cu_seqlens_k, "
    f"{_OF_HEADS}, *, bool causal=False, {_FEATURES}) -> "
)
packed_attention = _operator(
    torch_attention, "packed_attention", f"{_PACKED}Tensor", "_like_queries"
)
packed_attention_with_lse = _operator(
    torch_attention, "packed_attention_with_lse", f"{_PACKED}(Tensor, Tensor)", "_like_packed_lse"
)
packed_attention_with_lse.register_autograd(
    torch_gradients.packed_gradients, setup_context=torch_gradients.save_packed
)
_LOWERED = len(("query", "key", "value"))
torch_transforms.follow(
    packed_attention_with_lse,
    torch_gradients.save_packed,
    torch_gradients.packed_gradients,
    _LOWERED,
)
for operator in (packed_attention, packed_attention_with_lse):
    torch_autocast.follow(operator, _LOWERED)
torch_gradients.train_with(packed_attention, packed_attention_with_lse)
torch_transforms.follow_first(packed_attention, packed_attention_with_lse)
packed_paged_attention = _operator(
    torch_attention,
    "packed_paged_attention",
    f"(Tensor query, {_CACHES}, Tensor cu_seqlens_q, {_TABLE}, {_OF_HEADS}, *, "
    f"bool causal=True, {_FEATURES}) -> Tensor",
    "_like_queries",
)
packed_paged_update_attention = _operator(
    torch_attention,
    "packed_paged_update_attention",
    f"(Tensor query, Tensor key, Tensor value, Tensor slot_mapping, {_WRITTEN}, "
    f"Tensor cu_seqlens_q, {_TABLE}, {_OF_HEADS}, *, bool causal=True, {_FEATURES}) -> Tensor",
    "_like_updated",
    ("key_cache", "value_cache"),
)
cache_write = _operator(
    torch_attention,
    "cache_write",
    f"(Tensor key, Tensor value, {_WRITTEN}, Tensor slot_mapping, *, bool exact_sizes=False) -> ()",
    "_nothing",
    ("key_cache", "value_cache"),
)
rope = _operator(
    torch_layers,
    "rope",
    "(Tensor query, Tensor key, Tensor positions, Tensor? cos=None, Tensor? sin=None, *, "
    "float theta=10000.0, "
    "str rope_style='rotate_half', SymInt? rotary_dim=None, bool exact_sizes=False) "
    "-> (Tensor, Tensor)",
    "_like_both",
)
rms_norm = _operator(
    torch_layers,
    "rms_norm",
    "(Tensor x, Tensor weight, *, float eps=1e-06, float offset=0.0, bool exact_sizes=False) "
    "-> Tensor",
    "_like_first",
)
layer_norm = _operator(
    torch_layers,
    "layer_norm",
    "(Tensor x, Tensor weight, Tensor? bias=None, *, float eps=1e-05, float offset=0.0, "
    "bool exact_sizes=False) -> Tensor",
    "_like_first",
)
qkv_projection = _operator(
    torch_layers,
    "qkv_projection",
    "(Tensor hidden, Tensor weight, Tensor? bias=None, *, SymInt num_q_heads, "
    "SymInt num_kv_heads, bool exact_sizes=False) -> (Tensor, Tensor, Tensor)",
    "_heads_of_product",
)
output_projection = _operator(
    torch_layers,
    "output_projection",
    "(Tensor attended, Tensor weight, Tensor? bias=None, *, bool exact_sizes=False) -> Tensor",
    "_back_in_hidden",
)
mlp = _operator(
    torch_layers,
    "mlp",
    "(Tensor hidden, Tensor up_weight, Tensor down_weight, Tensor? up_bias=None, "
    "Tensor? down_bias=None, *, str activation='silu', bool gated=True, bool exact_sizes=False) "
    "-> Tensor",
    "_like_first",
)
