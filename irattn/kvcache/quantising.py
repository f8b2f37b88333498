"""Round new tokens to the numbers of a quantised cache, on the host."""

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.specs.cache_elements import GROUP


def numbers_and_scales(cache: TensorType, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers `[tokens, heads, d]` and f32 scales `[tokens, heads]` of new tokens.

    A scale is the largest magnitude of the token's head over the largest number of the cache's
    type; quotients are rounded to the nearest number, ties to even (CacheElements). Of int4 there
    are bytes, `[tokens, heads, d / 2]`, and scales of groups, `[tokens, heads, d / 32]`.
    """
    element = dtype(cache.dtype)
    wide = tokens.astype(np.float32)
    if cache.dtype == "int4":
        groups = wide.reshape(*wide.shape[:-1], -1, GROUP)
        numbers, scales = _rounded(groups, element.largest)
        low, high = np.split(numbers.astype(np.uint8) + np.uint8(8), 2, axis=-1)
        return (low | high << 4).reshape(*wide.shape[:-1], -1), scales
    if element.numpy.kind == "i":
        numbers, scales = _rounded(wide, element.largest)
    else:
        numbers, scales = _limited(wide, element.largest)
    return numbers.astype(element.numpy), scales


def _limited(wide: np.ndarray, largest: float) -> tuple[np.ndarray, np.ndarray]:
    """Quotients within the numbers of a type, and the scales of their rows."""
    scales = np.abs(wide).max(axis=-1) / np.float32(largest)
    divisors = np.where(scales == 0, np.float32(1), scales)[..., None]
    with np.errstate(invalid="ignore"):
        return np.clip(wide / divisors, -largest, largest), scales


def _rounded(wide: np.ndarray, largest: float) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, and the scales of their rows."""
    quotients, scales = _limited(wide, largest)
    return np.nan_to_num(np.rint(quotients)).astype(np.int8), scales
