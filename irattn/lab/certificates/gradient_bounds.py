"""First-order bounds for gradients of attention, head by head."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.certificates.attention_bounds import function_of_scores, logits_of
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    UNIT,
    Rounded,
    capped,
    dot,
    product,
    scaled,
    stored,
    sum_of,
)
from irattn.reference.attention_backward import Attended, GivenHead
from irattn.reference.features import Head, kept_factors


class HeadNumbers(NamedTuple):
    """The gradients of a head's queries, keys, values and logits, and that of its sink."""

    query: Rounded
    key: Rounded
    value: Rounded
    logits: Rounded
    sink: Rounded


class Sums:
    """Sums of what heads add to one gradient: what their terms are off by, and their sizes."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.off, self.size = np.zeros(shape), np.zeros(shape)

    def add(self, place: Any, terms: Rounded) -> None:
        """Add a head's share."""
        self.off[place] += terms.error
        self.size[place] += np.abs(terms.value)

    def error(self, terms: int) -> np.ndarray:
        """The error of the sums, of so many terms."""
        return np.asarray(self.off + terms * UNIT * self.size)


def gradient_errors(
    spec: Any, heads: Iterable[GivenHead], bias_shape: tuple[int, ...] | None, lost: float
) -> list[np.ndarray]:
    """The bounds of each gradient, in f32 before it is stored.

    `bias_shape` is the bias's, None where there is none. Numbers of 16 bits below `lost` may be
    taken for 0.
    """
    sums = [Sums(tensor.largest_shape) for tensor in spec.outputs[:3]]
    of_logits = Sums((spec.batch, spec.num_q_heads, spec.num_queries, spec.num_keys))
    of_sinks, rows = Sums((spec.num_q_heads,)), 0
    for one in heads:
        numbers = head_numbers(spec, one.head, one.made, lost)
        sums[0].add(one.at, numbers.query)
        sums[1].add(one.kv, numbers.key)
        sums[2].add(one.kv, numbers.value)
        of_sinks.add(one.number, numbers.sink)
        rows += len(one.head.query)
        if bias_shape is not None:
            of_logits.add(one.at, numbers.logits)
    errors = [sums[0].error(0), sums[1].error(spec.group_size), sums[2].error(spec.group_size)]
    if bias_shape is not None:
        errors.append(_of_bias(of_logits, bias_shape))
    return [*errors, of_sinks.error(rows)] if spec.sinks else errors


