"""Writing into a contiguous cache, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.cache_append import CacheAppendSpec


def cache_append(
    spec: CacheAppendSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of CacheAppendSpec: copies of the caches, sequence after sequence extended."""
    key_cache, value_cache = (
        tensors[f"{name}_cache"].astype(np.float64) for name in ("key", "value")
    )
    for b, offset in enumerate(tensors["offsets"]):
        key_cache[b, :, offset : offset + spec.q_len] = tensors["key"][b]
        value_cache[b, :, offset : offset + spec.q_len] = tensors["value"][b]
    return key_cache, value_cache
