"""Logits to a token that is drawn by its likelihood: tokens are sorted, and added up in order."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.specs.drawn_choice import (
    DISTANCE_BITS,
    FAR,
    HALVING_TERMS,
    LEAST_TEMPERATURE,
    WEIGHT_BITS,
    DrawnChoiceSpec,
)

# Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3", for four words of 32 bits.
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10

_WORD = 2**32


def drawn_choice(
    spec: DrawnChoiceSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of DrawnChoiceSpec, row by row."""
    tokens = np.zeros(tensors["temperature"].shape, np.int32)
    for row in np.ndindex(tokens.shape):
        tokens[row] = _of_row({name: array[row] for name, array in tensors.items()})
    return (tokens,)


def philox(key: tuple[int, int], counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Four random words of 32 bits: Philox4x32-10."""
    (k0, k1), (c0, c1, c2, c3) = key, counter
    for _ in range(_ROUNDS):
        high0, low0 = divmod(_MULTIPLIERS[0] * c0, _WORD)
        high1, low1 = divmod(_MULTIPLIERS[1] * c2, _WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + _KEY_STEPS[0]) % _WORD, (k1 + _KEY_STEPS[1]) % _WORD
    return c0, c1, c2, c3


def weights_of(logits: np.ndarray, temperature: np.float32) -> np.ndarray:
    """The weights of a row's tokens: int64 in units of 2^-31."""
    given = logits.astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        below = given.max() - given
        units = below * (np.float32(2**DISTANCE_BITS * math.log2(math.e)) / temperature)
    units[given == given.max()] = 0
    # NaN is a distance without end over a temperature without end.
    is_near = units < FAR * 2**DISTANCE_BITS
    whole, part = np.divmod(np.where(is_near, units, 0).astype(np.int64), 2**DISTANCE_BITS)
    term = np.zeros_like(part)
    for halving in reversed(HALVING_TERMS):
        term = halving - (part * term >> DISTANCE_BITS)
    units_of_one = 2**WEIGHT_BITS - (part * term >> DISTANCE_BITS + 1)
    return np.where(is_near, units_of_one >> whole, 0)


def _of_row(given: dict[str, Any]) -> int:
    """A row's token; `given` has its logits, and a number or two of each other input."""
    logits, temperature = given["logits"], given["temperature"]
    top_k, top_p, min_p = int(given["top_k"]), float(given["top_p"]), float(given["min_p"])
    numbers = logits.astype(np.float64)
    if not temperature >= LEAST_TEMPERATURE or np.isnan(numbers).any():
        return int(numbers.argmax())
    weights = weights_of(logits, temperature)
    order = np.lexsort((np.arange(len(numbers)), -numbers))
    kept = order[:top_k] if top_k > 0 else order
    sums = np.cumsum(weights[kept])
    if top_p < 1:
        share = int(max(top_p, 0.0) * _WORD)
        enough = max(-(-share * int(sums[-1]) // _WORD), 1)
        kept = kept[: int(np.searchsorted(sums, enough)) + 1]
    if min_p > 0:
        kept = kept[weights[kept] >= math.ceil(min(min_p, 1.0) * 2**WEIGHT_BITS)]
    sums = np.cumsum(weights[kept])
    low_seed, high_seed, step = (int(word) % _WORD for word in given["seeds"])
    low, high, _, _ = philox((low_seed, high_seed), (step, 0, 0, 0))
    drawn = (low + high * _WORD) * int(sums[-1]) // _WORD**2
    return int(kept[np.searchsorted(sums, drawn, side="right")])
