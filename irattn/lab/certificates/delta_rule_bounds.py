"""Bounds of the errors of the gated delta rule, a column of the state at a time.

A column is multiplied by (I - beta k kᵀ) diag(exp(g)), whose 2-norm is at most
max(exp(g)) max(1, |1 - beta |k|²|): so much of the column's error is left, in the 2-norm, and each
token adds what its own operations round (Higham 2002, 4.2 for the sums). Element by element the
error would double with each token, which it does not.

In 16 bits matrix instructions take chunks of 16 tokens from a sequence's first one on. What they
multiply is rounded: the state, what is new of values, what of that is written, and the two squares
between. An error of what is new goes on as one of the value does; one of what is written is not
corrected before the chunk's end.

Where nothing is corrected a column is multiplied by diag(exp(g)) alone, and what is written of a
value is its share, which nothing else has a part in.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.certificates.rounding import FEW_UNITS, UNIT, storage_unit
from irattn.reference.gated_delta_rule import real_tokens, tokens_of_heads
from irattn.reference.layouts import heads_first
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec

# What a turn of several tokens rounds besides, for each: factors of what is kept, and sums of the
# turn's own tokens.
_TURN = 4 * FEW_UNITS

_CHUNK = 16


@dataclass(frozen=True)
class _Tokens:
    """Tokens of a head, in their order."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    g: np.ndarray
    beta: np.ndarray


@dataclass(frozen=True)
class _Roundings:
    """The roundings of a chunk to 16 bits: the errors that they add, a row for each token.

    `new` to what is new of its value, `written` to what is written of that, `output` to the output.
    """

    new: np.ndarray
    written: np.ndarray
    output: np.ndarray


def delta_rule_errors(
    spec: GatedDeltaRuleSpec, tensors: Mapping[str, np.ndarray]
) -> list[np.ndarray]:
    """Errors of the output and the final state, before they are stored."""
    given = tokens_of_heads(spec, tensors)
    output, state = np.zeros(given[2].shape), tensors["initial_state"].astype(np.float64)
    error = np.zeros(state.shape)
    for sequence, (row, tokens) in enumerate(real_tokens(spec, tensors)):
        for head in range(spec.num_v_heads):
            own, off = state[sequence, head], np.zeros(spec.value_dim)
            for first in range(tokens.start, tokens.stop, _CHUNK):
                at = (row, head, slice(first, min(first + _CHUNK, tokens.stop)))
                chunk = _Tokens(*(tensor[at] for tensor in given))
                output[at], off = _over_chunk(spec, chunk, own, off)
            error[sequence, head] = off
    laid_out = heads_first(spec.layout, output)
    return [laid_out[0] if spec.packed else laid_out, error]


def _over_chunk(
    spec: GatedDeltaRuleSpec, chunk: _Tokens, state: np.ndarray, off: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Errors of a chunk's outputs, and of the columns after it; `state` is changed in place."""
    rounded = _roundings(spec, chunk, state)
    outputs, written = np.zeros(chunk.value.shape), np.zeros(off.shape)
    for i, (key, beta) in enumerate(zip(chunk.key, chunk.beta, strict=True)):
        length = float(np.linalg.norm(key))
        off = _step(spec, state, off, key, chunk.value[i], chunk.g[i], float(beta))
        off = off + abs(float(beta)) * length * rounded.new[i]
        written = float(np.max(np.exp(chunk.g[i]))) * written + length * rounded.written[i]
        outputs[i] = _of_output(state, off + written, chunk.query[i]) + rounded.output[i]
    return outputs, off + written


def _roundings(spec: GatedDeltaRuleSpec, chunk: _Tokens, state: np.ndarray) -> _Roundings:
    """The roundings of the chunk that begins with `state`: none where all is in f32.

    Of a column, numbers are brought near 1 by its largest, so that the smallest numbers of a type
    count beside that one.
    """
    if not storage_unit(spec.io_dtype) or spec.gate == "channel":
        return _Roundings(*(np.zeros(chunk.value.shape) for _ in range(3)))
    kind = ml_dtypes.finfo(dtype(spec.io_dtype).numpy)  # type: ignore[no-untyped-call]
    unit, least = storage_unit(spec.io_dtype), float(kind.smallest_subnormal) / 2
    size = 2 * np.maximum(np.abs(state).max(axis=0), np.abs(chunk.value).max(axis=0))

    decay = np.eye(len(chunk.g))
    for i in range(1, len(decay)):
        decay[i, :i] = decay[i - 1, :i] * np.exp(chunk.g[i])
    until = np.exp(np.cumsum(chunk.g))[:, None]
    weights = (chunk.query @ chunk.key.T) * decay
    held = unit * np.linalg.norm(state, axis=0) + least * np.sqrt(len(state)) * size
    of_query = until * np.linalg.norm(chunk.query, axis=1)[:, None]

    # What is written where nothing is corrected.
    new, off_new = chunk.value, np.zeros(chunk.value.shape)
    solution, off_solution = np.diag(chunk.beta), np.zeros(decay.shape)
    if not spec.uncorrected:
        of_key = until * np.linalg.norm(chunk.key, axis=1)[:, None]
        new = chunk.value - until * (chunk.key @ state)
        off_new = of_key * held + unit * np.abs(new) + least * size
        solution, inexact = _solution(chunk, decay)
        off_solution = unit * np.abs(solution) + least + inexact
    written = np.abs(solution @ new)
    off_written = (unit + least * np.sqrt(len(state))) * written + least * size
    return _Roundings(
        new=off_new,
        written=off_solution @ np.abs(new) + off_written,
        output=of_query * held
        + (unit * np.abs(weights) + least) @ written
        + np.abs(weights) @ off_written,
    )


def _solution(chunk: _Tokens, decay: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The solution of a chunk's equations, and its errors in f32."""
    equations = np.tril(chunk.beta[:, None] * (chunk.key @ chunk.key.T) * decay, -1)
    inverse = np.linalg.inv(np.eye(len(decay)) + equations)
    solution = inverse * chunk.beta
    solved = _CHUNK * UNIT * np.abs(inverse) @ (np.eye(len(decay)) + np.abs(equations))
    return solution, solved @ np.abs(solution)


def _step(
    spec: GatedDeltaRuleSpec,
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
    held = 0.0 if spec.uncorrected else key @ state
    delta = beta * (value - held)
    state += np.outer(key, delta)
    growth = float(np.max(kept))
    rounded = (
        (2 * float(np.max(logarithm)) * UNIT + _TURN) * columns
        + length * np.abs(delta) * (terms * UNIT + _TURN)
        + abs(beta) * length * np.abs(value) * _TURN
    )
    if not spec.uncorrected:
        growth *= max(1.0, abs(1 - beta * length**2))
        rounded += abs(beta) * length * (length * columns * (2 * terms * UNIT + _TURN))
    return np.asarray(growth * off + rounded)


def _of_output(state: np.ndarray, off: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The error of the product of a query and the state."""
    rounded = (2 * len(query) * UNIT + _TURN) * np.linalg.norm(state, axis=0)
    return np.asarray(float(np.linalg.norm(query)) * (off + rounded))
