"""Root mean square normalisation."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.numbers import real
from irattn.core.tensors import TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class RmsNormSpec(DynamicSizes):
    """x / sqrt(mean(x²) + eps) * (offset + weight), row by row (Zhang and Sennrich 2019).

    Tensors in `io_dtype`; the mean is f32:

    - x, output `[rows, columns]`
    - weight `[columns]`

    Gemma stores its weights as differences from 1: `offset` 1. `dynamic` may name rows.
    """

    op: ClassVar[str] = "rms_norm"
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
            TensorType("weight", (self.columns,), self.io_dtype),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (self.size("rows"), self.columns), self.io_dtype),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.rows * self.columns


def check_norm(spec: Any, eps: str, offset: str) -> None:
    """Refuse an eps that is not a small positive number, and an offset that is no number."""
    object.__setattr__(spec, eps, real(eps, getattr(spec, eps), 1e-12, 1))
    # 0.0 and -0.0 are equal, and different text.
    object.__setattr__(spec, offset, real(offset, getattr(spec, offset), -1e3, 1e3) + 0.0)


CATALOGUE = {
    "rms_norm_tiny": RmsNormSpec(rows=32, columns=128, io_dtype="f32"),
    "rms_norm_base": RmsNormSpec(rows=512, columns=4096),
}
