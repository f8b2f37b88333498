"""First-order bounds of the errors of every op, element by element.

Each is derived from what the op's reference computes: the roundings of its operations, the number
of terms of its sums, and the element type that is stored. `rounding` beside this has the rules and
their sources.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.lab.certificates.attention_bounds import attention_error, softmax_error
from irattn.lab.certificates.delta_rule_bounds import delta_rule_errors
from irattn.lab.certificates.gradient_bounds import gradient_errors
from irattn.lab.certificates.layer_bounds import (
    activated,
    latent_errors,
    layer_errors,
    layer_normed,
    linear_of,
    mlp_error,
    normed,
    turned,
)
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    HALF_A_WHOLE,
    UNIT,
    Rounded,
    capped,
    dot,
    given,
    product,
    relative_of_exp,
    scaled,
    storage_unit,
    sum_of,
)
from irattn.lab.certificates.stream_bounds import coefficients_error, join_error, split_error
from irattn.reference.attention import PlacedHead, attention_heads
from irattn.reference.attention_backward import given_heads
from irattn.reference.cache_write import written
from irattn.reference.layouts import heads_first
from irattn.reference.merge_states import by_row
from irattn.reference.packed_attention import packed_heads
from irattn.reference.packed_attention_backward import given_packed_heads
from irattn.reference.packed_paged_attention import packed_paged_heads
from irattn.reference.packed_weights import with_weights
from irattn.reference.paged_attention import paged_heads
from irattn.reference.quantised_cache import dequantised
from irattn.reference.short_convolution import tokens_of_sequences
from irattn.specs import Spec

Tensors = Mapping[str, np.ndarray]
Exact = Mapping[str, Rounded]


@dataclass(frozen=True)
class _Call:
    """A call that bounds are made for; `wanted` are the elements of each output that need one.

    Numbers of 16 bits below `lost` may be taken for 0.
    """

    spec: Any
    tensors: Tensors
    outputs: Sequence[TensorType]
    wanted: Sequence[np.ndarray]
    lost: float

    @cached_property
    def exact(self) -> Exact:
        """The inputs. Weights that were quantised may be stored as tokens are."""
        tensors = with_weights(self.spec, self.tensors)
        made = {name: given(array, self.lost) for name, array in tensors.items()}
        rounded = {name for name in made if tensors[name] is not self.tensors.get(name)}
        return made | {name: _as_stored(made[name], self.spec.io_dtype) for name in rounded}


def _as_stored(numbers: Rounded, kind: str) -> Rounded:
    """Numbers that may be rounded to a type."""
    size = np.abs(np.where(np.isfinite(numbers.value), numbers.value, 0.0))
    return Rounded(numbers.value, numbers.error + storage_unit(kind) * size + dtype(kind).tiniest)


def error_bounds(
    spec: Spec,
    tensors: Tensors,
    expected: Sequence[np.ndarray],
    wanted: Sequence[np.ndarray],
    lost: float = 0.0,
) -> tuple[np.ndarray, ...] | None:
    """By how much each element of each output may differ from its float64 reference, `expected`.

    Bounds of elements that are not `wanted` may be left out. Numbers of 16 bits below `lost` may be
    taken for 0. None where no bound is derived for the op.
    """
    if spec.op in _EXACT and not _is_quantised(spec):
        return tuple(np.zeros(array.shape) for array in expected)
    bound = _BOUNDS.get(spec.op)
    # Of experts, layers' own inputs, learned residuals and sparse gates none is derived yet, nor
    # of activations that are rounded, of dropout in what is no gradient, of cascades, or of what is
    # written to quantised caches.
    others = any(getattr(spec, name, None) for name in _UNBOUNDED)
    drops = getattr(spec, "dropout_p", None) and spec.op not in _GRADIENTS
    if bound is None or others or drops or (_is_quantised(spec) and spec.op not in _READING):
        return None
    errors = bound(_Call(spec, tensors, spec.outputs, wanted, lost))
    return tuple(
        error if tensor.name in spec.updates and not error.any() else _stored(error, value, tensor)
        for error, value, tensor in zip(errors, expected, spec.outputs, strict=True)
    )


_UNBOUNDED = ("experts", "laurel_rank", "layer_input", "sparsity", "cascade", "is_cascade")
_GRADIENTS = ("attention_backward", "packed_attention_backward")

# Ops that only read a cache.
_READING = ("attention", "paged_attention", "packed_paged_attention")


def _is_quantised(spec: Spec) -> bool:
    attention = getattr(spec, "attention", spec)
    formats = (getattr(attention, "cache_dtype", None), getattr(spec, "activation_format", None))
    return any(formats)


def _stored(error: np.ndarray, expected: np.ndarray, tensor: TensorType) -> np.ndarray:
    """The error with what storing adds to it; infinite elements must be so exactly."""
    size = np.abs(np.where(np.isfinite(expected), expected, 0.0))
    return error + storage_unit(tensor.dtype) * size + dtype(tensor.dtype).tiniest


def _attention(call: _Call) -> list[np.ndarray]:
    return _over_heads(call, attention_heads, call.tensors, call.spec.layout)


def _packed(call: _Call) -> list[np.ndarray]:
    return _over_heads(call, packed_heads, call.tensors, "HND")


def _paged(call: _Call) -> list[np.ndarray]:
    return _over_heads(call, paged_heads, call.tensors, call.spec.layout)


def _packed_paged(call: _Call) -> list[np.ndarray]:
    return _over_heads(call, packed_paged_heads, call.tensors, "HND")


def _updating(call: _Call) -> list[np.ndarray]:
    """New tokens are copied into the caches, and then read there."""
    rows = {}
    for name in _new_tokens(call):
        new = heads_first(call.spec.layout, call.tensors[name]).transpose(0, 2, 1, 3)
        rows[name] = new.reshape(-1, *new.shape[2:])
    return _over_written(call, rows, paged_heads, call.spec.layout)


def _packed_updating(call: _Call) -> list[np.ndarray]:
    rows = {name: call.tensors[name] for name in _new_tokens(call)}
    return _over_written(call, rows, packed_paged_heads, "HND")


def _gradients(call: _Call) -> list[np.ndarray]:
    shape = call.tensors["bias"].shape if call.spec.bias else None
    return gradient_errors(call.spec, given_heads(call.spec, call.tensors), shape, call.lost)


def _packed_gradients(call: _Call) -> list[np.ndarray]:
    heads = given_packed_heads(call.spec, call.tensors)
    return gradient_errors(call.spec, heads, None, call.lost)


def _new_tokens(call: _Call) -> list[str]:
    """The names of what is written; a latent cache has keys alone."""
    return [name for name in ("key", "value") if name in call.tensors]


def _over_written(
    call: _Call,
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
    call: _Call,
    heads_of: Callable[[Any, Tensors], Iterator[PlacedHead]],
    tensors: Tensors,
    layout: str,
) -> list[np.ndarray]:
    """Bounds of the output and, where it is asked for, the log-sum-exp."""
    wanted = heads_first(layout, call.wanted[0])
    output, lse = np.zeros(wanted.shape), np.zeros(_lse_shape(call.spec))
    errors, scales, spec, widened = None, None, call.spec, {}
    if _is_quantised(spec):
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


def _linear(call: _Call) -> list[np.ndarray]:
    return [linear_of(call.exact["hidden"], call.exact).error]


def _latent_projection(call: _Call) -> list[np.ndarray]:
    return [made.error for made in latent_errors(call.spec, call.exact).values()]


def _split_streams(call: _Call) -> list[np.ndarray]:
    return [split_error(call.spec, call.exact)]


def _join_streams(call: _Call) -> list[np.ndarray]:
    return [join_error(call.spec, call.exact)]


def _stream_coefficients(call: _Call) -> list[np.ndarray]:
    return [coefficients_error(call.spec, call.exact)]


def _head_projection(call: _Call) -> list[np.ndarray]:
    return [dot(call.exact["heads"], call.exact["weight"].swapped(-1, -2)).error]


def _scores(call: _Call) -> list[np.ndarray]:
    query, key = call.exact["query"], _by_query_head(call, "key")
    return [dot(query, key.swapped(-1, -2)).error]


def _weighted(call: _Call) -> list[np.ndarray]:
    """Weights are rounded to the type of the values, maybe towards zero."""
    weights, value = call.exact["weights"], _by_query_head(call, "value")
    kind = call.spec.io_dtype
    off = 2 * storage_unit(kind) * weights.value + (weights.value > 0) * max(
        call.lost, dtype(kind).tiniest
    )
    return [dot(Rounded(weights.value, off), value).error]


def _by_query_head(call: _Call, name: str) -> Rounded:
    return given(np.repeat(call.tensors[name], call.spec.group_size, axis=1), call.lost)


def _scale(call: _Call) -> list[np.ndarray]:
    return [scaled(call.exact["scores"], call.spec.softmax_scale).error]


def _soft_cap(call: _Call) -> list[np.ndarray]:
    return [capped(call.exact["scores"], call.spec.logits_soft_cap).error]


def _bias(call: _Call) -> list[np.ndarray]:
    finite = {
        n: Rounded(np.nan_to_num(t.value, neginf=0.0), t.error) for n, t in call.exact.items()
    }
    return [sum_of(finite["scores"], finite["bias"]).error]


def _alibi(call: _Call) -> list[np.ndarray]:
    spec, scores = call.spec, call.exact["scores"]
    position = spec.first_position + np.arange(spec.q_len)[:, None]
    distance = np.abs(np.arange(spec.kv_len) - position)
    added = call.exact["alibi_slopes"].value[:, None, None] * distance
    return [sum_of(scores, Rounded(added, UNIT * np.abs(added))).error]


def _softmax(call: _Call) -> list[np.ndarray]:
    """Each weight over the sum: the bound of attention's with the weight itself for a value."""
    scores = call.exact["scores"].value
    sinks = call.tensors.get("sinks")
    sink = -np.inf if sinks is None else sinks.astype(np.float64)[:, None, None]
    top = np.maximum(scores.max(axis=-1, keepdims=True), sink)
    top = np.where(np.isfinite(top), top, 0.0)
    below = Rounded(scores - top, np.zeros(scores.shape))
    terms = scores.shape[-1] + 1
    weights = np.exp(below.value)
    off = weights * (relative_of_exp(below, terms) + 8 * UNIT)
    total = weights.sum(axis=-1, keepdims=True) + np.exp(sink - top)
    total = np.where(total > 0, total, 1.0)
    drift = off.sum(axis=-1, keepdims=True) / total + (terms + 8) * UNIT
    return [off / total + weights / total * drift]


