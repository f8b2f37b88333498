"""A decoder layer, in float64."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irattn.reference.cache_write import written_tokens
from irattn.reference.latent_projection import queries_and_latents
from irattn.reference.layer_norm import layer_norm
from irattn.reference.mixture_of_experts import mixture_of_experts
from irattn.reference.mlp import ACTIVATIONS, mlp
from irattn.reference.packed_paged_attention import packed_paged_attention
from irattn.reference.packed_paged_update_attention import packed_paged_update_attention
from irattn.reference.paged_attention import paged_attention
from irattn.reference.paged_update_attention import paged_update_attention
from irattn.reference.projections import output_projection, parameters_of, qkv_projection
from irattn.reference.quantised_cache import dequantised
from irattn.reference.rms_norm import rms_norm
from irattn.reference.rope import rope
from irattn.reference.stream_coefficients import stream_coefficients
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.decoder_layer_parts import NormSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec
from irattn.specs.rms_norm import RmsNormSpec

Tensors = Mapping[str, np.ndarray]

_OF_TOKENS = ("hidden", "positions", "token_ids", "embedded")
_ATTENTION: dict[type, Callable[[Any, Tensors], tuple[np.ndarray, ...]]] = {
    PagedAttentionSpec: paged_attention,
    PagedUpdateAttentionSpec: paged_update_attention,
    PackedPagedAttentionSpec: packed_paged_attention,
    PackedPagedUpdateAttentionSpec: packed_paged_update_attention,
}


def decoder_layer(spec: DecoderLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of DecoderLayerSpec: its parts one after the other, nothing rounded between."""
    wide = {
        name: array if array.dtype.kind in "iub" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    if spec.is_packed:
        wide |= {name: wide[name][:, None] for name in _OF_TOKENS if name in wide}
    predicted = _predicted(spec, wide) if spec.streams else None
    hidden = wide["hidden"] if predicted is None else _active(spec, predicted)
    normed = hidden
    if spec.reads_embedded:
        normed = _normed_both(spec, hidden, wide)
    elif spec.pre_norm:
        normed = _normed(spec, hidden, wide, "norm")
    new = _projected(spec, {**wide, "hidden": normed})
    gate = new.pop("gate", None)
    if not spec.norms_after_rope:
        new |= _of_norms(spec, new, wide)
    if spec.value_norm:
        new["value"] = _plain_norm(spec, new["value"])
    if spec.qkv_clip is not None:
        new |= {name: np.clip(x, -spec.qkv_clip, spec.qkv_clip) for name, x in new.items()}
    if spec.use_rope and not spec.latent:
        turned = rope(spec.rope, {**new, "positions": wide["positions"]})
        new |= dict(zip(("query", "key"), turned, strict=False))
    if spec.norms_after_rope:
        new |= _of_norms(spec, new, wide)
    if spec.temperature is not None:
        new["query"] = new["query"] * _temperatures(spec, wide["positions"])[:, None, :, None]
    attend = _attended_of_latents if spec.latent else _attended
    attended, *caches = attend(spec, {**wide, **new})
    if gate is not None:
        softplus = np.logaddexp(0, gate)
        attended = attended * softplus if spec.softplus_gate else attended / (1 + np.exp(-gate))
    if spec.subtracts_heads:
        attended = _differences(spec, attended, wide)
    heads = {"attended": attended, **parameters_of(wide, "output")}
    (projected,) = output_projection(spec.projection, heads)
    if spec.norms_attended:
        projected = _normed(spec, projected, wide, "post_norm")
    between = hidden + spec.residual_scale * projected
    if spec.norms_residual:
        between = _normed(spec, between, wide, "post_norm")
    if spec.laurel_rank:
        between = (between + normed + _laurel(spec, normed, wide)) * 0.5**0.5
    if spec.reads_embedded:
        read, between = projected, hidden
    elif spec.parallel_mlp:
        read = normed if spec.parallel_mlp == "shared_norm" else hidden
    else:
        read = between
    output = between + spec.residual_scale * _mlp_change(spec, read, wide)
    if spec.norms_residual and spec.mlp:
        output = _normed(spec, output, wide, "mlp_post_norm")
    if predicted is not None:
        output = _corrected(spec, predicted, output, wide)
    elif spec.layer_input:
        output = output + _own_change(spec, output, wide)
    if spec.scales_output:
        output = output * wide["output_scale"]
    return (output[:, 0] if spec.is_packed else output), *caches


def _projected(spec: DecoderLayerSpec, tensors: Tensors) -> dict[str, np.ndarray]:
    """Query, key, value and gate, as far as there are any; of latents, they are the key."""
    if spec.latent_projection:
        query, latents = queries_and_latents(spec.latent_projection, tensors)
        return {"query": query, "key": latents}
    given = {"hidden": tensors["hidden"], **parameters_of(tensors, "qkv")}
    return dict(zip(spec.qkv.heads, qkv_projection(spec.qkv, given), strict=True))


def _attended(spec: DecoderLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The attended tokens for the parts after attention, each packed one a sequence."""
    attention = spec.cached_attention
    if not spec.is_packed:
        return _ATTENTION[type(attention)](attention, tensors)
    new = [name for name in ("query", "key", "value") if name in tensors]
    packed = {**tensors, **{name: tensors[name][:, :, 0] for name in new}}
    attended, *caches = _ATTENTION[type(attention)](attention, packed)
    return attended[:, :, None], *caches


def _attended_of_latents(spec: DecoderLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The attended tokens of latents: each head makes keys and values of them."""
    latent, heads = spec.latent, spec.attention.num_q_heads
    assert latent is not None
    rows = tensors["key"].transpose(0, 2, 1, 3).reshape(tensors["slot_mapping"].size, 1, -1)
    stored = written_tokens(spec.attention, tensors, {"key": rows})
    scale_of_slots = stored.get("key_scale", tensors.get("key_scale"))
    cache = dequantised(spec.attention, stored["key_cache"], scale_of_slots)
    plain, rotated = np.split(cache, [latent.kv_lora_rank], axis=-1)
    made = np.einsum("ncsk,hkd->nhsd", plain, tensors["key_weight"])
    shared = np.broadcast_to(rotated, (*made.shape[:-1], latent.rope_dim))
    scale = spec.attention.scale
    attention = spec.attention.replace(
        num_kv_heads=heads,
        head_dim=latent.head_dim,
        value_dim=latent.value_dim,
        softmax_scale=scale,
        latent_cache=False,
        cache_dtype=None,
        cache_scale=None,
    )
    of_heads = {
        "key_cache": np.concatenate([made, shared], axis=-1),
        "value_cache": np.einsum("ncsk,hvk->nhsv", plain, tensors["value_weight"]),
    }
    given = {**tensors, **of_heads, "key_scale": None}
    if spec.is_packed:
        given["query"] = tensors["query"][:, :, 0]
    (attended,) = _ATTENTION[type(attention)](attention, given)
    return (attended[:, :, None] if spec.is_packed else attended), *stored.values()


def _mlp_change(spec: DecoderLayerSpec, hidden: np.ndarray, tensors: Tensors) -> np.ndarray | float:
    """The sum that the MLP adds; 0 where the layer is its attention half."""
    if spec.mlp is None:
        return 0.0
    normed = _normed(spec, hidden, tensors, "mlp_norm") if spec.has_mlp_norm else hidden
    given = {**tensors, "hidden": normed}
    if isinstance(spec.mlp, MlpSpec):
        (change,) = mlp(spec.mlp, given)
    else:
        (change,) = mixture_of_experts(spec.mlp, given)
    if spec.experts_beside:
        change = _with_experts(spec, hidden, change, tensors)
    return _normed(spec, change, tensors, "mlp_post_norm") if spec.norms_change else change


def _with_experts(
    spec: DecoderLayerSpec, hidden: np.ndarray, of_mlp: np.ndarray, tensors: Tensors
) -> np.ndarray:
    """The norms of what the MLP and the experts beside it make, added up."""
    assert spec.experts_beside is not None
    own = {name[8:]: array for name, array in tensors.items() if name.startswith("experts_")}
    given = {
        **own,
        "hidden": _normed(spec, hidden, tensors, "experts_norm"),
        "router_hidden": _normed(spec, hidden, tensors, "experts_router_norm"),
    }
    (made,) = mixture_of_experts(spec.experts_beside, given)
    normed = _normed(spec, of_mlp, tensors, "mlp_own_norm")
    return np.asarray(normed + _normed(spec, made, tensors, "experts_post_norm"))


def _own_change(spec: DecoderLayerSpec, x: np.ndarray, tensors: Tensors) -> np.ndarray:
    """The sum that the layer's own embedding of each token adds."""
    assert spec.layer_input is not None
    weights = {n: tensors[f"token_{n}_weight"] for n in ("embedding", "projection", "norm")}
    projected = tensors["embedded"] @ weights["projection"].T * spec.hidden_size**-0.5
    size = np.sqrt(np.mean(projected * projected, axis=-1, keepdims=True) + spec.norm_eps)
    normed = projected / size * (spec.norm_offset + weights["norm"])
    ids = tensors["token_ids"]
    ids = np.where(ids < spec.layer_input.vocab_size, ids, 0)
    found = weights["embedding"][ids] * spec.layer_input.width**0.5
    gate = ACTIVATIONS[spec.layer_input.activation](x @ tensors["token_gate_weight"].T)
    through = gate * (found + normed) * 0.5**0.5
    made = through @ tensors["token_output_weight"].T
    return _normed(spec, made, tensors, "token_post_norm")


def _laurel(spec: DecoderLayerSpec, x: np.ndarray, tensors: Tensors) -> np.ndarray:
    """The learned part of the residual, of what attention reads."""
    made = x @ tensors["laurel_down_weight"].T @ tensors["laurel_up_weight"].T
    return _normed(spec, made, tensors, "laurel_norm")


def _coefficients(spec: DecoderLayerSpec, name: str, x: np.ndarray, tensors: Tensors) -> np.ndarray:
    """The coefficients that hidden states are mixed with, of one of them."""
    assert spec.stream_parts is not None
    part = getattr(spec.stream_parts, name)
    given = {
        "hidden": x.reshape(part.rows, part.hidden_size),
        "norm_weight": tensors["stream_norm_weight"],
        "router_weight": tensors["stream_router_weight"],
        "weight": tensors[f"stream_{name}_weight"],
    }
    (made,) = stream_coefficients(part, given)
    return np.asarray(made.reshape(*x.shape[:-1], -1))


def _active(spec: DecoderLayerSpec, streams: np.ndarray) -> np.ndarray:
    """The one of the hidden states that the layer reads."""
    assert spec.streams is not None
    return np.asarray(streams[..., spec.streams.active, :])


def _predicted(spec: DecoderLayerSpec, tensors: Tensors) -> np.ndarray:
    """The hidden states as they are predicted before the layer."""
    assert spec.streams is not None
    streams = tensors["hidden"]
    of_tokens = _coefficients(spec, "prediction", _active(spec, streams), tensors)
    count = spec.streams.num_streams
    square = of_tokens.reshape(*of_tokens.shape[:-1], count, count)
    return np.asarray(streams + square @ streams)


def _corrected(
    spec: DecoderLayerSpec, predicted: np.ndarray, activated: np.ndarray, tensors: Tensors
) -> np.ndarray:
    """The hidden states after the layer, which made `activated` of the active one."""
    assert spec.streams is not None
    share = 1 + _coefficients(spec, "correction", activated, tensors)[..., None]
    corrected = predicted + share * (activated - _active(spec, predicted))[..., None, :]
    read = _active(spec, corrected)
    if spec.streams.has_scale:
        read = read * tensors["stream_scale"]
    corrected[..., 1:, :] += _own_change(spec, read, tensors)[..., None, :]
    return np.asarray(corrected)


def _normed(spec: DecoderLayerSpec, x: np.ndarray, tensors: Tensors, name: str) -> np.ndarray:
    """Hidden states through the norm whose parameters are called so."""
    norm = spec.norm
    rows = {"x": x.reshape(norm.rows, norm.columns), **parameters_of(tensors, name)}
    return _norm_of_rows(norm, rows).reshape(x.shape)


def _norm_of_rows(norm: NormSpec, rows: Tensors) -> np.ndarray:
    """The rows of `x` through a norm of either kind."""
    made = rms_norm(norm, rows) if isinstance(norm, RmsNormSpec) else layer_norm(norm, rows)
    return made[0]


def _normed_both(spec: DecoderLayerSpec, hidden: np.ndarray, tensors: Tensors) -> np.ndarray:
    """Hidden states and the embedding of their tokens behind them, through one norm."""
    both = np.concatenate([hidden, tensors["embedded"]], axis=-1)
    rows = both.reshape(-1, both.shape[-1])
    assert isinstance(spec.first_norm, RmsNormSpec)
    (made,) = rms_norm(spec.first_norm, {"x": rows, "weight": tensors["norm_weight"]})
    return np.asarray(made.reshape(both.shape))


def _of_norms(spec: DecoderLayerSpec, new: Tensors, tensors: Tensors) -> dict[str, np.ndarray]:
    """Queries and keys through their norms, where there are any."""
    names = [name for name in ("query", "key") if name in new and spec.qk_norm]
    return {name: _normed_heads(spec, new[name], tensors, name) for name in names}


def _normed_heads(spec: DecoderLayerSpec, x: np.ndarray, tensors: Tensors, name: str) -> np.ndarray:
    """Heads `[batch, heads, q_len, head_dim]` normed each, or all of a token at once."""
    if not spec.qk_norm_weights:
        return _plain_norm(spec, x)
    norm = spec.query_norm if name == "query" else spec.key_norm
    by_token = np.swapaxes(x, 1, 2)
    rows = {"x": by_token.reshape(norm.rows, norm.columns)}
    made = _norm_of_rows(norm, rows | parameters_of(tensors, f"{name}_norm"))
    return np.swapaxes(made.reshape(by_token.shape), 1, 2)


def _plain_norm(spec: DecoderLayerSpec, heads: np.ndarray) -> np.ndarray:
    """Heads normed each, without a weight."""
    size = np.sqrt(np.mean(heads * heads, axis=-1, keepdims=True) + spec.norm_eps)
    return np.asarray(heads / size)


def _differences(spec: DecoderLayerSpec, attended: np.ndarray, tensors: Tensors) -> np.ndarray:
    """The norms of the heads of the first half less a share of those of the second."""
    first, second = np.split(attended, 2, axis=1)
    rest = first - tensors["difference_share"] * second
    size = np.sqrt(np.mean(rest * rest, axis=-1, keepdims=True) + spec.norm_eps)
    weight = spec.norm_offset + tensors["difference_norm_weight"]
    return np.asarray(rest / size * weight)


def _temperatures(spec: DecoderLayerSpec, positions: np.ndarray) -> np.ndarray:
    """The factors of queries by their positions."""
    steps = np.floor((positions + spec.temperature_offset) / spec.temperature_tokens)
    return np.asarray(1 + spec.temperature * np.log1p(steps))
