"""Distributions that floats of inputs are drawn from: random, and hard ones."""

from collections.abc import Callable

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import Role, TensorType

Sampler = Callable[[np.random.Generator, TensorType], np.ndarray]

_KEYS = {Role.KEY, Role.KEY_CACHE}
_VALUES = {Role.VALUE, Role.VALUE_CACHE}


def normal(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.standard_normal(tensor.largest_shape, dtype=np.float32)


def uniform(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.uniform(-1, 1, tensor.largest_shape).astype(np.float32)


def negative_logits(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Numbers below 0, of which none is as large as the 0 that a maximum may begin with."""
    return -1 - rng.random(tensor.largest_shape, dtype=np.float32)


def large_logits(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return normal(rng, tensor) * np.float32(4 if tensor.role in {Role.QUERY, *_KEYS} else 1)


def large_values(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Values near the largest f16, so that a sum before the division would overflow it."""
    return uniform(rng, tensor) * np.float32(60000 if tensor.role in _VALUES else 1)


def subnormals(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Half of the numbers below the smallest normal one of the storage type."""
    tiny = dtype(tensor.dtype).smallest_normal / 2
    values = normal(rng, tensor)
    values[rng.random(tensor.largest_shape) < 0.5] *= np.float32(tiny)
    return values


def equal_keys(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    values = normal(rng, tensor)
    if tensor.role in _KEYS:
        values[...] = values[(0,) * (values.ndim - 1)]
    return values


def one_token(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Token 0 of each sequence or block takes nearly all weight."""
    values = normal(rng, tensor)
    if tensor.role == Role.QUERY:
        values = np.abs(values) + np.float32(1)
    elif tensor.role in _KEYS:
        values[..., 1:, :] = -20
        values[..., 0, :] = 20
    return values


def huge_scale(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Logits beyond a million, where a softmax without a maximum overflows.

    Keys are whole multiples of one vector of signs, queries are plus or minus 64 times that vector:
    different keys then differ by far more than rounding at this scale, and equal keys are equal.
    """
    signs = np.where(np.arange(tensor.largest_shape[-1]) % 3 == 0, -1, 1)
    rows = tensor.largest_shape[:-1]
    if tensor.role == Role.QUERY:
        return (rng.choice([-64.0, 64.0], rows)[..., None] * signs).astype(np.float32)
    if tensor.role in _KEYS:
        return (rng.integers(-2048, 2049, rows)[..., None] * signs).astype(np.float32)
    return normal(rng, tensor)
