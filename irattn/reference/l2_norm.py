"""Normalisation to length 1, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.l2_norm import L2NormSpec


def l2_norm(spec: L2NormSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of L2NormSpec."""
    return (unit_rows(tensors["x"].astype(np.float64), spec.eps),)


def unit_rows(x: np.ndarray, eps: float) -> np.ndarray:
    """Rows, each divided by its length."""
    return np.asarray(x / np.sqrt(np.sum(x * x, axis=-1, keepdims=True) + eps))
