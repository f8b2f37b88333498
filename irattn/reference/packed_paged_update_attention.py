"""Writing packed tokens into a block cache and attention over it, in float64."""

import numpy as np

from irattn.reference.attention import Tensors
from irattn.reference.cache_write import written_caches
from irattn.reference.packed_paged_attention import packed_paged_attention
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec


def packed_paged_update_attention(
    spec: PackedPagedUpdateAttentionSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of PackedPagedUpdateAttentionSpec: write all tokens, then attend."""
    caches = written_caches(spec, tensors)
    attended = packed_paged_attention(spec, {**tensors, **caches})
    return (*attended, *caches.values())
