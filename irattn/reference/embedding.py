"""Token ids to hidden states, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.embedding import EmbeddingSpec


def embedding(spec: EmbeddingSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of EmbeddingSpec."""
    return (tensors["weight"][tensors["token_ids"]].astype(np.float64) * spec.scale,)
