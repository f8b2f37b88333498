"""Normalisation to length 1."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.row_norm import RowNorm


@dataclass(frozen=True, kw_only=True)
class L2NormSpec(RowNorm):
    """x / sqrt(sum(x²) + eps), row by row: queries and keys of delta rules.

    `l2norm` of flash-linear-attention and transformers. Tensors in `io_dtype`; the sum is f32:

    - x, output `[rows, columns]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "l2_norm"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (self._of_rows("x"),)


CATALOGUE = {
    "l2_norm_tiny": L2NormSpec(rows=32, columns=128, io_dtype="f32"),
    "l2_norm_base": L2NormSpec(rows=16384, columns=128),
}
