"""First-order bounds for what surrounds attention in a layer, and for a layer as a whole."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from irattn.lab.certificates.attention_bounds import attention_error
from irattn.lab.certificates.layer_parts import (
    Tensors,
    Values,
    layer_normed,
    linear_of,
    mlp_error,
    normed,
    sigmoid,
    turned,
)
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    Rounded,
    dot,
    given,
    product,
    scaled,
    stored,
    sum_of,
)
from irattn.reference.attention import PlacedHead
from irattn.reference.cache_write import written
from irattn.reference.packed_paged_attention import packed_paged_attention, packed_paged_heads
from irattn.reference.paged_attention import paged_attention, paged_heads
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.latent_projection import LatentProjectionSpec
from irattn.specs.layer_norm import LayerNormSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.rms_norm import RmsNormSpec


def _normed(spec: DecoderLayerSpec, x: Rounded, tensors: Tensors, name: str) -> Rounded:
    """Hidden states through the norm whose parameters are called so, rounded."""
    weight, bias = tensors[f"{name}_weight"], tensors.get(f"{name}_bias")
    return stored(_of_either_kind(spec.norm, x, weight, bias), spec.io_dtype)


def _of_either_kind(
    norm: RmsNormSpec | LayerNormSpec, x: Rounded, weight: Rounded, bias: Rounded | None
) -> Rounded:
    if isinstance(norm, RmsNormSpec):
        return normed(norm, x, weight)
    return layer_normed(norm, x, weight, bias)


def _normed_heads(spec: DecoderLayerSpec, x: Rounded, tensors: Tensors, name: str) -> Rounded:
    """Heads normed each, or all of a token at once, rounded."""
    norms = {"query": spec.query_norm, "key": spec.key_norm, "value": spec.norm_of_values}
    norm = norms[name]
    by_token = x.swapped(1, 2)
    shape = by_token.value.shape
    rows = by_token.reshape(norm.rows, norm.columns)
    no_weight = given(np.full(norm.columns, spec.no_weight))
    weight = tensors.get(f"{name}_norm_weight", no_weight)
    made = _of_either_kind(norm, rows, weight, tensors.get(f"{name}_norm_bias"))
    return stored(made.reshape(*shape).swapped(1, 2), spec.io_dtype)


def _tempered(spec: DecoderLayerSpec, query: Rounded, positions: np.ndarray) -> Rounded:
    """Queries times 1 + temperature * ln(1 + steps), rounded."""
    steps = (positions + spec.temperature_offset) // spec.temperature_tokens
    factor = (1 + spec.temperature * np.log1p(steps))[:, None, :, None]
    return stored(product(query, Rounded(factor, FEW_UNITS * factor)), spec.io_dtype)


def layer_errors(spec: DecoderLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The bounds of a layer's output and caches: part after part, each rounded in between."""
    if spec.is_packed:
        # Each packed token is a sequence of its own for the parts.
        tokens = [name for name in ("hidden", "positions", "embedded") if name in tensors]
        tensors = {**tensors, **{n: tensors[n].take((slice(None), None)) for n in tokens}}
    kind, hidden = spec.io_dtype, tensors["hidden"]
    read = hidden
    if spec.reads_embedded:
        assert isinstance(spec.first_norm, RmsNormSpec)
        both = _beside(hidden, tensors["embedded"])
        read = stored(normed(spec.first_norm, both, tensors["norm_weight"]), kind)
    elif spec.pre_norm:
        read = _normed(spec, hidden, tensors, "norm")
    new = _new(spec, read, tensors)
    caches = {
        f"{name}_cache": _written(tensors[f"{name}_cache"], new[name], tensors["slot_mapping"])
        for name in ("key", "value")
        if name in new
    }
    attended = _attended(spec, {**tensors, **caches, "query": new["query"]})
    if spec.latent:
        attended = stored(dot(attended, tensors["value_weight"].swapped(-1, -2)), kind)
    if "gate" in new:
        share = (_softplus if spec.softplus_gate else sigmoid)(new["gate"])
        attended = stored(product(attended, share), kind)
    if spec.subtracts_heads:
        attended = _differences(spec, attended, tensors)
    rows = attended.swapped(1, 2)
    flat = rows.reshape(*rows.value.shape[:2], -1)
    projected = stored(linear_of(flat, tensors, "output_"), kind)
    if spec.norms_attended:
        projected = _normed(spec, projected, tensors, "post_norm")
    after = stored(sum_of(hidden, scaled(projected, spec.residual_scale)), kind)
    if spec.norms_residual:
        after = _normed(spec, after, tensors, "post_norm")
    if spec.reads_embedded:
        after, of_mlp = hidden, projected
    else:
        of_mlp = {None: after, "own_norm": hidden, "shared_norm": read}[spec.parallel_mlp]
    made = _with_mlp(spec, after, of_mlp, tensors)
    if spec.scales_output:
        made = product(stored(made, kind), tensors["output_scale"])
    output = made.error
    errors = [cache.error for cache in caches.values()]
    return (output[:, 0] if spec.is_packed else output), *errors