def _merge(call: _Call) -> list[np.ndarray]:
    """A softmax of two logits, over two values."""
    tensors = call.exact
    logits = np.stack([tensors["lse_a"].value, tensors["lse_b"].value], axis=-1)[..., None, :]
    states = (by_row(call.spec, tensors[name].value) for name in ("out_a", "out_b"))
    values = np.stack(list(states), axis=-2)
    # What stands beside a state that saw nothing does not count.
    values = np.where(logits[..., 0, :, None] == -np.inf, 0.0, values)
    exact = Rounded(logits, np.zeros(logits.shape))
    output, lse = softmax_error(exact, -np.inf, given(values), "f32")
    return [by_row(call.spec, output[..., 0, :]), lse[..., 0]]


def _qkv(call: _Call) -> list[np.ndarray]:
    spec = call.spec
    together = linear_of(call.exact["hidden"], call.exact).error
    heads = together.reshape(spec.batch, spec.q_len, -1, spec.head_dim).transpose(0, 2, 1, 3)
    return np.split(heads, [*spec.first_heads.values()][1:], axis=1)


def _output_projection(call: _Call) -> list[np.ndarray]:
    by_token = call.exact["attended"].swapped(1, 2)
    rows = by_token.reshape(call.spec.batch, call.spec.q_len, -1)
    return [linear_of(rows, call.exact).error]


