"""Floats of one byte: fp8 and bf8, as the OCP writes them and as CDNA3 does (FNUZ)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ByteFloat:
    """A sign, an exponent with a bias, and `places` bits behind the point.

    Where it `has_infinity`, the highest exponent is for that and NaN. Else NaN is one number: all
    ones, or with `one_zero` what would be -0.
    """

    places: int
    bias: int
    has_infinity: bool = False
    one_zero: bool = False

    @cached_property
    def values(self) -> np.ndarray:
        """The values of all 256 bytes, as f32."""
        codes = np.arange(256)
        exponent, fraction = codes >> self.places & (0x7F >> self.places), codes & self._ones
        size = np.ldexp(fraction + np.where(exponent, 1 << self.places, 0), self._power(exponent))
        size[self._beyond :][:128] = np.nan
        if self.has_infinity:
            size[self._beyond] = np.inf
        size[128:] = -size[:128]
        if self.one_zero:
            size[128] = np.nan
        values: np.ndarray = size.astype(np.float32)
        return values

    @property
    def _ones(self) -> int:
        return (1 << self.places) - 1

    @property
    def _beyond(self) -> int:
        """The first code after the largest number."""
        if self.one_zero:
            return 128
        return 128 - (1 << self.places) if self.has_infinity else 127

    @property
    def _nan(self) -> int:
        return 128 if self.one_zero else 127

    def _power(self, exponent: Any) -> Any:
        return np.maximum(exponent, 1) - self.bias - self.places

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """The numbers that codes stand for, in f32."""
        values: np.ndarray = self.values.take(codes)
        return values

    def encode(self, numbers: Any) -> np.ndarray:
        """f32 rounded to the nearest; what is too large becomes infinity, or NaN where none is."""
        numbers = np.asarray(numbers)
        last = self._beyond - 1
        known = self.values[: last + 1].astype(np.float64)
        known = np.append(known, 2 * known[-1] - known[-2])
        between = (known[1:] + known[:-1]) / 2
        size = np.abs(numbers).astype(np.float64)
        low, high = (np.searchsorted(between, size, side=side) for side in ("left", "right"))
        codes = np.where(low & 1, high, low)
        codes = np.where(codes > last, self._beyond if self.has_infinity else self._nan, codes)
        codes = np.where(np.isnan(numbers), self._nan, codes)
        sign = np.signbit(numbers) & (~self.one_zero | (codes > 0) & (codes < 128))
        signed: np.ndarray = codes | sign.astype(np.int64) << 7
        return signed.astype(np.uint8)


# By name, and whether they are those of the OCP.
BYTE_FLOATS = {
    ("fp8", True): ByteFloat(3, 7),
    ("bf8", True): ByteFloat(2, 15, has_infinity=True),
    ("fp8", False): ByteFloat(3, 8, one_zero=True),
    ("bf8", False): ByteFloat(2, 16, one_zero=True),
}
