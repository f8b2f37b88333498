"""Hidden states as products with quantised weights take them, where a spec rounds them."""

from typing import Any

import numpy as np

_BLOCK = 32
_LEAST = np.float32(2.0**-126)


def multiplied(spec: Any, x: np.ndarray) -> np.ndarray:
    """The numbers that products of a spec multiply: x, or rounded with `activation_format`.

    Each 32 numbers are round(x / scale) * scale, where scale is the largest |x| over 127. Both are
    f32, as they are defined so: next to a tie, other quotients would be other whole numbers.
    """
    if spec.activation_format is None:
        return x
    blocks = x.astype(np.float32).reshape(*x.shape[:-1], -1, _BLOCK)
    scales = np.max(np.abs(blocks), axis=-1, keepdims=True) / np.float32(127)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.rint(blocks / scales)
        told = (np.abs(whole) < 128) & (scales >= _LEAST)
        rounded = np.where(told, whole, 0).astype(np.float64) * scales
    return np.asarray(rounded).reshape(x.shape)
