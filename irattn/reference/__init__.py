"""What every spec means, in float64 NumPy. Knows nothing of templates."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irattn.reference.attention import attention
from irattn.reference.packed_attention import packed_attention
from irattn.reference.paged_attention import paged_attention
from irattn.specs import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec, Spec

__all__ = ["reference"]

_MEANINGS: dict[str, Callable[[Any, Mapping[str, np.ndarray]], tuple[np.ndarray, ...]]] = {
    AttentionSpec.op: attention,
    PackedAttentionSpec.op: packed_attention,
    PagedAttentionSpec.op: paged_attention,
}


def reference(spec: Spec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The float64 outputs of a spec, in its order, for the tensors that it lists."""
    return _MEANINGS[spec.op](spec, tensors)
