"""Root mean square normalisation with a gate."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.rms_norm import check_norm


@dataclass(frozen=True, kw_only=True)
class GatedRmsNormSpec(DynamicSizes):
    """x / sqrt(mean(x²) + eps) * (offset + weight) * silu(gate), row by row.

    RmsNormSpec's norm, and then the gate, silu(z) = z / (1 + exp(-z)), as Qwen3-Next has it after
    its gated delta rule (`Qwen3NextRMSNormGated` of transformers): a row is a head of a token.
    Tensors in `io_dtype`; all between is f32:

    - x, gate, output `[rows, columns]`
    - weight `[columns]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "gated_rms_norm"
    dynamic_names: ClassVar[tuple[str, ...]] = ("rows",)

    io_dtype: str = "f16"
    rows: int
    columns: int
    eps: float = 1e-6
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "rows", "columns")
        check_norm(self, "eps", "offset")
        self._check_dynamic()

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("x", (self.size("rows"), self.columns), self.io_dtype),
            TensorType("gate", (self.size("rows"), self.columns), self.io_dtype),
            TensorType("weight", (self.columns,), self.io_dtype),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (self.size("rows"), self.columns), self.io_dtype),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.rows * self.columns


CATALOGUE = {
    "gated_rms_norm_tiny": GatedRmsNormSpec(rows=32, columns=128, io_dtype="f32"),
    "gated_rms_norm_base": GatedRmsNormSpec(rows=16384, columns=128),
}
