"""Each head through a weight of its own, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.head_projection import HeadProjectionSpec


def head_projection(
    spec: HeadProjectionSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of HeadProjectionSpec."""
    heads, weight = (tensors[name].astype(np.float64) for name in ("heads", "weight"))
    return (np.einsum("bhmk,hnk->bhmn", heads, weight),)
