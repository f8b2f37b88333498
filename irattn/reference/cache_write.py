"""Writing into a block cache, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.layouts import heads_first
from irattn.specs.cache_write import CacheWriteSpec


def cache_write(spec: CacheWriteSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of CacheWriteSpec: copies of the caches, token after token written into them."""
    slots = tensors["slot_mapping"]
    return tuple(
        written(spec.layout, tensors[f"{name}_cache"], tensors[name], slots)
        for name in ("key", "value")
    )


def written(layout: str, cache: np.ndarray, tokens: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """A cache in float64 with tokens [t, head, d] at flat slots [t]."""
    whole = cache.astype(np.float64)
    updated = heads_first(layout, whole)
    for token, slot in zip(tokens, slots, strict=True):
        if slot != -1:
            block, offset = divmod(int(slot), updated.shape[2])
            updated[block, :, offset] = token
    return whole
