"""Layer normalisation."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.base import check_flag
from irattn.specs.row_norm import WeightedRowNorm


@dataclass(frozen=True, kw_only=True)
class LayerNormSpec(WeightedRowNorm):
    """(x - mean(x)) / sqrt(mean((x - mean(x))²) + eps) * (offset + weight) + bias, row by row
    (Ba et al. 2016).

    Tensors in `io_dtype`; the means are f32:

    - x, output `[rows, columns]`
    - weight `[columns]` and, with `has_bias`, bias `[columns]`

    Nemotron stores its weights as differences from 1: `offset` 1. `dynamic` may name rows.
    """

    op: ClassVar[str] = "layer_norm"

    eps: float = 1e-5
    has_bias: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("has_bias", self.has_bias)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        names = ("weight", "bias") if self.has_bias else ("weight",)
        return (self._of_rows("x"), *map(self._of_columns, names))


CATALOGUE = {
    "layer_norm_tiny": LayerNormSpec(rows=32, columns=128, io_dtype="f32"),
    "layer_norm_base": LayerNormSpec(rows=512, columns=4096),
}
