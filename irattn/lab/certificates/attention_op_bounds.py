"""Bounds of the errors of attention over tokens, pages and quantised caches, and of gradients."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.certificates.attention_bounds import attention_error
from irattn.lab.certificates.bounded_call import Bound, Call, Tensors, is_quantised
from irattn.lab.certificates.gradient_bounds import gradient_errors
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    HALF_A_WHOLE,
    Rounded,
    given,
    storage_unit,
)
from irattn.reference.attention import PlacedHead, attention_heads
from irattn.reference.attention_backward import given_heads
from irattn.reference.cache_write import written
from irattn.reference.layouts import heads_first
from irattn.reference.packed_attention import packed_heads
from irattn.reference.packed_attention_backward import given_packed_heads
from irattn.reference.packed_paged_attention import packed_paged_heads
from irattn.reference.paged_attention import paged_heads
from irattn.reference.quantised_cache import dequantised


def _attention(call: Call) -> list[np.ndarray]:
    return _over_heads(call, attention_heads, call.tensors, call.spec.layout)


def _packed(call: Call) -> list[np.ndarray]:
    return _over_heads(call, packed_heads, call.tensors, "HND")


def _paged(call: Call) -> list[np.ndarray]:
    return _over_heads(call, paged_heads, call.tensors, call.spec.layout)


def _packed_paged(call: Call) -> list[np.ndarray]:
    return _over_heads(call, packed_paged_heads, call.tensors, "HND")


def _updating(call: Call) -> list[np.ndarray]:
    """New tokens are copied into the caches, and then read there."""
    rows = {}
    for name in _new_tokens(call):
        new = heads_first(call.spec.layout, call.tensors[name]).transpose(0, 2, 1, 3)
        rows[name] = new.reshape(-1, *new.shape[2:])
    return _over_written(call, rows, paged_heads, call.spec.layout)


def _packed_updating(call: Call) -> list[np.ndarray]:
    rows = {name: call.tensors[name] for name in _new_tokens(call)}
    return _over_written(call, rows, packed_paged_heads, "HND")


def _gradients(call: Call) -> list[np.ndarray]:
    shape = call.tensors["bias"].shape if call.spec.bias else None
    return gradient_errors(call.spec, given_heads(call.spec, call.tensors), shape, call.lost)


def _packed_gradients(call: Call) -> list[np.ndarray]:
    heads = given_packed_heads(call.spec, call.tensors)
    return gradient_errors(call.spec, heads, None, call.lost)


def _new_tokens(call: Call) -> list[str]:
    """The names of what is written; a latent cache has keys alone."""
    return [name for name in ("key", "value") if name in call.tensors]


def _over_written(
    call: Call,
    rows: Tensors,
    heads_of: Callable[[Any, Tensors], Iterator[PlacedHead]],
    layout: str,
) -> list[np.ndarray]:
    """Bounds over caches that have taken new rows of keys and values, which are only copied."""
    tensors, slots = call.tensors, call.tensors["slot_mapping"].ravel()
    is_joint = call.spec.first_value_slot > 0
    caches = {
        f"{name}_cache": written(
            call.spec.layout, tensors[f"{name}_cache"], new, slots, half if is_joint else None
        )
        for half, (name, new) in enumerate(rows.items())
    }
    # As they are stored: what is lost of them is told by their type.
    kept = {name: cache.astype(tensors[name].dtype) for name, cache in caches.items()}
    copied = [np.zeros(cache.shape) for cache in caches.values()]
    return [*_over_heads(call, heads_of, {**tensors, **kept}, layout), *copied]


def _over_heads(
    call: Call,
    heads_of: Callable[[Any, Tensors], Iterator[PlacedHead]],
    tensors: Tensors,
    layout: str,
) -> list[np.ndarray]:
    """Bounds of the output and, where it is asked for, the log-sum-exp."""
    wanted = heads_first(layout, call.wanted[0])
    output, lse = np.zeros(wanted.shape), np.zeros(_lse_shape(call.spec))
    errors, scales, spec, widened = None, None, call.spec, {}
    if is_quantised(spec):
        widened, units = _widened(spec, tensors), _units(spec, tensors)
        spec = spec.replace(cache_dtype=None, cache_scale=None)
        tensors = {**tensors, **{name: one.value for name, one in widened.items()}}
        tensors = {n: array for n, array in tensors.items() if n not in _SCALES.values()}
        scales = heads_of(spec, {**tensors, **units}) if units else None
    if call.lost or widened:
        off = {name: given(array, call.lost) for name, array in tensors.items()} | widened
        kinds = {name: array.dtype.kind for name, array in tensors.items()}
        either = {n: one.value if kinds[n] in "iub" else one.error for n, one in off.items()}
        errors = heads_of(spec, either)
    heads = heads_of(spec, tensors)
    attention_error(spec, heads, errors, output, lse, wanted, call.lost, scales)
    bounds = [heads_first(layout, output)]
    return [*bounds, lse] if call.spec.return_lse else bounds


# The scales of what may be a quantised cache.
_SCALES = {
    **dict.fromkeys(("key", "key_cache"), "key_scale"),
    **dict.fromkeys(("value", "value_cache"), "value_scale"),
}


def _widened(spec: Any, tensors: Tensors) -> dict[str, Rounded]:
    """The values of a quantised cache: numbers times scales, maybe stored as queries are.

    Of queries, by how much they are off where they may be whole numbers.
    """
    off, widened = FEW_UNITS + storage_unit(spec.io_dtype), {}
    for name in _SCALES.keys() & tensors.keys():
        value = _times_scales(spec, tensors, name, tensors[name])
        error = off * np.abs(value) + dtype(spec.io_dtype).tiniest
        widened[name] = Rounded(value, np.where(np.isfinite(error), error, 0.0))
    if _has_whole_products(spec):
        query = tensors["query"].astype(np.float64)
        largest = np.abs(query).max(axis=-1, keepdims=True)
        widened["query"] = Rounded(query, HALF_A_WHOLE * largest + FEW_UNITS * np.abs(query))
    return widened


def _units(spec: Any, tensors: Tensors) -> dict[str, np.ndarray]:
    """The scale of each number of a cache, where weights may be whole numbers; none elsewhere."""
    if not _has_whole_products(spec):
        return {}
    return {
        name: _times_scales(spec, tensors, name, np.ones(tensors[name].shape))
        for name in _SCALES.keys() & tensors.keys()
    }


def _times_scales(spec: Any, tensors: Tensors, name: str, numbers: np.ndarray) -> np.ndarray:
    return heads_first(spec.layout, dequantised(spec, numbers, tensors[_SCALES[name]]))


def _has_whole_products(spec: Any) -> bool:
    """Whether CPUs may multiply whole numbers of 16 bits with a cache's."""
    return bool(spec.cache_dtype in ("int8", "int4") and spec.io_dtype != "f32")


def _lse_shape(spec: Any) -> tuple[int, ...]:
    rows: tuple[int, ...] = next(
        tensor.largest_shape for tensor in spec.replace(return_lse=True).outputs[1:2]
    )
    return rows


BOUNDS: dict[str, Bound] = {
    "attention": _attention,
    "packed_attention": _packed,
    "paged_attention": _paged,
    "paged_update_attention": _updating,
    "packed_paged_attention": _packed_paged,
    "packed_paged_update_attention": _packed_updating,
    "attention_backward": _gradients,
    "packed_attention_backward": _packed_gradients,
}
