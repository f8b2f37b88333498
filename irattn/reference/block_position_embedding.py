"""Learned position embeddings in two dimensions, in float64."""

import numpy as np

from irattn.reference.attention import Tensors
from irattn.specs.block_position_embedding import BlockPositionEmbeddingSpec


def block_position_embedding(
    spec: BlockPositionEmbeddingSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of BlockPositionEmbeddingSpec."""
    hidden, by_position, by_block_position = (
        tensors[name].astype(np.float64)
        for name in ("hidden", "position_table", "block_position_table")
    )
    embedded = by_position[tensors["positions"]]
    return (hidden + embedded + by_block_position[tensors["block_positions"]],)
