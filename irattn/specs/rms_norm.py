"""Root mean square normalisation."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.row_norm import WeightedRowNorm


@dataclass(frozen=True, kw_only=True)
class RmsNormSpec(WeightedRowNorm):
    """x / sqrt(mean(x²) + eps) * (offset + weight), row by row (Zhang and Sennrich 2019).

    Tensors in `io_dtype`; the mean is f32:

    - x, output `[rows, columns]`
    - weight `[columns]`

    Gemma stores its weights as differences from 1: `offset` 1. `dynamic` may name rows.
    """

    op: ClassVar[str] = "rms_norm"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._of_rows("x"), self._of_columns("weight")


CATALOGUE = {
    "rms_norm_tiny": RmsNormSpec(rows=32, columns=128, io_dtype="f32"),
    "rms_norm_base": RmsNormSpec(rows=512, columns=4096),
}
