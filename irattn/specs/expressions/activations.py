"""Activations of torch, of which a score may be one, as several steps of an expression."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.core.errors import shown
from irattn.specs.expressions.ops import UntraceableError


def _leaky_relu(number: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    return np.where(number > 0, number, negative_slope * number)


def _sigmoid(number: Any) -> Any:
    # Beyond this exp would be infinite in f32, and the derivative NaN.
    return 1.0 / (1.0 + np.exp(np.minimum(-number, 80.0)))


def _softplus(number: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    scaled = number * float(beta)
    bent = np.log1p(np.exp(np.minimum(scaled, float(threshold)))) * (1.0 / beta)
    return np.where(scaled > float(threshold), number, bent)


def _log_sigmoid(number: Any) -> Any:
    return np.minimum(number, 0.0) - np.log1p(np.exp(-abs(number)))


def _elu(number: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    return np.where(number > 0, number, float(alpha) * np.expm1(np.minimum(number, 0.0)))


def _gelu(number: Any, *, approximate: str = "none") -> Any:
    if approximate == "none":
        return number * (0.5 + 0.5 * number.of.note("erf", number * math.sqrt(0.5)))
    if approximate != "tanh":
        raise UntraceableError(f"gelu of approximate={shown(approximate)}; it is none or tanh")
    cubed = number + 0.044715 * number * number * number
    return number * (0.5 + 0.5 * np.tanh(math.sqrt(2 / math.pi) * cubed))


ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "relu": lambda number, inplace=False: np.maximum(number, 0),
    "leaky_relu": _leaky_relu,
    "sigmoid": _sigmoid,
    "silu": lambda number, inplace=False: number * _sigmoid(number),
    "softplus": _softplus,
    "logsigmoid": _log_sigmoid,
    "elu": _elu,
    "gelu": _gelu,
}
