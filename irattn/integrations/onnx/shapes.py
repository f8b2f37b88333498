"""ONNX's two layouts of what attention takes, and the element types of both."""

import numpy as np

from irattn.core.array_hints import array_hint
from irattn.core.dtypes import dtype_name, float_name
from irattn.core.errors import ArgumentError


def check_arrays(**given: object) -> None:
    """ArgumentError for what is no NumPy array."""
    for name, array in given.items():
        if not isinstance(array, np.ndarray):
            raise ArgumentError(
                f"{name}: expected a NumPy array, got {type(array).__name__}"
                f"{array_hint(name, array, shares=False)}"
            )


def by_heads(name: str, array: np.ndarray, attribute: str, heads: int | None) -> np.ndarray:
    """`[batch, heads, tokens, head_dim]`, of `[batch, tokens, heads * head_dim]` too."""
    if array.ndim == 4:
        if heads not in (None, array.shape[1]):
            raise ArgumentError(f"{attribute}: expected {array.shape[1]} as in {name}, got {heads}")
        return array
    if array.ndim != 3:
        raise ArgumentError(f"{name}: expected 3 or 4 axes, got shape {list(array.shape)}")
    batch, tokens, width = array.shape
    if not heads or width % heads:
        raise ArgumentError(
            f"{attribute}: expected a divisor of {width}, the last axis of {name}, got {heads}"
        )
    return array.reshape(batch, tokens, heads, width // heads).swapaxes(1, 2)


def flat(array: np.ndarray) -> np.ndarray:
    """`[batch, tokens, heads * head_dim]`."""
    batch, heads, tokens, head_dim = array.shape
    return array.swapaxes(1, 2).reshape(batch, tokens, heads * head_dim)


def io_dtype(name: str, array: np.ndarray) -> str:
    """irattn's name of an element type; ArgumentError where it has no kernels for it."""
    known = float_name(array.dtype)
    if known is None:
        raise ArgumentError(
            f"{name}: expected float32, float16 or bfloat16, got {dtype_name(array.dtype)}"
        )
    return known
