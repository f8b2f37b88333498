"""transformers' continuous batching: attention of a step's packed queries over its paged cache."""

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from irattn.core.dtypes import float_name
from irattn.functional.arrays import taken
from irattn.integrations.torch import torch
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.kernel_cache import KernelCache
from irattn.specs import Spec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.sizes import ANY_STEP_OVER_KEYS, ANY_STEP_OVER_PAGES

_batching: Any = import_module("transformers.generation.continuous_batching")

Tensor: TypeAlias = Any

# The argument of attention that says where keys and values lie, beside transformers' own.
_PAGES = "irattn_pages"

# IREE takes no other addresses without a copy.
_ALIGNMENT = 64


@dataclass(frozen=True)
class StepTables:
    """A step's packed sequences as kernels take them, the same for all layers that share pages."""

    cu_seqlens_q: DeviceArray
    block_table: DeviceArray
    context_lens: DeviceArray


@dataclass(frozen=True)
class CachePages:
    """A layer's keys and values in transformers' cache, `[pages, page_size, num_kv_heads, dim]`.

    `rows` are those of all keys of the step, sequence after sequence.
    """

    keys: Tensor
    values: Tensor
    rows: Tensor
    tables: StepTables

    def gathered(self) -> tuple[Tensor, Tensor]:
        """Copies of keys and values, packed, `[1, num_kv_heads, kv_tokens, dim]`."""
        found = (x.flatten(0, 1)[self.rows] for x in (self.keys, self.values))
        key, value = (x.transpose(0, 1)[None] for x in found)
        return key, value


# Each is for tensors that transformers makes once: for a step, and for a cache.
_tables: MutableMapping[Tensor, StepTables] = torch.utils.weak.WeakIdKeyDictionary()
_shared: MutableMapping[Tensor, DeviceArray] = torch.utils.weak.WeakIdKeyDictionary()


def is_step(others: Mapping[str, Any]) -> bool:
    """Whether a layer's attention has the arguments of continuous batching."""
    return others.get("write_index") is not None


def updated(
    module: Any, key: Tensor, value: Tensor, others: dict[str, Any]
) -> tuple[Tensor, Tensor]:
    """Keys and values once the cache has the new ones, in versions that leave this to attention."""
    paged = others.get("cache")
    if not isinstance(paged, _batching.PagedAttentionCache):
        return key, value
    found: tuple[Tensor, Tensor] = paged.update(key, value, module.layer_idx, kwargs=others)
    return found


def sequences(step: Mapping[str, Any]) -> list[tuple[slice, slice]]:
    """The queries and the keys of each of a step's sequences that has queries."""
    queries, keys = (
        [slice(*pair) for pair in pairwise(step[name].tolist())]
        for name in ("cu_seq_lens_q", "cu_seq_lens_k")
    )
    return [(q, k) for q, k in zip(queries, keys, strict=True) if q.stop > q.start]


def pages_of(step: Mapping[str, Any]) -> CachePages | None:
    """Where a step's keys and values lie; None where the call has them, packed."""
    return step.get(_PAGES)


@cache
def register(name: str) -> None:
    """Let `generate_batch` run models of this attention.

    transformers has no door for attention of others: two of its methods are wrapped, and for models
    of another attention do what they did. Where a version has them not, `generate_batch` refuses.
    """
    for owner, method, around in (
        (_batching.ContinuousBatchingManager, "switch_to_cb_friendly_attn", _kept),
        (_batching.PagedAttentionCache, "update", _in_place),
    ):
        theirs = getattr(owner, method, None)
        if theirs is not None:
            setattr(owner, method, wraps(theirs)(around(theirs, name)))


def _kept(theirs: Callable[..., None], name: str) -> Callable[..., None]:
    """transformers' choice of an attention for a model, which keeps irattn's."""

    def switch(manager: Any, model: Any, *others: Any, **named: Any) -> None:
        if model.config._attn_implementation != name:
            theirs(manager, model, *others, **named)

    return switch


def _in_place(theirs: Callable[..., Any], name: str) -> Callable[..., Any]:
    """transformers' update of a cache, which for irattn says where keys lie and gathers none."""

    def update(
        paged: Any,
        key_states: Tensor,
        value_states: Tensor,
        layer_idx: int,
        kwargs: dict[str, Any],
    ) -> Any:
        allocator = paged.layer_to_allocator[layer_idx]
        ours = paged.config._attn_implementation == name and _takes_pages(allocator, layer_idx)
        if not ours:
            return theirs(paged, key_states, value_states, layer_idx, kwargs)
        read, written = (kwargs[index][allocator.index] for index in ("read_index", "write_index"))
        # Where none are to be read, it only writes.
        kwargs["read_index"] = [index[:0] for index in kwargs["read_index"]]
        states = theirs(paged, key_states, value_states, layer_idx, kwargs)
        rows = read if read.numel() else written
        kwargs[_PAGES] = _pages(allocator, layer_idx, rows, kwargs)
        return states

    return torch.compiler.disable(update)  # type: ignore[no-any-return]


