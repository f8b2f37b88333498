"""First-order bounds for hidden states beside one another."""

from collections.abc import Mapping

import numpy as np

from irattn.lab.certificates.layer_parts import normed
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    UNIT,
    Rounded,
    capped,
    dot,
    scaled,
    stored,
    sum_of,
)
from irattn.specs.join_streams import JoinStreamsSpec
from irattn.specs.split_streams import SplitStreamsSpec
from irattn.specs.stream_coefficients import StreamCoefficientsSpec
from irattn.specs.streams import Streams

Exact = Mapping[str, Rounded]


def split_error(spec: SplitStreamsSpec, exact: Exact) -> np.ndarray:
    """The bound of all streams: the first is a copy."""
    hidden = exact["hidden"]
    made = _products(spec, hidden.reshape(-1, 1, spec.hidden_size), exact["weight"])
    others = _as_large(spec, made, hidden)
    return np.concatenate([hidden.error[:, None], others.error], axis=1)


def join_error(spec: JoinStreamsSpec, exact: Exact) -> np.ndarray:
    """The bound of the mean of all streams."""
    streams = exact["streams"]
    first, others = (streams.take((slice(None), which)) for which in (0, slice(1, None)))
    made = _as_large(spec, _products(spec, others, exact["weight"]), first)
    terms = [made.take((slice(None), number)) for number in range(spec.others)]
    return scaled(sum_of(first, *terms), 1 / spec.num_streams).error


def coefficients_error(spec: StreamCoefficientsSpec, exact: Exact) -> np.ndarray:
    """The bound of a norm, a product, its tanh and another product, each stored."""
    kind = spec.io_dtype
    read = stored(normed(spec.norm, exact["hidden"], exact["norm_weight"]), kind)
    routed = stored(dot(read, exact["router_weight"].swapped(-1, -2)), kind)
    bent = stored(capped(scaled(routed, 1 / spec.hidden_size), 1.0), kind)
    return dot(bent, exact["weight"].swapped(-1, -2)).error


def _products(spec: Streams, hidden: Rounded, weight: Rounded) -> Rounded:
    """The product of each stream, or of one for all, `[rows, streams, columns]`, stored."""
    shape = (len(hidden.value), spec.others, spec.hidden_size)
    each = Rounded(*(np.broadcast_to(part, shape) for part in (hidden.value, hidden.error)))
    made = dot(each.swapped(0, 1), weight.swapped(-1, -2))
    return stored(made.swapped(0, 1), spec.io_dtype)


def _as_large(spec: Streams, made: Rounded, first: Rounded) -> Rounded:
    """Products scaled to be as large as the first hidden state of their row."""
    own = (spec.hidden_size / 2 + 1) * UNIT + FEW_UNITS
    size, drift = _size(first.reshape(-1, 1, spec.hidden_size), 0.0)
    of_made, drift_of_made = _size(made, spec.least_square)
    value = made.value * size / of_made
    relative = drift + drift_of_made + 2 * own
    return Rounded(value, made.error * size / of_made + np.abs(value) * relative)


def _size(x: Rounded, least: float) -> tuple[np.ndarray, np.ndarray]:
    """The root of the mean of squares, or of the least that it is, and its relative error."""
    square = np.maximum(np.mean(np.square(x.value), axis=-1, keepdims=True), least)
    off = np.mean(np.abs(x.value) * x.error, axis=-1, keepdims=True)
    return np.sqrt(square), np.divide(off, square, out=np.zeros_like(square), where=square > 0)
