"""Bounds of the errors of the gated delta rule, a column of the state at a time.

A column is multiplied by (I - beta k kᵀ) diag(exp(g)), whose 2-norm is at most
max(exp(g)) max(1, |1 - beta |k|²|): so much of the column's error is left, in the 2-norm, and each
token adds what its own operations round (Higham 2002, 4.2 for the sums). Element by element the
error would double with each token, which it does not.
"""

from collections.abc import Mapping

import numpy as np

from irattn.lab.certificates.rounding import FEW_UNITS, UNIT
from irattn.reference.gated_delta_rule import real_tokens, tokens_of_heads
from irattn.reference.layouts import heads_first
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec

# What a turn of several tokens rounds besides, for each: factors of what is kept, and sums of the
# turn's own tokens.
_TURN = 4 * FEW_UNITS


def delta_rule_errors(
    spec: GatedDeltaRuleSpec, tensors: Mapping[str, np.ndarray]
) -> list[np.ndarray]:
    """Errors of the output and the final state, before they are stored."""
    query, key, value, g, beta = tokens_of_heads(spec, tensors)
    output, state = np.zeros(value.shape), tensors["initial_state"].astype(np.float64)
    error = np.zeros(state.shape)
    for sequence, (row, tokens) in enumerate(real_tokens(spec, tensors)):
        for head in range(spec.num_v_heads):
            own, off = state[sequence, head], np.zeros(spec.value_dim)
            for token in tokens:
                at = (row, head, token)
                off = _step(own, off, key[at], value[at], g[at], float(beta[at]))
                output[at] = _of_output(own, off, query[at])
            error[sequence, head] = off
    laid_out = heads_first(spec.layout, output)
    return [laid_out[0] if spec.packed else laid_out, error]


def _step(
    state: np.ndarray,
    off: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    g: np.ndarray,
    beta: float,
) -> np.ndarray:
    """The columns' error after a token, by which `state` is changed in place."""
    length, terms = float(np.linalg.norm(key)), len(key)
    kept, logarithm = np.exp(g), np.where(np.isfinite(g), np.abs(g), 0.0)
    state *= kept.reshape(-1, 1)
    columns = np.linalg.norm(state, axis=0)
    delta = beta * (value - key @ state)
    state += np.outer(key, delta)
    growth = float(np.max(kept)) * max(1.0, abs(1 - beta * length**2))
    rounded = (
        (2 * float(np.max(logarithm)) * UNIT + _TURN) * columns
        + length * np.abs(delta) * (terms * UNIT + _TURN)
        + abs(beta) * length * (length * columns * (2 * terms * UNIT + _TURN))
        + abs(beta) * length * np.abs(value) * _TURN
    )
    return np.asarray(growth * off + rounded)


def _of_output(state: np.ndarray, off: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The error of the product of a query and the state."""
    rounded = (2 * len(query) * UNIT + _TURN) * np.linalg.norm(state, axis=0)
    return np.asarray(float(np.linalg.norm(query)) * (off + rounded))
