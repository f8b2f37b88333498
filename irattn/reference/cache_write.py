"""Writing into a block cache, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.layouts import heads_first
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec


def cache_write(spec: CacheWriteSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of CacheWriteSpec: copies of the caches, token after token written into them."""
    return tuple(written_caches(spec, tensors).values())


def written_caches(
    spec: CacheWriteSpec | PackedPagedUpdateAttentionSpec, tensors: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The caches by name, in float64, with a call's packed tokens at their slots."""
    return {
        f"{name}_cache": written(
            spec.layout,
            tensors[f"{name}_cache"],
            tensors[name],
            tensors["slot_mapping"],
            half=half if spec.joint_cache else None,
        )
        for half, name in enumerate(("key", "value"))
        if name in tensors
    }


def written(
    layout: str,
    cache: np.ndarray,
    tokens: np.ndarray,
    slots: np.ndarray,
    half: int | None = None,
) -> np.ndarray:
    """A cache in float64 with tokens [t, head, d] at flat slots [t].

    `half` says which half of a block's slots these are, of a cache with keys and then values: the
    other half stays as it is, whether or not another call writes to it.
    """
    whole = cache.astype(np.float64)
    updated = heads_first(layout, whole)
    if half is not None:
        updated = np.split(updated, 2, axis=2)[half]
    for token, slot in zip(tokens, slots, strict=True):
        if slot != -1:
            block, offset = divmod(int(slot), updated.shape[2])
            updated[block, :, offset] = token
    return whole
