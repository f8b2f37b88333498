"""Each head through a weight of its own."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, largest
from irattn.specs.base import check_positive
from irattn.specs.dynamic import BatchOfTokens


@dataclass(frozen=True, kw_only=True)
class HeadProjectionSpec(BatchOfTokens):
    """heads · weightᵀ, head by head: what takes queries to latents, and latents to values, where
    attention is absorbed (DeepSeek-AI 2024, DeepSeek-V2, section 2.1.2).

    Tensors in `io_dtype`; sums are f32:

    - heads `[batch, num_heads, q_len, in_columns]`
    - weight `[num_heads, out_columns, in_columns]`
    - projected `[batch, num_heads, q_len, out_columns]`

    `dynamic` may name batch and q_len.
    """

    op: ClassVar[str] = "head_projection"

    io_dtype: str = "f16"
    batch: int = 1
    num_heads: int
    q_len: int
    in_columns: int
    out_columns: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_heads", "q_len", "in_columns", "out_columns")
        self._check_dynamic()

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        weight = (self.num_heads, self.out_columns, self.in_columns)
        return (
            TensorType("heads", self._heads(self.in_columns), self.io_dtype),
            TensorType("weight", weight, self.io_dtype, role=Role.WEIGHT),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("projected", self._heads(self.out_columns), self.io_dtype),)

    def _heads(self, columns: int) -> tuple[AnySize, ...]:
        return (self.size("batch"), self.num_heads, self.size("q_len"), columns)

    @property
    def flops(self) -> int:
        return 2 * largest(self.rows) * self.num_heads * self.in_columns * self.out_columns


CATALOGUE = {
    "head_projection_tiny": HeadProjectionSpec(
        batch=2, num_heads=4, q_len=16, in_columns=32, out_columns=24, io_dtype="f32"
    ),
}
