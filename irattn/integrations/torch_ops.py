"""More operators of PyTorch: attention over pages and packed, writing caches, positions and norms.

Each takes tensors where they lie, on the CPU or on a GPU, and is of `torch.library`: torch.compile
leaves it as it is. Caches are written in place.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from irattn.integrations import torch_calls
from irattn.integrations.extras import by_name, need

torch = need("torch")

Tensor: TypeAlias = Any

# The fields of attention's specs that every attention takes.
_FEATURES = (
    "float? softmax_scale=None, SymInt[]? window=None, float? logits_soft_cap=None, "
    "bool exact_sizes=False"
)


def _like_queries(query: Tensor, keys: Tensor, values: Tensor, *_: Any, **__: Any) -> Tensor:
    return query.new_empty((*query.shape[:-1], values.shape[-1]))


def _like_updated(query: Tensor, key: Tensor, value: Tensor, *_: Any, **__: Any) -> Tensor:
    return query.new_empty((*query.shape[:-1], value.shape[-1]))


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _like_both(query: Tensor, key: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
    return query.new_empty(query.shape), key.new_empty(key.shape)


def _like_first(x: Tensor, *_: Any, **__: Any) -> Tensor:
    return x.new_empty(x.shape)


def _operator(name: str, schema: str, fake: str, mutates: Sequence[str] = ()) -> Any:
    """An operator of torch.library that makes the call of its name; `fake` is a function here."""
    made = torch.library.custom_op(
        f"irattn::{name}", by_name(torch_calls.__name__, name.removesuffix("_attention")),
        mutates_args=tuple(mutates), schema=schema,
    )  # fmt: skip
    made.register_fake(by_name(__name__, fake))
    return made


_CACHES = "Tensor key_cache, Tensor value_cache"
_WRITTEN = "Tensor(a!) key_cache, Tensor(b!) value_cache"
_TABLE = "Tensor block_table, Tensor context_lens"
_OPTIONAL = "Tensor? q_lens=None, Tensor? sinks=None"

paged_attention = _operator(
    "paged_attention",
    f"(Tensor query, {_CACHES}, {_TABLE}, {_OPTIONAL}, *, bool causal=True, {_FEATURES}) -> Tensor",
    "_like_queries",
)
paged_update_attention = _operator(
    "paged_update_attention",
    f"(Tensor query, Tensor key, Tensor value, Tensor slot_mapping, {_WRITTEN}, {_TABLE}, "
    f"{_OPTIONAL}, *, bool causal=True, {_FEATURES}) -> Tensor",
    "_like_updated",
    ("key_cache", "value_cache"),
)
packed_attention = _operator(
    "packed_attention",
    "(Tensor query, Tensor key, Tensor value, Tensor cu_seqlens_q, Tensor cu_seqlens_k, "
    f"Tensor? sinks=None, *, bool causal=False, {_FEATURES}) -> Tensor",
    "_like_queries",
)
packed_paged_attention = _operator(
    "packed_paged_attention",
    f"(Tensor query, {_CACHES}, Tensor cu_seqlens_q, {_TABLE}, Tensor? sinks=None, *, "
    f"bool causal=True, {_FEATURES}) -> Tensor",
    "_like_queries",
)
cache_write = _operator(
    "cache_write",
    f"(Tensor key, Tensor value, {_WRITTEN}, Tensor slot_mapping, *, bool exact_sizes=False) -> ()",
    "_nothing",
    ("key_cache", "value_cache"),
)
rope = _operator(
    "rope",
    "(Tensor query, Tensor key, Tensor positions, *, float theta=10000.0, "
    "str rope_style='rotate_half', SymInt? rotary_dim=None, bool exact_sizes=False) "
    "-> (Tensor, Tensor)",
    "_like_both",
)
rms_norm = _operator(
    "rms_norm",
    "(Tensor x, Tensor weight, *, float eps=1e-06, float offset=0.0, bool exact_sizes=False) "
    "-> Tensor",
    "_like_first",
)
