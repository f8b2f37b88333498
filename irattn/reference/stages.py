"""The stages of attention one by one, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.stages import (
    AttentionScoresSpec,
    CausalMaskSpec,
    PositionedScores,
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
    return (np.where(ahead(spec) > 0, -np.inf, tensors["scores"].astype(np.float64)),)


def ahead(spec: PositionedScores) -> np.ndarray:
    """The tokens by which each key stands after each query's position: `[q_len, kv_len]`."""
    first = spec.kv_len - spec.q_len if spec.alignment == "bottom_right" else 0
    position = first + np.arange(spec.q_len)[:, None]
    distance: np.ndarray = np.arange(spec.kv_len) - position
    return distance


def softmax(spec: SoftmaxSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of SoftmaxSpec."""
    return (softmax_of(tensors["scores"].astype(np.float64)),)


def softmax_of(scores: np.ndarray) -> np.ndarray:
    """The softmax of each row; zeros where a row is -inf throughout, NaN where it has one."""
    top = scores.max(axis=-1, keepdims=True)
    sees_any = top != -np.inf
    # exp(-inf - 0) is 0 where exp(-inf - -inf) would be NaN.
    weights = np.exp(scores - np.where(sees_any, top, 0.0))
    total = weights.sum(axis=-1, keepdims=True)
    shares: np.ndarray = np.divide(weights, total, out=np.zeros_like(weights), where=sees_any)
    return shares


def weighted_values(spec: WeightedValuesSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of WeightedValuesSpec."""
    weights, value = (tensors[name].astype(np.float64) for name in ("weights", "value"))
    return (weights @ np.repeat(value, spec.group_size, axis=1),)


def replicate_kv(spec: ReplicateKvSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of ReplicateKvSpec."""
    return (np.repeat(tensors["kv"].astype(np.float64), spec.group_size, axis=1),)
