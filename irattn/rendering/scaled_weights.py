"""Weights of 8 bits whose scales stand beside them, as templates read them."""

from dataclasses import dataclass

from irattn.core.weight_formats import WeightFormat
from irattn.rendering.cache_formats import CacheFormat, cache_format
from irattn.rendering.values import Value


@dataclass(frozen=True)
class ScaledWeight:
    """The format of a weight, and its `scale`, of all rows that the weight has."""

    weight: WeightFormat
    scale: Value

    @property
    def name(self) -> str:
        """The format's name."""
        return self.weight.name

    @property
    def numbers(self) -> CacheFormat:
        """How numbers are made of bytes; caches have such, too."""
        return cache_format(self.weight.dtype)

    @property
    def any_float(self) -> CacheFormat:
        """How numbers are made that take the most steps."""
        return cache_format("fp8_e4m3")

    @property
    def has_columns(self) -> bool:
        """Whether scales change along a row."""
        return len(self.scale.shape) > 1

    @property
    def rows(self) -> int:
        """Rows that share a scale."""
        return (self.weight.scaled or (1, 0))[0]

    @property
    def columns(self) -> int:
        """Columns that do, where not the whole row does."""
        return (self.weight.scaled or (1, 0))[1]


def scaled_weight(known: WeightFormat, name: str, rows: int, columns: int) -> ScaledWeight | None:
    """The scales of a weight of that name; None where blocks have them."""
    scales = known.scale_shape(rows, columns)
    return None if scales is None else ScaledWeight(known, Value(f"{name}_scale", scales, "f32"))
