"""Normalisation to length 1."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.numbers import real
from irattn.core.tensors import TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class L2NormSpec(DynamicSizes):
    """x / sqrt(sum(x²) + eps), row by row: queries and keys of delta rules.

    `l2norm` of flash-linear-attention and transformers. Tensors in `io_dtype`; the sum is f32:

    - x, output `[rows, columns]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "l2_norm"
    dynamic_names: ClassVar[tuple[str, ...]] = ("rows",)

    io_dtype: str = "f16"
    rows: int
    columns: int
    eps: float = 1e-6

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "rows", "columns")
        object.__setattr__(self, "eps", real("eps", self.eps, 1e-12, 1))
        self._check_dynamic()

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (TensorType("x", (self.size("rows"), self.columns), self.io_dtype),)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (self.size("rows"), self.columns), self.io_dtype),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.rows * self.columns


CATALOGUE = {
    "l2_norm_tiny": L2NormSpec(rows=32, columns=128, io_dtype="f32"),
    "l2_norm_base": L2NormSpec(rows=16384, columns=128),
}
