"""One head of attention with every feature, in float64."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irattn.specs.features import AttentionFeatures

_ROWS_AT_A_TIME = 256


@dataclass(frozen=True)
class Head:
    """One head of one sequence: query [q, k], key [t, k], value [t, n], bias and keep_mask [q, t].

    `first_position` is the position of query 0.
    """

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    first_position: int
    slope: float | None = None
    bias: np.ndarray | None = None
    keep_mask: np.ndarray | None = None
    sink: float = -np.inf
    score_mod: Callable[..., np.ndarray] | None = None
    score_derivative: Callable[..., np.ndarray] | None = None
    kept: Callable[..., np.ndarray] | None = None
    mask_mod: Callable[..., np.ndarray] | None = None
    in_seen_block: np.ndarray | None = None
    in_full_block: np.ndarray | None = None


def attend(spec: AttentionFeatures, head: Head) -> tuple[np.ndarray, np.ndarray]:
    """Output [q, n] and log-sum-exp [q] of a head."""
    rows = len(head.query)
    output, lse = np.zeros((rows, head.value.shape[1])), np.full(rows, head.sink)
    for start in range(0, rows if len(head.key) else 0, _ROWS_AT_A_TIME):
        chunk = slice(start, start + _ROWS_AT_A_TIME)
        logits = masked_logits(spec, head, chunk)
        top = np.maximum(logits.max(axis=1), head.sink)
        sees_any = top != -np.inf
        weights = np.exp(logits[sees_any] - top[sees_any, None])
        total = weights.sum(axis=1) + np.exp(head.sink - top[sees_any])
        factors = kept_factors(spec, head, chunk)[sees_any]
        sums = sums_of_seen(weights * factors, logits[sees_any] != -np.inf, head.value)
        output[chunk][sees_any] = sums / total[:, None]
        lse[chunk][sees_any] = top[sees_any] + np.log(total)
    return output, lse


def sums_of_seen(weights: np.ndarray, sees: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The weighted sums of what each row sees: of no other does anything count, NaN neither."""
    is_finite = np.isfinite(seen).all(axis=1)
    sums = np.asarray(weights @ np.where(is_finite[:, None], seen, 0.0))
    for token in np.flatnonzero(~is_finite):
        rows = sees[:, token]
        sums[rows] += weights[rows, token, None] * seen[token]
    return sums


def capped_scores(spec: AttentionFeatures, query: np.ndarray, key: np.ndarray) -> np.ndarray:
    """The scaled scores of rows, behind the soft cap: what functions of scores are given."""
    scores = np.asarray(query @ key.T * spec.scale)
    if spec.logits_soft_cap is None:
        return scores
    return np.asarray(spec.logits_soft_cap * np.tanh(scores / spec.logits_soft_cap))


def kept_factors(spec: AttentionFeatures, head: Head, chunk: slice) -> np.ndarray:
    """The factors of dropout on the weights of some query rows, `[q, t]`."""
    shape = (len(head.query[chunk]), len(head.key))
    if head.kept is None:
        return np.ones(shape)
    place = np.arange(shape[0])[:, None] + chunk.start
    return np.asarray(head.kept(query=place, key=np.arange(shape[1])) * spec.kept_factor)


def masked_logits(spec: AttentionFeatures, head: Head, chunk: slice) -> np.ndarray:
    """The logits of some query rows, -inf where a key is hidden."""
    queries = head.query[chunk]
    token = np.arange(len(head.key))
    place = np.arange(len(queries))[:, None] + chunk.start
    position = place + head.first_position
    logits = capped_scores(spec, queries, head.key)
    if head.score_mod is not None:
        logits = np.array(
            np.broadcast_to(head.score_mod(score=logits, query=place, key=token), logits.shape)
        )
    if head.bias is not None:
        logits = np.where(head.bias[chunk] == -np.inf, -np.inf, logits + head.bias[chunk])
    if head.slope is not None:
        logits = logits - head.slope * np.abs(position - token)
    if spec.causal:
        logits[token > position] = -np.inf
    if spec.window_left is not None:
        logits[token < position - spec.window_left] = -np.inf
    if spec.window_right is not None:
        logits[token > position + spec.window_right] = -np.inf
    if head.keep_mask is not None:
        logits[~head.keep_mask[chunk]] = -np.inf
    seen = True if head.mask_mod is None else head.mask_mod(query=place, key=token)
    if head.in_seen_block is not None and head.in_full_block is not None:
        here = chunk, slice(len(token))
        seen = head.in_seen_block[here] & (head.in_full_block[here] | seen)
    return np.where(seen, logits, -np.inf)
