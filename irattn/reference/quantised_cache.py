"""Numbers of quantised caches: what they stand for, and how new tokens are rounded to them."""

from typing import Any

import ml_dtypes
import numpy as np

from irattn.reference.layouts import heads_first

# The NumPy type of each, and its largest finite number.
_TYPES: dict[str, tuple[Any, float]] = {
    "int8": (np.int8, 127.0),
    "int4": (np.int8, 7.0),
    "fp8_e4m3": (ml_dtypes.float8_e4m3fn, 448.0),
    "fp8_e5m2": (ml_dtypes.float8_e5m2, 57344.0),
    "fp8_e4m3fnuz": (ml_dtypes.float8_e4m3fnuz, 240.0),
    "fp8_e5m2fnuz": (ml_dtypes.float8_e5m2fnuz, 57344.0),
}


def scales_of_slots(spec: Any, scale: np.ndarray) -> np.ndarray:
    """The scales `[block, head, slot, 1]` of a cache with heads first, with 1 where they agree."""
    if spec.cache_scale == "group":
        return heads_first(spec.layout, scale.astype(np.float64)).repeat(32, axis=-1)
    if spec.cache_scale == "token":
        return heads_first(spec.layout, scale.astype(np.float64))[..., None]
    return scale.astype(np.float64).reshape(1, -1, 1, 1)


def dequantised(spec: Any, cache: np.ndarray, scale: np.ndarray | None) -> np.ndarray:
    """A cache with heads first, times its scales in float64; as it is where it has none.

    Of a cache with keys and then values in each block, both halves have the same scales here: those
    of the half that one reads.
    """
    numbers = heads_first(spec.layout, cache)
    if scale is None:
        return numbers
    if spec.cache_dtype == "int4":
        numbers = _unpacked(numbers)
    scales = scales_of_slots(spec, scale)
    if spec.cache_scale in ("token", "group") and scales.shape[2] != numbers.shape[2]:
        scales = np.concatenate([scales, scales], axis=2)
    return np.asarray(numbers.astype(np.float64) * scales)


def made_scales(spec: Any, tokens: np.ndarray) -> np.ndarray:
    """The scales `[token, head]` of new tokens `[token, head, d]`, in f32; of groups one each."""
    _, most = _TYPES[spec.cache_dtype]
    if spec.cache_scale == "group":
        tokens = tokens.reshape(*tokens.shape[:-1], -1, 32)
    with np.errstate(invalid="ignore"):
        largest = np.abs(tokens.astype(np.float32)).max(axis=-1)
    return np.asarray(largest / np.float32(most), np.float32)


def quantised(spec: Any, tokens: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The numbers of new tokens `[token, head, d]` by their scales `[token, head]`, in float64."""
    kind, most = _TYPES[spec.cache_dtype]
    divisors = scales.astype(np.float32)[..., None]
    if spec.cache_scale == "group":
        divisors = divisors.repeat(32, axis=-1).reshape(tokens.shape)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotients = tokens.astype(np.float32) / divisors
    # All of a token that has nothing are zeros.
    quotients = np.where(divisors == 0, np.float32(0), quotients)
    limited = np.clip(quotients, np.float32(-most), np.float32(most))
    if spec.cache_dtype in ("int8", "int4"):
        numbers = np.where(np.isnan(limited), 0, np.rint(limited)).astype(np.float64)
        return _packed(numbers) if spec.cache_dtype == "int4" else numbers
    return np.asarray(limited.astype(kind).astype(np.float64))


def _unpacked(cache: np.ndarray) -> np.ndarray:
    """The numbers of int4 in bytes `[..., d / 2]`: 16 low halves are followed by the high ones."""
    groups = cache.astype(np.uint8).reshape(*cache.shape[:-1], -1, 16)
    numbers = np.concatenate([groups & 15, groups >> 4], axis=-1).astype(np.int8) - np.int8(8)
    return numbers.reshape(*cache.shape[:-1], -1)


def _packed(numbers: np.ndarray) -> np.ndarray:
    """The bytes of numbers of int4, in float64."""
    low, high = np.split(numbers.reshape(*numbers.shape[:-1], -1, 32) + 8, 2, axis=-1)
    return np.asarray((low + 16 * high).reshape(*numbers.shape[:-1], -1))
