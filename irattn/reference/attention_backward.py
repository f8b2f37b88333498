"""The gradient of attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.attention import first_position, head_features
from irattn.reference.features import Head, masked_logits
from irattn.specs.attention_backward import AttentionBackwardSpec

Tensors = Mapping[str, np.ndarray]


def attention_backward(spec: AttentionBackwardSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of AttentionBackwardSpec, head by head."""
    names = ("query", "key", "value", "output", "lse", "output_gradient")
    query, key, value, output, lse, given = (tensors[name].astype(np.float64) for name in names)
    made = {name: np.zeros_like(one) for name, one in zip(names, (query, key, value), strict=False)}
    logits_shape = (spec.batch, spec.num_q_heads, spec.q_len, spec.kv_len)
    of_logits = np.zeros(logits_shape if spec.bias else (1, 1, 1, 1))
    for b, head in np.ndindex(spec.batch, spec.num_q_heads):
        at, kv = (b, head), (b, head // spec.group_size)
        features = head_features(spec, tensors, b, head, spec.q_len, spec.kv_len)
        first = first_position(spec, tensors, b, spec.q_len, spec.kv_len)
        one = Head(query[at], key[kv], value[kv], first, **features)
        logits = masked_logits(spec, one, slice(0, spec.q_len))
        sees = lse[at] > -np.inf
        weights = np.zeros_like(logits)
        weights[sees] = np.exp(logits[sees] - lse[at][sees, None])
        delta = (given[at] * output[at]).sum(axis=1, keepdims=True)
        of_scores = np.where(weights != 0, weights * (given[at] @ value[kv].T - delta), 0.0)
        if spec.bias:
            of_logits[at] = of_scores
        of_scores = of_scores * spec.scale * _slope_of_cap(spec, one)
        made["query"][at] = of_scores @ key[kv]
        made["key"][kv] += of_scores.T @ query[at]
        made["value"][kv] += weights.T @ given[at]
    if spec.bias:
        along = tuple(n for n, size in enumerate(tensors["bias"].shape) if size == 1)
        made["bias"] = of_logits.sum(axis=along, keepdims=True)
    if spec.sinks:
        made["sinks"] = _of_sinks(tensors["sinks"], lse, (given * output).sum(axis=-1))
    return tuple(made.values())


def _slope_of_cap(spec: AttentionBackwardSpec, head: Head) -> np.ndarray:
    """The derivative of capped scores by scores."""
    if spec.logits_soft_cap is None:
        return np.ones(1)
    scores = head.query @ head.key.T * spec.scale
    return np.asarray(1 - np.tanh(scores / spec.logits_soft_cap) ** 2)


def _of_sinks(sinks: np.ndarray, lse: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """The gradient of sinks: what their share of the softmax takes from the values."""
    below = np.where(lse > -np.inf, sinks[None, :, None] - lse, -np.inf)
    return np.asarray(-(np.exp(below) * delta).sum(axis=(0, 2)))
