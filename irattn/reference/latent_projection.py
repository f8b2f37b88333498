"""Queries and latents of latent attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.projections import linear
from irattn.reference.rope import rope
from irattn.specs.latent_projection import LatentProjectionSpec

Tensors = Mapping[str, np.ndarray]


def latent_projection(spec: LatentProjectionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of LatentProjectionSpec: queries that heads make of tokens, then absorbed."""
    query, latents = queries_and_latents(spec, tensors)
    plain, rotated = np.split(query, [spec.latent.nope_dim], axis=-1)
    absorbed = np.einsum("bhmk,hnk->bhmn", plain, tensors["key_weight"].astype(np.float64))
    return np.concatenate([absorbed, rotated], axis=-1), latents


def queries_and_latents(
    spec: LatentProjectionSpec, tensors: Tensors
) -> tuple[np.ndarray, np.ndarray]:
    """Latents, and queries `[b, h, m, nope_dim + rope_dim]` as they are before absorption."""
    sizes = spec.latent
    x = tensors["hidden"]
    if sizes.q_lora_rank is not None:
        down = linear(x, {"weight": tensors["query_down_weight"]})
        x = _normed(down, tensors["query_down_norm_weight"], sizes.norm_eps)
    by_token = linear(x, {"weight": tensors["query_weight"]})
    heads = by_token.reshape(spec.batch, spec.q_len, spec.num_q_heads, sizes.head_dim)
    query = heads.transpose(0, 2, 1, 3)
    made = linear(tensors["hidden"], {"weight": tensors["latent_weight"]})
    latent, key = np.split(made, [sizes.kv_lora_rank], axis=-1)
    latent = _normed(latent, tensors["latent_norm_weight"], sizes.norm_eps)
    if spec.unrotated:
        return query, np.concatenate([latent, key], axis=-1)[:, None]
    placed = {
        "query": query[..., sizes.nope_dim :],
        "key": key[:, None],
        "positions": tensors["positions"],
    }
    turned, shared = rope(spec.rope, placed)
    query = np.concatenate([query[..., : sizes.nope_dim], turned], axis=-1)
    return query, np.concatenate([latent[:, None], shared], axis=-1)


def _normed(x: np.ndarray, weight: np.ndarray, eps: float) -> np.ndarray:
    size = np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True) + eps)
    return np.asarray(x / size * weight.astype(np.float64))
