"""The stages of attention one by one, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs import (
    AttentionScoresSpec,
    CausalMaskSpec,
    ReplicateKvSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    WeightedValuesSpec,
)

Tensors = Mapping[str, np.ndarray]


def attention_scores(spec: AttentionScoresSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of AttentionScoresSpec."""
    query, key = (tensors[name].astype(np.float64) for name in ("query", "key"))
    return (query @ np.repeat(key, spec.group_size, axis=1).swapaxes(-1, -2),)


def scale_scores(spec: ScaleScoresSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of ScaleScoresSpec."""
    return (tensors["scores"].astype(np.float64) * spec.softmax_scale,)


def causal_mask(spec: CausalMaskSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of CausalMaskSpec."""
    first = spec.kv_len - spec.q_len if spec.alignment == "bottom_right" else 0
    position = first + np.arange(spec.q_len)[:, None]
    hidden = np.arange(spec.kv_len) > position
    return (np.where(hidden, -np.inf, tensors["scores"].astype(np.float64)),)


def softmax(spec: SoftmaxSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of SoftmaxSpec."""
    scores = tensors["scores"].astype(np.float64)
    top = scores.max(axis=-1, keepdims=True)
    # exp(-inf - 0) is 0 where exp(-inf - -inf) would be NaN.
    weights = np.exp(scores - np.where(top == -np.inf, 0.0, top))
    total = weights.sum(axis=-1, keepdims=True)
    return (weights / np.where(total == 0, 1.0, total),)


def weighted_values(spec: WeightedValuesSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of WeightedValuesSpec."""
    weights, value = (tensors[name].astype(np.float64) for name in ("weights", "value"))
    return (weights @ np.repeat(value, spec.group_size, axis=1),)


def replicate_kv(spec: ReplicateKvSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of ReplicateKvSpec."""
    return (np.repeat(tensors["kv"].astype(np.float64), spec.group_size, axis=1),)
