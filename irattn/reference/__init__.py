"""What every spec means, in float64 NumPy. Knows nothing of templates."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.attention import attention
from irattn.reference.paged_attention import paged_attention
from irattn.specs import AttentionSpec, PagedAttentionSpec, Spec

__all__ = ["reference"]


def reference(spec: Spec, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """The float64 output of a spec for the tensors that it lists."""
    if isinstance(spec, AttentionSpec):
        return attention(spec, tensors)
    if isinstance(spec, PagedAttentionSpec):
        return paged_attention(spec, tensors)
    raise NotImplementedError(f"no reference for {spec.op}")
