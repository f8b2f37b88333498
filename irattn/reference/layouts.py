"""Tensors with heads before tokens, whatever their layout."""

import numpy as np


def heads_first(layout: str, array: np.ndarray) -> np.ndarray:
    """`[batch, heads, tokens, d]`, or `[block, heads, slots, d]`; its own inverse."""
    return array if layout == "HND" else array.swapaxes(1, 2)