def _differences(spec: DecoderLayerSpec, attended: Rounded, tensors: Tensors) -> Rounded:
    """The heads of the first half less a share of those of the second, and their norms."""
    heads = spec.projected_heads
    first, second = (
        attended.take((slice(None), part)) for part in (slice(heads), slice(heads, None))
    )
    taken = product(second, tensors["difference_share"])
    minus = Rounded(-taken.value, taken.error)
    rest = stored(sum_of(first, minus), spec.io_dtype)
    made = normed(spec.norm_of_differences, rest, tensors["difference_norm_weight"])
    return stored(made, spec.io_dtype)


def _softplus(x: Rounded) -> Rounded:
    """log(1 + exp(x)), whose slope, a sigmoid, is at most 1."""
    value = np.logaddexp(0, x.value)
    return Rounded(value, x.error + FEW_UNITS * value)


def _written(cache: Rounded, new: Rounded, slot_mapping: Rounded) -> Rounded:
    """A cache with the new tokens, and what these are off by."""
    slots = slot_mapping.value.ravel()
    batch, heads, q_len, columns = new.value.shape
    rows = new.swapped(1, 2).reshape(batch * q_len, heads, columns)
    return Rounded(
        written("HND", cache.value, rows.value, slots),
        written("HND", cache.error, rows.error, slots),
    )


def _new(spec: DecoderLayerSpec, x: Rounded, tensors: Tensors) -> dict[str, Rounded]:
    """Query, key, value and gate of the layer's tokens, as far as it makes them."""
    if spec.latent_projection:
        new = latent_errors(spec.latent_projection, {**tensors, "hidden": x})
        return _with_temperature(spec, new, tensors)
    kind = spec.io_dtype
    made = stored(linear_of(x, tensors, "qkv_"), kind)
    batch, q_len = made.value.shape[:2]
    heads = made.reshape(batch, q_len, -1, spec.attention.head_dim).swapped(1, 2)
    firsts = spec.qkv.first_heads
    new = {
        name: heads.take((slice(None), slice(firsts[name], firsts[name] + count)))
        for name, count in spec.qkv.heads.items()
    }
    of_both = [name for name in ("query", "key") if name in new]
    normed_ones = of_both if spec.qk_norm else []
    if not spec.norms_after_rope:
        new |= {name: _normed_heads(spec, new[name], tensors, name) for name in normed_ones}
    if spec.value_norm:
        new["value"] = _normed_heads(spec, new["value"], tensors, "value")
    if (most := spec.qkv_clip) is not None:
        held = [name for name in (*of_both, "value") if name in new]
        new |= {name: _held(new[name], most) for name in held}
    if spec.use_rope:
        new |= {name: stored(turned(spec.rope, new[name], tensors), kind) for name in of_both}
    if spec.norms_after_rope:
        new |= {name: _normed_heads(spec, new[name], tensors, name) for name in normed_ones}
    return _with_temperature(spec, new, tensors)


def _held(x: Rounded, most: float) -> Rounded:
    """Numbers between -most and it, which are no further from each other than before."""
    return Rounded(np.clip(x.value, -most, most), x.error)


def _with_temperature(
    spec: DecoderLayerSpec, new: dict[str, Rounded], tensors: Tensors
) -> dict[str, Rounded]:
    if spec.temperature is None:
        return new
    return {**new, "query": _tempered(spec, new["query"], tensors["positions"].value)}


