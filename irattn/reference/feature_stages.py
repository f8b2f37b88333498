"""The stages that the features of attention add, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.stages import ahead, softmax_of
from irattn.specs.feature_stages import (
    AlibiScoresSpec,
    BiasScoresSpec,
    MaskScoresSpec,
    SoftCapScoresSpec,
    SoftmaxWithSinksSpec,
    WindowMaskSpec,
)

Tensors = Mapping[str, np.ndarray]


def soft_cap_scores(spec: SoftCapScoresSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of SoftCapScoresSpec."""
    cap = spec.logits_soft_cap
    return (cap * np.tanh(tensors["scores"].astype(np.float64) / cap),)


def bias_scores(spec: BiasScoresSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of BiasScoresSpec."""
    scores, bias = (tensors[name].astype(np.float64) for name in ("scores", "bias"))
    return (np.where(bias == -np.inf, -np.inf, scores + bias),)


def alibi_scores(spec: AlibiScoresSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of AlibiScoresSpec."""
    slopes = tensors["alibi_slopes"].astype(np.float64)[:, None, None]
    return (tensors["scores"].astype(np.float64) - slopes * np.abs(ahead(spec)),)


def window_mask(spec: WindowMaskSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of WindowMaskSpec."""
    left, right = spec.window
    scores = tensors["scores"].astype(np.float64)
    if left is not None:
        scores = np.where(ahead(spec) < -left, -np.inf, scores)
    if right is not None:
        scores = np.where(ahead(spec) > right, -np.inf, scores)
    return (scores,)


def mask_scores(spec: MaskScoresSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of MaskScoresSpec."""
    return (np.where(tensors["keep_mask"], tensors["scores"].astype(np.float64), -np.inf),)


def softmax_with_sinks(spec: SoftmaxWithSinksSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of SoftmaxWithSinksSpec: the softmax of all keys and the sink, less the sink."""
    scores = tensors["scores"].astype(np.float64)
    sinks = tensors["sinks"].astype(np.float64)[:, None, None]
    every = np.concatenate([scores, np.broadcast_to(sinks, (*scores.shape[:-1], 1))], axis=-1)
    return (softmax_of(every)[..., :-1],)
