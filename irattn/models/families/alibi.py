"""The slopes of ALiBi (Press et al. 2022) of so many heads, as models have them."""

import numpy as np

from irattn.core.dtypes import dtype


def geometric_slopes(heads: int, head_dim: int) -> np.ndarray:
    """The slopes of BLOOM: of a power of 2 heads, and then every other one of twice as many."""
    count = 1 << (heads.bit_length() - 1)
    return np.concatenate([_of_power(count), _of_power(2 * count)[::2][: heads - count]])


def interleaved_slopes(heads: int, head_dim: int) -> np.ndarray:
    """The slopes of MPT: every other one of the next power of 2, and then those between them."""
    count = 1 << (heads - 1).bit_length()
    every = _of_power(count)
    return every if count == heads else np.concatenate([every[1::2], every[::2]])[:heads]


def scaled_slopes(heads: int, head_dim: int) -> np.ndarray:
    """The slopes of Falcon: BLOOM's as bf16 has them, scaled as logits are.

    The code rounds products with positions to bf16, too, which slopes do not say.
    """
    rounded = geometric_slopes(heads, head_dim).astype(dtype("bf16").numpy)
    scaled: np.ndarray = rounded.astype(np.float64) * head_dim**-0.5
    return scaled


def _of_power(count: int) -> np.ndarray:
    slopes: np.ndarray = np.exp2(-8.0 * np.arange(1, count + 1) / count)
    return slopes