def _lm_head(call: _Call) -> list[np.ndarray]:
    logits = scaled(linear_of(call.exact["hidden"], call.exact), call.spec.scale)
    cap = call.spec.logits_soft_cap
    return [(logits if cap is None else capped(logits, cap)).error]


def _mlp(call: _Call) -> list[np.ndarray]:
    return [mlp_error(call.spec, call.exact).error]


def _norm(call: _Call) -> list[np.ndarray]:
    return [normed(call.spec, call.exact["x"], call.exact["weight"]).error]


def _layer_norm(call: _Call) -> list[np.ndarray]:
    exact = call.exact
    return [layer_normed(call.spec, exact["x"], exact["weight"], exact.get("bias")).error]


def _gated_norm(call: _Call) -> list[np.ndarray]:
    one = normed(call.spec, call.exact["x"], call.exact["weight"])
    return [product(one, activated("silu", call.exact["gate"])).error]


def _l2_norm(call: _Call) -> list[np.ndarray]:
    x = call.exact["x"]
    size = np.sqrt(np.sum(np.square(x.value), axis=-1, keepdims=True) + call.spec.eps)
    rounded = (x.value.shape[-1] / 2 + 1) * UNIT + FEW_UNITS
    return [2 * x.error / size + np.abs(x.value) / size * rounded]


def _convolution(call: _Call) -> list[np.ndarray]:
    """Products with the tokens of a window; tokens beyond lengths have zeros."""
    spec, exact = call.spec, call.exact
    x, state = exact["x"].value, exact["initial_state"].value
    value, magnitude = np.zeros(x.shape), np.zeros(x.shape)
    for b, own in enumerate(tokens_of_sequences(spec, call.tensors)):
        tokens = np.concatenate([state[b], x[own]])
        windows = np.lib.stride_tricks.sliding_window_view(tokens, spec.kernel, axis=0)
        parts = (windows * exact["weight"].value)[: len(x[own])]
        value[own], magnitude[own] = parts.sum(-1), np.abs(parts).sum(-1)
    together = Rounded(value, spec.kernel * UNIT * magnitude)
    if spec.use_bias:
        together = sum_of(together, exact["bias"])
    made = activated("silu", together) if spec.silu else together
    return [made.error, np.zeros(exact["initial_state"].value.shape)]


