"""Functions of scores in `irattn.attention`: the arrays that they read."""

import numpy as np
import pytest

import irattn
from irattn.core.errors import ArgumentError


def test_arrays_of_one_name_in_two_functions_are_two():
    query, key, value = np.random.default_rng(0).standard_normal((3, 1, 1, 4, 16), np.float32)

    def biased(table):
        return lambda score, batch, head, query, key: score + table[key]

    def seen(table):
        return lambda batch, head, query, key: table[key] > 0

    table, shown = np.linspace(0, 1, 4, dtype=np.float32), np.array([1, 0, 2, 0], np.float32)
    found = irattn.attention(
        query, key, value, score_mod=biased(table), mask_mod=seen(shown), policy="exact"
    )
    logits = np.where(shown > 0, query @ key.swapaxes(2, 3) / 4 + table, -np.inf)
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    np.testing.assert_allclose(found, weights / weights.sum(-1, keepdims=True) @ value, atol=1e-5)


def test_arrays_of_other_widths_are_read_as_the_kernel_has_them():
    query, key, value = np.random.default_rng(0).standard_normal((3, 1, 1, 4, 16), np.float32)
    slopes, kinds = np.linspace(0, 1, 4), np.array([0, 255, 3, 255], np.uint8)
    steps = np.array([5, 6, 7, 8], np.uint32)

    def leaning(score, batch, head, query, key):
        return score + slopes[key] * kinds[query] / steps[key]

    found = irattn.attention(query, key, value, score_mod=leaning, policy="exact")
    place = np.arange(4)
    logits = leaning(query @ key.swapaxes(2, 3) / 4, 0, 0, place[:, None], place)
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    np.testing.assert_allclose(found, weights / weights.sum(-1, keepdims=True) @ value, atol=1e-5)

    steps[1] = 2**31
    with pytest.raises(ArgumentError, match=r"steps: expected numbers below 2..31, .* 2147483648"):
        irattn.attention(query, key, value, score_mod=leaning, policy="exact")
