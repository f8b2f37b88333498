"""Root mean square normalisation with a gate."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.base import check_flag
from irattn.specs.row_norm import WeightedRowNorm


@dataclass(frozen=True, kw_only=True)
class GatedRmsNormSpec(WeightedRowNorm):
    """x / sqrt(mean(x²) + eps) * (offset + weight) * silu(gate), row by row.

    RmsNormSpec's norm, and then the gate, silu(z) = z / (1 + exp(-z)), as Qwen3-Next has it after
    its gated delta rule (`Qwen3NextRMSNormGated` of transformers): a row is a head of a token. With
    `sigmoid_gate` (Kimi Linear) it is multiplied with 1 / (1 + exp(-gate)) instead.
    Tensors in `io_dtype`; all between is f32:

    - x, gate, output `[rows, columns]`
    - weight `[columns]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "gated_rms_norm"
    late: ClassVar[tuple[str, ...]] = ("sigmoid_gate",)

    sigmoid_gate: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("sigmoid_gate", self.sigmoid_gate)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._of_rows("x"), self._of_rows("gate"), self._of_columns("weight")


CATALOGUE = {
    "gated_rms_norm_tiny": GatedRmsNormSpec(rows=32, columns=128, io_dtype="f32"),
    "gated_rms_norm_base": GatedRmsNormSpec(rows=16384, columns=128),
}
