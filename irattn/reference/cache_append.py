"""Writing into a contiguous cache, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.quantised_cache import made_scales, quantised
from irattn.specs.cache_append import CacheAppendSpec


def cache_append(
    spec: CacheAppendSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of CacheAppendSpec: copies of the caches, sequence after sequence extended."""
    caches, scales = [], []
    for name in ("key", "value"):
        tokens = tensors[name]
        if spec.cache_dtype is not None:
            made, tokens = _quantised(spec, tokens, tensors[f"{name}_scale"])
            if spec.makes_scales:
                scales.append(_extended(spec, tensors[f"{name}_scale"], made, tensors))
        caches.append(_extended(spec, tensors[f"{name}_cache"], tokens, tensors))
    return (*caches, *scales)


def _extended(
    spec: CacheAppendSpec, cache: np.ndarray, new: np.ndarray, tensors: Mapping[str, np.ndarray]
) -> np.ndarray:
    """A copy of a cache, or of its scales, with what is new behind each offset."""
    extended = cache.astype(np.float64)
    for b, offset in enumerate(tensors["offsets"]):
        extended[b, :, offset : offset + spec.q_len] = new[b]
    return extended


def _quantised(
    spec: CacheAppendSpec, tokens: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, ...]:
    """The scales `[batch, head, token]` of new tokens, and their numbers in float64."""
    rows = tokens.swapaxes(1, 2).reshape(-1, *tokens.shape[1::2])
    is_made = spec.makes_scales
    made = made_scales(spec, rows) if is_made else np.broadcast_to(scale, rows.shape[:2])
    return tuple(
        array.reshape(len(tokens), -1, *array.shape[1:]).swapaxes(1, 2)
        for array in (made, quantised(spec, rows, made))
    )