def _takes_pages(allocator: Any, layer: int) -> bool:
    """Whether kernels read the pages of a layer where they lie; a ring of a window has no order."""
    if not allocator.supports_block_table or allocator.cache_tensor.device.type != "cpu":
        return False
    pages = allocator.get_cache_for_block_table(layer)
    return all(x.data_ptr() % _ALIGNMENT == 0 for x in pages)


def _pages(allocator: Any, layer: int, rows: Tensor, step: Mapping[str, Any]) -> CachePages:
    keys, values = allocator.get_cache_for_block_table(layer)
    if rows not in _tables:
        queries, bounds = (step[f"cu_seq_lens_{x}"].numpy() for x in "qk")
        _tables[rows] = _step_tables(rows.numpy(), queries, bounds, keys.shape[1])
    return CachePages(keys, values, rows, _tables[rows])


def _step_tables(
    rows: np.ndarray, queries: np.ndarray, keys: np.ndarray, page_size: int
) -> StepTables:
    """The tables from the rows of all keys, and where queries and keys of sequences begin."""
    lens = np.diff(keys)
    count = -(-int(lens.max()) // page_size)
    firsts = keys[:-1, None] + page_size * np.arange(count)
    found = rows[np.minimum(firsts, len(rows) - 1)] // page_size
    arrays = (queries, np.where(firsts < keys[1:, None], found, 0), lens)
    return StepTables(*(DeviceArray.from_numpy(np.array(x, np.int32, order="C")) for x in arrays))


@torch.compiler.disable  # type: ignore[untyped-decorator]
def step_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    step: Mapping[str, Any],
    *,
    sinks: Tensor | None,
    **features: Any,
) -> Tensor:
    """Causal attention of packed queries `[1, num_q_heads, q_tokens, head_dim]`, laid out likewise.

    Over transformers' cache where `step` says where its keys lie, else over key and value, packed,
    `[1, num_kv_heads, kv_tokens, head_dim]`. `features` are more fields of the spec. IrattnError
    for what irattn cannot compute.
    """
    fields: dict[str, Any] = {
        "io_dtype": float_name(query.dtype),
        "num_q_heads": query.shape[1],
        "num_kv_heads": key.shape[1],
        "head_dim": query.shape[3],
        "causal": True,
        "sinks": sinks is not None,
        **features,
    }
    pages = pages_of(step)
    if pages is None:
        spec, tensors = _packed(fields, key, value, step)
    else:
        spec, tensors = _paged(fields, pages)
    if sinks is not None:
        tensors["sinks"] = taken("sinks", sinks.detach().float())
    packed = taken("query", _by_token(query))
    (attended,) = _kernels().outputs(spec, {"query": packed, **tensors})
    return torch.from_dlpack(attended).transpose(0, 1)[None]


def _paged(fields: Mapping[str, Any], pages: CachePages) -> tuple[Spec, dict[str, Any]]:
    """The spec over transformers' cache, and its tensors but for queries."""
    most, size = ANY_STEP_OVER_PAGES, pages.keys.shape[1]
    spec = PackedPagedAttentionSpec(
        **fields, block_size=size, layout="NHD", dynamic=tuple(most), **most
    )
    caches = {"key_cache": _there(pages.keys), "value_cache": _there(pages.values)}
    return spec, caches | vars(pages.tables)


def _packed(
    fields: Mapping[str, Any], key: Tensor, value: Tensor, step: Mapping[str, Any]
) -> tuple[Spec, dict[str, Any]]:
    """The spec over packed keys, and its tensors but for queries."""
    most = ANY_STEP_OVER_KEYS
    spec = PackedAttentionSpec(**fields, dynamic=tuple(most), **most)
    states = {"key": key, "value": value}
    tensors = {name: taken(name, _by_token(states[name])) for name in states}
    bounds = {f"cu_seqlens_{x}": step[f"cu_seq_lens_{x}"].numpy() for x in "qk"}
    return spec, tensors | bounds


def _by_token(heads: Tensor) -> Tensor:
    """`[tokens, heads, dim]` of `[1, heads, tokens, dim]`; what is gathered is dense so."""
    return heads.detach()[0].transpose(0, 1)


def _there(pages: Tensor) -> DeviceArray:
    """A cache as kernels take it, where it lies."""
    if pages not in _shared:
        # A tensor of its own: what it keeps alive must not be the key.
        _shared[pages] = DeviceArray.from_dlpack(pages.detach())
    return _shared[pages]


@cache
def _kernels() -> KernelCache:
    return KernelCache("exact", target="cpu")