def _rope(call: _Call) -> list[np.ndarray]:
    given = [name for name in ("query", "key") if name in call.exact]
    return [turned(call.spec, call.exact[name], call.exact).error for name in given]


def _embedding(call: _Call) -> list[np.ndarray]:
    rows = given(call.tensors["weight"][call.tensors["token_ids"]])
    return [scaled(rows, call.spec.scale).error]


def _positions(call: _Call) -> list[np.ndarray]:
    rows = call.tensors["positions"].astype(np.int64) + getattr(call.spec, "offset", 0)
    terms = [call.exact["hidden"], given(call.tensors["position_table"][rows])]
    if "block_positions" in call.tensors:
        blocks = call.tensors["block_position_table"][call.tensors["block_positions"]]
        terms.append(given(blocks))
    return [sum_of(*terms).error]


def _delta_rule(call: _Call) -> list[np.ndarray]:
    return delta_rule_errors(call.spec, call.tensors)


def _layer(call: _Call) -> list[np.ndarray]:
    return list(layer_errors(call.spec, call.exact))


# What only moves, hides or compares numbers.
_EXACT = frozenset(
    (
        *("cache_write", "cache_append", "page_slots", "replicate_kv", "block_mask"),
        *("greedy_choice", "drawn_choice"),
        *("causal_mask", "window_mask", "mask_scores"),
    )
)

_BOUNDS: dict[str, Callable[[_Call], list[np.ndarray]]] = {
    "attention": _attention,
    "packed_attention": _packed,
    "paged_attention": _paged,
    "paged_update_attention": _updating,
    "packed_paged_attention": _packed_paged,
    "packed_paged_update_attention": _packed_updating,
    "attention_backward": _gradients,
    "packed_attention_backward": _packed_gradients,
    "attention_scores": _scores,
    "scale_scores": _scale,
    "soft_cap_scores": _soft_cap,
    "bias_scores": _bias,
    "alibi_scores": _alibi,
    "softmax": _softmax,
    "softmax_with_sinks": _softmax,
    "weighted_values": _weighted,
    "merge_states": _merge,
    "qkv_projection": _qkv,
    "output_projection": _output_projection,
    "lm_head": _lm_head,
    "linear": _linear,
    "head_projection": _head_projection,
    "latent_projection": _latent_projection,
    "mlp": _mlp,
    "rms_norm": _norm,
    "layer_norm": _layer_norm,
    "gated_rms_norm": _gated_norm,
    "l2_norm": _l2_norm,
    "rope": _rope,
    "embedding": _embedding,
    "position_embedding": _positions,
    "block_position_embedding": _positions,
    "gated_delta_rule": _delta_rule,
    "short_convolution": _convolution,
    "decoder_layer": _layer,
    "split_streams": _split_streams,
    "join_streams": _join_streams,
    "stream_coefficients": _stream_coefficients,
}

# The fields that say how many terms the sums of an op have.
_TERMS = {
    "attention": ("head_dim", "kv_len"),
    "packed_attention": ("head_dim", "kv_tokens"),
    "paged_attention": ("head_dim", "max_context"),
    "paged_update_attention": ("head_dim", "max_context"),
    "packed_paged_attention": ("head_dim", "max_context"),
    "packed_paged_update_attention": ("head_dim", "max_context"),
    "attention_backward": ("head_dim", "q_len", "kv_len"),
    "packed_attention_backward": ("head_dim", "q_tokens", "kv_tokens"),
    "attention_scores": ("head_dim",),
    "softmax": ("kv_len",),
    "softmax_with_sinks": ("kv_len",),
    "weighted_values": ("kv_len",),
    "qkv_projection": ("hidden_size",),
    "output_projection": ("attended_size",),
    "lm_head": ("hidden_size",),
    "linear": ("in_columns",),
    "head_projection": ("in_columns",),
    "latent_projection": ("hidden_size",),
    "mlp": ("hidden_size", "intermediate_size"),
    "rms_norm": ("columns",),
    "layer_norm": ("columns",),
    "gated_rms_norm": ("columns",),
    "l2_norm": ("columns",),
    "gated_delta_rule": ("key_dim", "q_len"),
    "short_convolution": ("kernel",),
    "decoder_layer": ("hidden_size",),
    "split_streams": ("hidden_size",),
    "join_streams": ("hidden_size",),
    "stream_coefficients": ("hidden_size",),
}


def terms_of(spec: Spec) -> dict[str, int]:
    """How many terms the sums of a spec have, by the field that says so."""
    own = {name: getattr(spec, name) for name in _TERMS.get(spec.op, ())}
    attention = getattr(spec, "attention", None)
    return own if attention is None else {**terms_of(attention), **own}
