"""A hidden state of each token to several, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.split_streams import SplitStreamsSpec
from irattn.specs.streams import Streams


def split_streams(
    spec: SplitStreamsSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of SplitStreamsSpec."""
    hidden, weight = (tensors[name].astype(np.float64) for name in ("hidden", "weight"))
    made = np.einsum("rk,snk->rsn", hidden, weight)
    return (np.concatenate([hidden[:, None], as_large(spec, made, hidden)], axis=1),)


def as_large(spec: Streams, made: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Products `[rows, streams, columns]`, scaled to be as large as the first hidden state."""
    size = np.sqrt(np.mean(np.square(first), axis=-1))[:, None, None]
    squares = np.mean(np.square(made), axis=-1, keepdims=True)
    return np.asarray(made * size / np.sqrt(np.maximum(squares, spec.least_square)))
