"""A decoder layer, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.mlp import mlp
from irattn.reference.packed_paged_update_attention import packed_paged_update_attention
from irattn.reference.paged_update_attention import paged_update_attention
from irattn.reference.projections import output_projection, parameters_of, qkv_projection
from irattn.reference.rms_norm import rms_norm
from irattn.reference.rope import rope
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.rms_norm import RmsNormSpec

Tensors = Mapping[str, np.ndarray]


def decoder_layer(spec: DecoderLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of DecoderLayerSpec: its parts one after the other, nothing rounded between."""
    wide = {
        name: array if array.dtype.kind in "iub" else array.astype(np.float64)
        for name, array in tensors.items()
    }
    if spec.is_packed:
        wide |= {name: wide[name][:, None] for name in ("hidden", "positions") if name in wide}
    hidden = wide["hidden"]
    normed = _normed(spec.norm, hidden, wide["norm_weight"])
    query, key, value = qkv_projection(spec.qkv, {"hidden": normed, **parameters_of(wide, "qkv")})
    if spec.qk_norm:
        query = _normed(spec.query_norm, query, wide["query_norm_weight"])
        key = _normed(spec.key_norm, key, wide["key_norm_weight"])
    if spec.use_rope:
        placed = {"query": query, "key": key, "positions": wide["positions"]}
        query, key = rope(spec.rope, placed)
    new = {"query": query, "key": key, "value": value}
    attended, *caches = _attended(spec, {**wide, **new})
    heads = {"attended": attended, **parameters_of(wide, "output")}
    (projected,) = output_projection(spec.projection, heads)
    if spec.post_norm:
        projected = _normed(spec.norm, projected, wide["post_norm_weight"])
    attended_hidden = hidden + projected
    output = attended_hidden + _mlp_change(spec, attended_hidden, wide)
    return (output[:, 0] if spec.is_packed else output), *caches


def _attended(spec: DecoderLayerSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The attended tokens for the parts after attention, each packed one a sequence."""
    attention = spec.cached_attention
    if not isinstance(attention, PackedPagedUpdateAttentionSpec):
        return paged_update_attention(attention, tensors)
    packed = {name: tensors[name][:, :, 0] for name in ("query", "key", "value")}
    attended, *caches = packed_paged_update_attention(attention, {**tensors, **packed})
    return attended[:, :, None], *caches


def _mlp_change(spec: DecoderLayerSpec, hidden: np.ndarray, tensors: Tensors) -> np.ndarray | float:
    """The sum that the MLP adds; 0 where the layer is its attention half."""
    if spec.mlp is None:
        return 0.0
    normed = _normed(spec.norm, hidden, tensors["mlp_norm_weight"])
    (change,) = mlp(spec.mlp, {**tensors, "hidden": normed})
    return _normed(spec.norm, change, tensors["mlp_post_norm_weight"]) if spec.post_norm else change


def _normed(spec: RmsNormSpec, x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    rows = {"x": x.reshape(spec.rows, spec.columns), "weight": weight}
    return rms_norm(spec, rows)[0].reshape(x.shape)
