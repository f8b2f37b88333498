"""Round new tokens to the numbers of a quantised cache, on the host."""

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType


def numbers_and_scales(cache: TensorType, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers `[tokens, heads, d]` and f32 scales `[tokens, heads]` of new tokens.

    A scale is the largest magnitude of the token's head over the largest number of the cache's
    type; quotients are rounded to the nearest number, ties to even (CacheElements).
    """
    element = dtype(cache.dtype)
    wide = tokens.astype(np.float32)
    scales = np.abs(wide).max(axis=-1) / np.float32(element.largest)
    divisors = np.where(scales == 0, np.float32(1), scales)[..., None]
    with np.errstate(invalid="ignore"):
        quotients = np.clip(wide / divisors, -element.largest, element.largest)
        if element.numpy.kind == "i":
            quotients = np.nan_to_num(np.rint(quotients))
        return quotients.astype(element.numpy), scales
