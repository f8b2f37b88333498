"""Writing into a block cache, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.layouts import heads_first
from irattn.reference.quantised_cache import made_scales, quantised
from irattn.specs.block_cache import BlockCache
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec


def cache_write(spec: CacheWriteSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of CacheWriteSpec: copies of the caches, token after token written into them."""
    return tuple(written_caches(spec, tensors).values())


def written_caches(
    spec: CacheWriteSpec | PackedPagedUpdateAttentionSpec, tensors: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The caches by name, in float64, with a call's packed tokens at their slots.

    Behind them are the scales, where each token has its own.
    """
    new = {name: tensors[name] for name in ("key", "value") if name in tensors}
    return written_tokens(spec, tensors, new, spec.joint_cache)


def written_tokens(
    spec: BlockCache,
    tensors: Mapping[str, np.ndarray],
    new: Mapping[str, np.ndarray],
    are_joint: bool = False,
) -> dict[str, np.ndarray]:
    """The caches by name with `new` tokens `[t, head, d]`, `key` and `value`; scales follow."""
    slots, caches, scales = tensors["slot_mapping"].ravel(), {}, {}
    for half, (name, tokens) in enumerate(new.items()):
        if spec.cache_dtype is not None:
            scale = tensors[f"{name}_scale"]
            if spec.makes_scales:
                made = made_scales(spec, tokens)
                axes = scale.shape[:3]
                rows, new_rows = scale.reshape(*axes, -1), made.reshape(*made.shape[:2], -1)
                whole = written(spec.layout, rows, new_rows, slots)
                scales[f"{name}_scale"] = whole.reshape(scale.shape)
            else:
                made = np.broadcast_to(scale, tokens.shape[:2])
            tokens = quantised(spec, tokens, made)
        cache = tensors[f"{name}_cache"]
        caches[f"{name}_cache"] = written(
            spec.layout, cache, tokens, slots, half=half if are_joint else None
        )
    return caches | scales


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
