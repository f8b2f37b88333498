"""What every spec means, in float64 NumPy. Knows nothing of templates."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irattn.reference.attention import attention
from irattn.reference.block_position_embedding import block_position_embedding
from irattn.reference.cache_append import cache_append
from irattn.reference.cache_write import cache_write
from irattn.reference.packed_attention import packed_attention
from irattn.reference.paged_attention import paged_attention
from irattn.reference.paged_update_attention import paged_update_attention
from irattn.reference.position_embedding import position_embedding
from irattn.reference.rope import rope
from irattn.specs import (
    AttentionSpec,
    BlockPositionEmbeddingSpec,
    CacheAppendSpec,
    CacheWriteSpec,
    PackedAttentionSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
    PositionEmbeddingSpec,
    RopeSpec,
    Spec,
)

__all__ = ["reference"]

_MEANINGS: dict[str, Callable[[Any, Mapping[str, np.ndarray]], tuple[np.ndarray, ...]]] = {
    AttentionSpec.op: attention,
    PackedAttentionSpec.op: packed_attention,
    PagedAttentionSpec.op: paged_attention,
    RopeSpec.op: rope,
    PositionEmbeddingSpec.op: position_embedding,
    BlockPositionEmbeddingSpec.op: block_position_embedding,
    CacheAppendSpec.op: cache_append,
    CacheWriteSpec.op: cache_write,
    PagedUpdateAttentionSpec.op: paged_update_attention,
}


def reference(spec: Spec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The float64 outputs of a spec, in its order, for the tensors that it lists."""
    return _MEANINGS[spec.op](spec, tensors)