def _of_bias(of_logits: Sums, shape: tuple[int, ...]) -> np.ndarray:
    """The bound of a bias's gradient: the sum along the axes that it has not."""
    along = tuple(n for n, size in enumerate(shape) if size == 1)
    whole = Sums(shape)
    whole.off = of_logits.off.sum(axis=along, keepdims=True)
    whole.size = of_logits.size.sum(axis=along, keepdims=True)
    return whole.error(of_logits.off.size // whole.off.size)


def head_numbers(spec: Any, head: Head, made: Attended, lost: float) -> HeadNumbers:
    """The gradients of one head of one sequence, with what each is off by."""
    query, key, value, output, gradient = (
        _given(spec, one, lost)
        for one in (head.query, head.key, head.value, made.output, made.gradient)
    )
    given = None
    if lost:
        given = Head(query.error, key.error, value.error, head.first_position)
    logits = logits_of(spec, head, given, slice(0, len(head.query)))
    weights = _weights(logits, made.lse)
    delta = _rows_product(gradient, output)
    of_weights, kept_weights = dot(gradient, value.swapped(0, 1)), weights
    if spec.dropout_p is not None:
        factors = kept_factors(spec, head, slice(0, len(head.query)))
        share = Rounded(factors, UNIT * factors)
        of_weights, kept_weights = product(of_weights, share), product(weights, share)
    beyond = sum_of(of_weights, Rounded(-delta.value, delta.error))
    of_logits = product(weights, beyond)
    of_scores = of_logits
    scores = scaled(dot(query, key.swapped(0, 1)), spec.scale)
    given_scores = scores
    if spec.logits_soft_cap is not None:
        given_scores = capped(scores, spec.logits_soft_cap)
    if head.score_derivative is not None:
        slope = function_of_scores(head.score_derivative, given_scores, 0)
        of_scores = _of_seen(of_logits, slope)
    if spec.logits_soft_cap is not None:
        of_scores = product(of_scores, _slope_of_cap(scores, spec.logits_soft_cap))
    kept, of_kept = (_as_stored(spec, one, lost) for one in (kept_weights, of_scores))
    return HeadNumbers(
        query=scaled(dot(of_kept, key), spec.scale),
        key=scaled(dot(of_kept.swapped(0, 1), query), spec.scale),
        value=dot(kept.swapped(0, 1), gradient),
        logits=of_logits,
        sink=_of_sink(head.sink, made.lse, delta),
    )


def _given(spec: Any, array: np.ndarray, lost: float) -> Rounded:
    """Rows of an input."""
    taken_for_0 = np.abs(array) < (lost if spec.io_dtype != "f32" else 0.0)
    return Rounded(array, np.where(taken_for_0, np.abs(array), 0.0))


def _as_stored(spec: Any, numbers: Rounded, lost: float) -> Rounded:
    """Numbers of scores as they are multiplied; what is hidden is 0, exactly."""
    narrow = stored(numbers, spec.io_dtype)
    is_there = (numbers.value != 0) | (numbers.error != 0)
    return Rounded(narrow.value, np.where(is_there, narrow.error + lost, 0.0))


def _weights(logits: Rounded, lse: np.ndarray) -> Rounded:
    """exp(logits - lse): the exponent is a difference of products with log2(e), each rounded."""
    sees = lse > -np.inf
    base = np.where(sees, lse, 0.0)[:, None]
    is_seen = sees[:, None] & np.isfinite(logits.value)
    size = np.abs(np.where(is_seen, logits.value, 0.0)) + np.abs(base)
    # Beyond first order where logits are huge: an error of the exponent is a factor.
    relative = np.expm1(np.minimum(logits.error + 3 * UNIT * size + FEW_UNITS, 20))
    weights = np.where(is_seen, np.exp(np.where(is_seen, logits.value - base, 0.0)), 0.0)
    # A weight below the smallest normal number may become 0, however large what it is taken times.
    lost = np.minimum(weights, dtype("f32").smallest_normal)
    return Rounded(weights, weights * relative + lost)


def _rows_product(one: Rounded, other: Rounded) -> Rounded:
    """The sum of products of each row with the other's, `[q, 1]`."""
    rows = dot(
        Rounded(one.value[:, None], one.error[:, None]),
        Rounded(other.value[..., None], other.error[..., None]),
    )
    return rows.take((slice(None), 0))


def _of_seen(of_logits: Rounded, slope: Rounded) -> Rounded:
    """Gradients behind a function of scores: where it hides a key its slope may be anything."""
    is_seen = (of_logits.value != 0) | (of_logits.error != 0)
    parts = (np.where(is_seen, part, 0.0) for part in (slope.value, slope.error))
    return product(of_logits, Rounded(*parts))


def _slope_of_cap(scores: Rounded, cap: float) -> Rounded:
    """1 - tanh(scores / cap)²."""
    bent = np.tanh(scores.value / cap)
    slope = 1 - bent**2
    off = slope * (scores.error / cap + 4 * UNIT * np.abs(scores.value / cap)) + FEW_UNITS
    return Rounded(slope, 2 * np.abs(bent) * off + 3 * UNIT)


def _of_sink(sink: float, lse: np.ndarray, delta: Rounded) -> Rounded:
    """The gradient of a head's sink: the sum of -exp(sink - lse) * delta."""
    sees = lse > -np.inf
    base = np.where(sees, lse, 0.0)
    share = np.where(sees, np.exp(np.where(sees, sink - base, 0.0)), 0.0)
    size = np.abs(base) + (abs(sink) if np.isfinite(sink) else 0.0)
    shares = Rounded(share, share * np.expm1(np.minimum(3 * UNIT * size + FEW_UNITS, 20)))
    taken = product(shares, Rounded(delta.value[:, 0], delta.error[:, 0]))
    return Rounded(np.abs(taken.value).sum(), taken.error.sum())
