"""The gradient of attention, in float64."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from irattn.reference.attention import first_position, head_features
from irattn.reference.features import (
    Head,
    capped_scores,
    kept_factors,
    masked_logits,
    sums_of_seen,
)
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.features import AttentionFeatures

Tensors = Mapping[str, np.ndarray]


class Attended(NamedTuple):
    """The output and the log-sum-exp of a head's queries, and the gradient of the output."""

    output: np.ndarray
    lse: np.ndarray
    gradient: np.ndarray


class GivenHead(NamedTuple):
    """A head of a sequence, what attention made of it, and where its rows and tokens are.

    `at` is where queries' rows are, `lse_at` where their numbers, and `kv` where keys' rows.
    """

    number: int
    at: Any
    lse_at: Any
    kv: Any
    head: Head
    made: Attended


class HeadTerms(NamedTuple):
    """The terms of which a head's gradients are sums, for each query and key.

    `factors` are those of dropout on `weights`, `bends` the derivatives of the soft cap, and
    `slopes` what else logits change by with products of queries and keys. What is hidden has a
    logit of -inf.
    """

    logits: np.ndarray
    weights: np.ndarray
    factors: np.ndarray
    of_logits: np.ndarray
    slopes: np.ndarray
    bends: np.ndarray


class HeadGradients(NamedTuple):
    """The gradients of a head's queries, keys, values and logits."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    logits: np.ndarray


def attention_backward(spec: AttentionBackwardSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of AttentionBackwardSpec, head by head."""
    made = {name: np.zeros(tensors[name].shape) for name in ("query", "key", "value")}
    logits_shape = (spec.batch, spec.num_q_heads, spec.q_len, spec.kv_len)
    of_logits = np.zeros(logits_shape if spec.bias else (1, 1, 1, 1))
    for one in given_heads(spec, tensors):
        found = head_gradients(spec, one.head, one.made)
        if spec.bias:
            of_logits[one.at] = found.logits
        made["query"][one.at] = found.query
        made["key"][one.kv] += found.key
        made["value"][one.kv] += found.value
    if spec.bias:
        along = tuple(n for n, size in enumerate(tensors["bias"].shape) if size == 1)
        made["bias"] = of_logits.sum(axis=along, keepdims=True)
    if spec.sinks:
        output, lse, given = _attended(tensors)
        delta = (given * output).sum(axis=-1)
        made["sinks"] = gradient_of_sinks(tensors["sinks"][None, :, None], lse, delta, (0, 2))
    return tuple(made.values())


def given_heads(spec: AttentionBackwardSpec, tensors: Tensors) -> Iterator[GivenHead]:
    """Each query head of each sequence, with what attention made of it."""
    query, key, value = (tensors[name].astype(np.float64) for name in ("query", "key", "value"))
    output, lse, given = _attended(tensors)
    for b, number in np.ndindex(spec.batch, spec.num_q_heads):
        at, kv = (b, number), (b, number // spec.group_size)
        features = head_features(spec, tensors, b, number, spec.q_len, spec.kv_len)
        first = first_position(spec, tensors, b, spec.q_len, spec.kv_len)
        head = Head(query[at], key[kv], value[kv], first, **features)
        yield GivenHead(number, at, at, kv, head, Attended(output[at], lse[at], given[at]))


def _attended(tensors: Tensors) -> Attended:
    """The output of attention, its lse and its gradient, of all heads, in float64."""
    return Attended(
        *(tensors[name].astype(np.float64) for name in ("output", "lse", "output_gradient"))
    )


def head_terms(spec: AttentionFeatures, head: Head, made: Attended) -> HeadTerms:
    """The terms of which the gradients of one head of one sequence are sums."""
    logits = masked_logits(spec, head, slice(0, len(head.query)))
    # A log-sum-exp that is NaN is not one of nothing: it is seen.
    sees = made.lse != -np.inf
    weights = np.zeros_like(logits)
    weights[sees] = np.exp(logits[sees] - made.lse[sees, None])
    delta = (made.gradient * made.output).sum(axis=1, keepdims=True)
    has_weight = weights != 0
    factors = kept_factors(spec, head, slice(0, len(head.query)))
    of_weights = made.gradient @ head.value.T * factors
    of_logits = np.where(has_weight, weights * (of_weights - delta), 0.0)
    bend, derivative = _derivatives(spec, head)
    slopes = np.where(has_weight, derivative, 0.0) * spec.scale
    return HeadTerms(logits, weights, factors, of_logits, slopes, bend)


def head_gradients(spec: AttentionFeatures, head: Head, made: Attended) -> HeadGradients:
    """The gradients of one head of one sequence."""
    terms = head_terms(spec, head, made)
    of_scores = terms.of_logits * terms.slopes * terms.bends
    kept, is_seen = terms.weights * terms.factors, terms.logits != -np.inf
    return HeadGradients(
        query=sums_of_seen(of_scores, is_seen, head.key),
        key=sums_of_seen(of_scores.T, is_seen.T, head.query),
        value=sums_of_seen(kept.T, is_seen.T, made.gradient),
        logits=terms.of_logits,
    )


def _derivatives(spec: AttentionFeatures, head: Head) -> tuple[np.ndarray, np.ndarray]:
    """The derivatives of the soft cap by scaled scores, and of logits by what it gives."""
    capped = capped_scores(spec, head.query, head.key)
    bend = derivative = np.ones(1)
    if spec.logits_soft_cap is not None:
        bend = 1 - (capped / spec.logits_soft_cap) ** 2
    if head.score_derivative is not None:
        query, key = np.arange(len(head.query))[:, None], np.arange(len(head.key))
        derivative = head.score_derivative(score=capped, query=query, key=key)
    return bend, derivative


def gradient_of_sinks(
    sinks: np.ndarray, lse: np.ndarray, delta: np.ndarray, axes: tuple[int, ...]
) -> np.ndarray:
    """The gradient of sinks: what their share of the softmax takes from the values."""
    below = np.where(lse != -np.inf, sinks - lse, -np.inf)
    return np.asarray(-(np.exp(below) * delta).sum(axis=axes))
