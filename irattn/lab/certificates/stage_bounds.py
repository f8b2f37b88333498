"""Bounds of the errors of attention's stages, and of merged states."""

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.certificates.attention_bounds import softmax_error
from irattn.lab.certificates.bounded_call import Bound, Call
from irattn.lab.certificates.rounding import (
    UNIT,
    Rounded,
    capped,
    dot,
    given,
    relative_of_exp,
    scaled,
    storage_unit,
    sum_of,
)
from irattn.reference.merge_states import by_row


def _scores(call: Call) -> list[np.ndarray]:
    query, key = call.exact["query"], _by_query_head(call, "key")
    return [dot(query, key.swapped(-1, -2)).error]


def _weighted(call: Call) -> list[np.ndarray]:
    """Weights are rounded to the type of the values, maybe towards zero."""
    weights, value = call.exact["weights"], _by_query_head(call, "value")
    kind = call.spec.io_dtype
    off = 2 * storage_unit(kind) * weights.value + (weights.value > 0) * max(
        call.lost, dtype(kind).tiniest
    )
    return [dot(Rounded(weights.value, off), value).error]


def _by_query_head(call: Call, name: str) -> Rounded:
    return given(np.repeat(call.tensors[name], call.spec.group_size, axis=1), call.lost)


def _scale(call: Call) -> list[np.ndarray]:
    return [scaled(call.exact["scores"], call.spec.softmax_scale).error]


def _soft_cap(call: Call) -> list[np.ndarray]:
    return [capped(call.exact["scores"], call.spec.logits_soft_cap).error]


def _bias(call: Call) -> list[np.ndarray]:
    finite = {
        n: Rounded(np.nan_to_num(t.value, neginf=0.0), t.error) for n, t in call.exact.items()
    }
    return [sum_of(finite["scores"], finite["bias"]).error]


def _alibi(call: Call) -> list[np.ndarray]:
    spec, scores = call.spec, call.exact["scores"]
    position = spec.first_position + np.arange(spec.q_len)[:, None]
    distance = np.abs(np.arange(spec.kv_len) - position)
    added = call.exact["alibi_slopes"].value[:, None, None] * distance
    return [sum_of(scores, Rounded(added, UNIT * np.abs(added))).error]


def _softmax(call: Call) -> list[np.ndarray]:
    """Each weight over the sum: the bound of attention's with the weight itself for a value."""
    scores = call.exact["scores"].value
    sinks = call.tensors.get("sinks")
    sink = -np.inf if sinks is None else sinks.astype(np.float64)[:, None, None]
    top = np.maximum(scores.max(axis=-1, keepdims=True), sink)
    top = np.where(np.isfinite(top), top, 0.0)
    below = Rounded(scores - top, np.zeros(scores.shape))
    terms = scores.shape[-1] + 1
    weights = np.exp(below.value)
    off = weights * (relative_of_exp(below, terms) + 8 * UNIT)
    total = weights.sum(axis=-1, keepdims=True) + np.exp(sink - top)
    total = np.where(total > 0, total, 1.0)
    drift = off.sum(axis=-1, keepdims=True) / total + (terms + 8) * UNIT
    return [off / total + weights / total * drift]


def _merge(call: Call) -> list[np.ndarray]:
    """A softmax of two logits, over two values."""
    tensors = call.exact
    logits = np.stack([tensors["lse_a"].value, tensors["lse_b"].value], axis=-1)[..., None, :]
    states = (by_row(call.spec, tensors[name].value) for name in ("out_a", "out_b"))
    values = np.stack(list(states), axis=-2)
    # What stands beside a state that saw nothing does not count.
    values = np.where(logits[..., 0, :, None] == -np.inf, 0.0, values)
    exact = Rounded(logits, np.zeros(logits.shape))
    output, lse = softmax_error(exact, -np.inf, given(values), "f32")
    return [by_row(call.spec, output[..., 0, :]), lse[..., 0]]


BOUNDS: dict[str, Bound] = {
    "attention_scores": _scores,
    "scale_scores": _scale,
    "soft_cap_scores": _soft_cap,
    "bias_scores": _bias,
    "alibi_scores": _alibi,
    "softmax": _softmax,
    "softmax_with_sinks": _softmax,
    "weighted_values": _weighted,
    "merge_states": _merge,
}
