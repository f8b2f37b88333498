"""Learned position embeddings, in float64."""

import numpy as np

from irattn.reference.attention import Tensors
from irattn.specs.position_embedding import PositionEmbeddingSpec


def position_embedding(spec: PositionEmbeddingSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of PositionEmbeddingSpec."""
    rows = tensors["positions"].astype(np.int64) + spec.offset
    embedded = tensors["position_table"][rows].astype(np.float64)
    return (tensors["hidden"].astype(np.float64) + embedded,)
