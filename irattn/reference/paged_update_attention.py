"""Writing into a block cache and attention over it, in float64."""

import numpy as np

from irattn.reference.attention import Tensors
from irattn.reference.cache_write import written_tokens
from irattn.reference.layouts import heads_first
from irattn.reference.paged_attention import paged_attention
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec


def paged_update_attention(
    spec: PagedUpdateAttentionSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of PagedUpdateAttentionSpec: write the tokens of all sequences, then attend."""
    new = {
        name: _by_token(heads_first(spec.layout, tensors[name]))
        for name in ("key", "value")
        if name in tensors
    }
    caches = written_tokens(spec, tensors, new)
    attended = paged_attention(spec, {**tensors, **caches})
    return (*attended, *caches.values())


def _by_token(new: np.ndarray) -> np.ndarray:
    """[batch, head, query, d] as [token, head, d]."""
    return new.transpose(0, 2, 1, 3).reshape(-1, new.shape[1], new.shape[3])