def latent_errors(spec: LatentProjectionSpec, tensors: Tensors) -> dict[str, Rounded]:
    """Absorbed queries, and latents, which are the keys: part after part, each rounded."""
    kind, x, sizes = spec.io_dtype, tensors["hidden"], spec.latent
    made = stored(linear_of(x, tensors, "latent_"), kind)
    if spec.query_down_norm:
        down = stored(linear_of(x, tensors, "query_down_"), kind)
        x = stored(normed(spec.query_down_norm, down, tensors["query_down_norm_weight"]), kind)
    by_token = stored(linear_of(x, tensors, "query_"), kind)
    heads = by_token.reshape(spec.batch, spec.q_len, spec.num_q_heads, -1).swapped(1, 2)
    weight = tensors["key_weight"].swapped(-1, -2)
    absorbed = stored(dot(heads.take((..., slice(sizes.nope_dim))), weight), kind)
    latent = made.take((..., slice(sizes.kv_lora_rank)))
    latent = stored(normed(spec.latent_norm, latent, tensors["latent_norm_weight"]), kind)
    unturned = heads.take((..., slice(sizes.nope_dim, None)))
    shared = made.take((slice(None), None, ..., slice(sizes.kv_lora_rank, None)))
    query, key = unturned, shared
    if not spec.unrotated:
        query, key = (stored(turned(spec.rope, one, tensors), kind) for one in (query, key))
    return {
        "query": _beside(absorbed, query),
        "key": _beside(latent.take((slice(None), None)), key),
    }


def _beside(left: Rounded, right: Rounded) -> Rounded:
    """The columns of both, one after the other."""
    parts = ((left.value, right.value), (left.error, right.error))
    return Rounded(*(np.concatenate(part, axis=-1) for part in parts))


def _attended(spec: DecoderLayerSpec, tensors: Tensors) -> Rounded:
    """Attention over the caches as they are then, heads before tokens."""
    attention = spec.attention
    if isinstance(attention, PackedPagedAttentionSpec):
        packed = {**tensors, "query": tensors["query"].take((slice(None), slice(None), 0))}
        lse = np.zeros((attention.num_q_heads, attention.q_tokens))
        together = _over_heads(attention, packed, packed_paged_heads, packed_paged_attention, lse)
        return stored(together.take((slice(None), slice(None), None)), spec.io_dtype)
    lse = np.zeros(tensors["query"].value.shape[:-1])
    return stored(_over_heads(attention, tensors, paged_heads, paged_attention, lse), spec.io_dtype)


def _over_heads(
    attention: Any,
    tensors: Tensors,
    heads_of: Callable[[Any, Values], Iterator[PlacedHead]],
    attend: Callable[[Any, Values], tuple[np.ndarray, ...]],
    lse: np.ndarray,
) -> Rounded:
    """The output of attention, and what its heads are off by; `lse` has room for that of theirs."""
    values = {name: tensor.value for name, tensor in tensors.items()}
    off = [name for name in ("query", "key_cache", "value_cache") if name in tensors]
    errors = {**values, **{name: tensors[name].error for name in off}}
    (value,) = attend(attention, values)
    error = np.zeros(value.shape)
    attention_error(attention, heads_of(attention, values), heads_of(attention, errors), error, lse)
    return Rounded(value, error)


def _with_mlp(spec: DecoderLayerSpec, hidden: Rounded, read: Rounded, tensors: Tensors) -> Rounded:
    """The hidden state with what the MLP makes of what is read."""
    if spec.mlp is None:
        return hidden
    assert isinstance(spec.mlp, MlpSpec)
    x = _normed(spec, read, tensors, "mlp_norm") if spec.has_mlp_norm else read
    change = stored(mlp_error(spec.mlp, {**tensors, "hidden": x}), spec.io_dtype)
    if spec.norms_change:
        change = _normed(spec, change, tensors, "mlp_post_norm")
    after = sum_of(hidden, scaled(change, spec.residual_scale))
    if spec.norms_residual:
        return _normed(spec, stored(after, spec.io_dtype), tensors, "mlp_post_norm")
    return after
