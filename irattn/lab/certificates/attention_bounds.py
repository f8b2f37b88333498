"""First-order bounds for attention, head by head, and for its softmax."""

from collections.abc import Iterator, Mapping
from itertools import repeat
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.certificates.function_bounds import function_of
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    HALF_A_WHOLE,
    UNIT,
    Rounded,
    capped,
    dot,
    given,
    relative_of_exp,
    scaled,
    storage_unit,
)
from irattn.reference.attention import PlacedHead
from irattn.reference.features import Head, masked_logits
from irattn.specs.cache_elements import GROUP
from irattn.specs.features import AttentionFeatures

_ROWS_AT_A_TIME = 64

Heads = Iterator[PlacedHead]
Wanted = Mapping[str, np.ndarray]


def attention_error(
    spec: AttentionFeatures,
    heads: Heads,
    errors: Heads | None,
    output: np.ndarray,
    lse: np.ndarray,
    wanted: np.ndarray | None = None,
    lost: float = 0.0,
    scales: Heads | None = None,
) -> None:
    """Fill `output` and `lse`, zeros, with the bounds of heads, in f32 before they are stored.

    `errors` are the same heads made of what queries, keys and values are off by; None where they
    are exact. Rows of which nothing is `wanted`, a mask shaped as the output, may be left out.
    Weights below `lost` may be taken for 0. Where weights times scales may be whole numbers of 16
    bits, `scales` are the same heads with scales in the place of values.
    """
    none: Iterator[None] = repeat(None)
    for (at, lse_at, head), other, unit in zip(heads, errors or none, scales or none, strict=False):
        error, scale = (one and one[2] for one in (other, unit))
        rows = np.ones(len(head.query), bool) if wanted is None else wanted[at].any(axis=-1)
        output[at], lse[lse_at] = _head_error(spec, head, error, scale, np.asarray(rows), lost)


def _head_error(
    spec: AttentionFeatures,
    head: Head,
    error: Head | None,
    scale: Head | None,
    wanted: np.ndarray,
    lost: float,
) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = len(head.query), head.value.shape[1]
    output, lse = np.zeros((rows, columns)), np.zeros(rows)
    value = Rounded(head.value, error.value) if error else given(head.value)
    for start in range(0, rows if len(head.key) else 0, _ROWS_AT_A_TIME):
        chunk = slice(start, start + _ROWS_AT_A_TIME)
        if not wanted[chunk].any():
            continue
        logits = logits_of(spec, head, error, chunk)
        errors = softmax_error(logits, head.sink, value, spec.io_dtype, lost)
        output[chunk], lse[chunk] = errors
        if scale is not None:
            output[chunk] += _of_whole_weights(logits.value, head.sink, head.value, scale.value)
    return output, lse


def logits_of(spec: AttentionFeatures, head: Head, error: Head | None, chunk: slice) -> Rounded:
    """Logits of some rows: -inf, exactly, where a key is hidden."""
    query = Rounded(head.query, error.query) if error else given(head.query)
    key = Rounded(head.key, error.key) if error else given(head.key)
    logits = scaled(dot(query.take(chunk), key.swapped(0, 1)), spec.scale)
    if spec.logits_soft_cap is not None:
        logits = capped(logits, spec.logits_soft_cap)
    if head.score_mod is not None:
        logits = function_of_scores(head.score_mod, logits, chunk.start)
    value, off = masked_logits(spec, head, chunk), logits.error
    for addend in _addends(head, chunk):
        # Each is a product or a number of its own, and is added to what stands.
        off = off + 3 * UNIT * np.abs(addend) + UNIT * np.abs(np.nan_to_num(value, neginf=0.0))
    return Rounded(value, np.where(np.isfinite(value), off, 0.0))


def function_of_scores(function: Any, scores: Rounded, first_row: int) -> Rounded:
    """A function of the scores of some rows of a head."""
    rows, keys = scores.value.shape
    return function_of(function, scores, np.arange(rows)[:, None] + first_row, np.arange(keys))


def _addends(head: Head, chunk: slice) -> Iterator[np.ndarray]:
    if head.bias is not None:
        yield np.nan_to_num(head.bias[chunk], neginf=0.0)
    if head.slope is not None:
        rows = len(head.query[chunk])
        position = np.arange(rows)[:, None] + chunk.start + head.first_position
        yield head.slope * np.abs(position - np.arange(len(head.key)))


def softmax_error(
    logits: Rounded, sink: float, value: Rounded, element: str, lost: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of softmax(logits) · value and of the log-sum-exp, for logits `[…, q, t]`.

    Weights are rounded to the element type before they are multiplied, maybe towards zero; all
    else is f32. A row that sees nothing is exact.
    """
    terms = logits.value.shape[-1]
    top = np.maximum(logits.value.max(axis=-1, keepdims=True), sink)
    seen = top != -np.inf
    top = np.where(seen, top, 0.0)
    weights, off = _weights(Rounded(logits.value - top, logits.error), terms, element, lost)
    total = weights.sum(axis=-1, keepdims=True) + np.exp(sink - top)
    total = np.where(seen, total, 1.0)
    sum_off = (off.sum(axis=-1, keepdims=True) + FEW_UNITS) / total + (terms + 1) * UNIT
    size = np.abs(value.value)
    mean = weights @ value.value / total
    error = (off @ size) / total + terms * UNIT * (weights @ size) / total
    if value.error.any():
        error += weights @ value.error / total
    error += np.abs(mean) * (sum_off + FEW_UNITS)
    # Whatever the weights, they are at least 0 and add up to 1: a mean is among what it is of.
    widest = size.max(axis=-2, keepdims=True) * (1 + 2 * terms * UNIT + 2 * storage_unit(element))
    error = np.minimum(error, widest + np.abs(mean))
    lse = np.log(total) + top
    lse_error = sum_off + FEW_UNITS * (1 + np.abs(top) + np.abs(lse))
    return np.where(seen, error, 0.0), np.where(seen, lse_error, 0.0)[..., 0]


def _of_whole_weights(
    logits: np.ndarray, sink: float, value: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """By how much softmax(logits) · value is off where weights times scales are whole numbers.

    Each is off by half of one, in parts of the largest of its step: at most that of all steps. The
    columns of a group of a value have a scale together.
    """
    top = np.maximum(logits.max(axis=-1, keepdims=True), sink)
    top = np.where(top == -np.inf, 0.0, top)
    weights = np.exp(logits - top)
    total = weights.sum(axis=-1, keepdims=True) + np.exp(sink - top)
    sizes = np.abs(scale)
    numbers = np.divide(np.abs(value), sizes, out=np.zeros(value.shape), where=sizes > 0)
    tops = [(weights * of_group).max(axis=-1, keepdims=True) for of_group in sizes.T[::GROUP]]
    largest = np.concatenate(tops, axis=-1).repeat(GROUP, axis=-1)[..., : value.shape[1]]
    off = HALF_A_WHOLE * largest * ((weights > 0) @ numbers)
    share: np.ndarray = np.divide(off, total, out=np.zeros(off.shape), where=total > 0)
    return share


def _weights(
    exponents: Rounded, terms: int, element: str, lost: float
) -> tuple[np.ndarray, np.ndarray]:
    """exp(exponents), and what it is off by once it is of an element type."""
    weights = np.exp(exponents.value)
    relative = relative_of_exp(exponents, terms) + 2 * storage_unit(element)
    off = np.where(weights > 0, weights * relative + max(lost, dtype(element).tiniest), 0.0)
    return weights, off
