"""Layer normalisation."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.rms_norm import check_norm


@dataclass(frozen=True, kw_only=True)
class LayerNormSpec(DynamicSizes):
    """(x - mean(x)) / sqrt(mean((x - mean(x))²) + eps) * (offset + weight) + bias, row by row
    (Ba et al. 2016).

    Tensors in `io_dtype`; the means are f32:

    - x, output `[rows, columns]`
    - weight `[columns]` and, with `has_bias`, bias `[columns]`

    Nemotron stores its weights as differences from 1: `offset` 1. `dynamic` may name rows.
    """

    op: ClassVar[str] = "layer_norm"
    dynamic_names: ClassVar[tuple[str, ...]] = ("rows",)

    io_dtype: str = "f16"
    rows: int
    columns: int
    eps: float = 1e-5
    offset: float = 0.0
    has_bias: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "rows", "columns")
        check_norm(self, "eps", "offset")
        check_flag("has_bias", self.has_bias)
        self._check_dynamic()

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        names = ("weight", "bias") if self.has_bias else ("weight",)
        return (
            TensorType("x", (self.size("rows"), self.columns), self.io_dtype),
            *(TensorType(name, (self.columns,), self.io_dtype) for name in names),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (self.size("rows"), self.columns), self.io_dtype),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.rows * self.columns


CATALOGUE = {
    "layer_norm_tiny": LayerNormSpec(rows=32, columns=128, io_dtype="f32"),
    "layer_norm_base": LayerNormSpec(rows=512, columns=4096),
}
