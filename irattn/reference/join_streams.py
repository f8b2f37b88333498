"""Several hidden states of each token to one, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.split_streams import as_large
from irattn.specs.join_streams import JoinStreamsSpec


def join_streams(
    spec: JoinStreamsSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of JoinStreamsSpec."""
    streams, weight = (tensors[name].astype(np.float64) for name in ("streams", "weight"))
    first, others = streams[:, 0], streams[:, 1:]
    made = np.einsum("rsk,snk->rsn", others, weight)
    return ((first + as_large(spec, made, first).sum(axis=1)) / spec.num_streams,)
