"""How numbers of quantised caches are read and made by their bits: what templates say of a type."""

from dataclasses import dataclass

import ml_dtypes
import numpy as np

from irattn.specs.cache_elements import GROUP, CacheElements

# Formats with the sign in its own bit, whose numbers are all of bf16.
_TABLED_TYPES = {"fp8_e4m3": ml_dtypes.float8_e4m3fn, "fp8_e5m2": ml_dtypes.float8_e5m2}
TABLED = tuple(_TABLED_TYPES)


@dataclass(frozen=True, kw_only=True)
class CacheFormat:
    """One type of 8 bits, whose widened numbers are `unit` times too small.

    A float with as many bits of exponent as f16 or fewer is one of f16 by its bits, `to_half` to
    the left, with an exponent that is too small by what `unit` makes good. AMD's `fp8_e5m2fnuz`
    has numbers where f16 has infinities, and is f32 by its bits (`to_single`).
    """

    name: str
    largest: float
    unit: float = 1.0
    is_integer: bool = False
    # Whether a byte has two numbers, each with 8 added, of columns that have a scale together.
    is_packed: bool = False
    # Whether there is neither an infinity nor a negative zero: its bits are NaN.
    is_fnuz: bool = False

    # Floats: bits of the mantissa, the exponent's bias, and the bits of NaN.
    mantissa: int = 0
    bias: int = 0
    nan: int = 0

    @property
    def in_half(self) -> bool:
        """Whether all numbers are those of f16, but for the exponent."""
        return not self.is_integer and not (self.is_fnuz and self.mantissa == 2)

    @property
    def to_half(self) -> int:
        """How far bits move to be those of f16."""
        return 10 - self.mantissa

    @property
    def clears_exponent(self) -> bool:
        """Whether f16 has a bit of exponent between these and the sign."""
        return self.mantissa == 3

    @property
    def table(self) -> dict[str, list[int]]:
        """The bytes of bf16 of the numbers without a sign, `unit` times too small."""
        numbers = np.arange(128, dtype=np.uint8).view(_TABLED_TYPES[self.name])
        small = numbers.astype(np.float32) / np.float32(self.unit)
        pairs = small.astype(ml_dtypes.bfloat16).view(np.int8).reshape(-1, 2)
        return {"low": pairs[:, 0].tolist(), "high": pairs[:, 1].tolist()}

    @property
    def to_single(self) -> int:
        """How far bits move to be those of f32."""
        return 23 - self.mantissa

    @property
    def single_bias(self) -> int:
        """The difference of f32's bias, in the place of its exponent."""
        return (127 - self.bias) << 23

    @property
    def one_higher(self) -> int:
        """The difference and one: numbers below the normal ones add to this exponent."""
        return (128 - self.bias) << 23

    @property
    def least_normal(self) -> float:
        """The least number with all bits of mantissa."""
        return 2.0 ** (1 - self.bias)

    @property
    def half_of_last(self) -> int:
        """Half of the last bit, less one: added, it rounds f32's bits, ties to even."""
        return (1 << (self.to_single - 1)) - 1

    @property
    def bias_of_bits(self) -> int:
        """The difference of f32's bias, where its bits have moved to the right."""
        return (127 - self.bias) << self.mantissa

    @property
    def least_step(self) -> float:
        """The least number above 0."""
        return self.least_normal * 2.0**-self.mantissa

    @property
    def first_normal(self) -> int:
        """The bits of the least number with all bits of mantissa."""
        return 1 << self.mantissa

    @property
    def rounder(self) -> float:
        """A large number: added to it, a number below the normal ones is rounded."""
        return 2.0 ** (24 - self.bias - self.mantissa)

    @property
    def rounder_bits(self) -> int:
        """The bits of `rounder`."""
        return (127 + 24 - self.bias - self.mantissa) << 23


_FORMATS = {
    one.name: one
    for one in (
        CacheFormat(name="int8", largest=127.0, is_integer=True),
        CacheFormat(name="int4", largest=7.0, is_integer=True, is_packed=True),
        CacheFormat(name="fp8_e4m3", largest=448.0, unit=256.0, mantissa=3, bias=7, nan=0x7F),
        CacheFormat(name="fp8_e5m2", largest=57344.0, mantissa=2, bias=15, nan=0x7F),
        CacheFormat(
            name="fp8_e4m3fnuz",
            largest=240.0,
            unit=128.0,
            is_fnuz=True,
            mantissa=3,
            bias=8,
            nan=0x80,
        ),
        CacheFormat(
            name="fp8_e5m2fnuz", largest=57344.0, is_fnuz=True, mantissa=2, bias=16, nan=0x80
        ),
    )
}


@dataclass(frozen=True)
class QuantisedCache:
    """The caches of a spec: their format, and whether a tensor, head, token or group has scales."""

    format: CacheFormat
    scale: str

    @property
    def is_packed(self) -> bool:
        """Whether a byte has two numbers."""
        return self.format.is_packed

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are those of f16."""
        return self.format.is_integer or self.format.in_half

    @property
    def scales_sums(self) -> bool:
        """Whether all values of a head have one scale, which sums are then multiplied with."""
        return self.scale in ("tensor", "head")

    @property
    def unit(self) -> float:
        """The factor that lanes of GPUs multiply numbers with besides their scales."""
        return 1.0 if self.is_exact else self.format.unit

    @property
    def half(self) -> int:
        """Columns of a group whose numbers are the same halves of bytes."""
        return GROUP // 2

    @property
    def numbers(self) -> range:
        """The numbers of 4 bits, by their bits."""
        return range(-8, 8)

    @property
    def group(self) -> int:
        """Columns that have a scale together."""
        return GROUP


def quantised_cache(spec: object) -> QuantisedCache | None:
    """The quantised caches of a spec; None where its caches, if it has any, store `io_dtype`."""
    if not isinstance(spec, CacheElements) or spec.cache_dtype is None or not spec.cache_scale:
        return None
    return QuantisedCache(cache_format(spec.cache_dtype), spec.cache_scale)


def cache_format(name: str) -> CacheFormat:
    """The type of that name: `int8`, `fp8_e4m3`."""
    return _FORMATS[name]


def half_of(spec: object) -> int | None:
    """The columns that are the same halves of bytes; None where a byte has one number."""
    cache = quantised_cache(spec)
    return cache.half if cache and cache.is_packed else None
