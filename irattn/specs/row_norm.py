"""Norms of rows, each normalised by itself: the common part of their specs."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.numbers import real
from irattn.core.tensors import TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class RowNorm(DynamicSizes):
    """A norm of each row of x `[rows, columns]`; `eps` keeps rows of zeros finite."""

    dynamic_names: ClassVar[tuple[str, ...]] = ("rows",)

    io_dtype: str = "f16"
    rows: int
    columns: int
    eps: float = 1e-6

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "rows", "columns")
        check_eps(self, "eps")
        self._check_dynamic()

    def _of_rows(self, name: str) -> TensorType:
        return TensorType(name, (self.size("rows"), self.columns), self.io_dtype)

    def _of_columns(self, name: str) -> TensorType:
        return TensorType(name, (self.columns,), self.io_dtype)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._of_rows("output"),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.rows * self.columns


@dataclass(frozen=True, kw_only=True)
class WeightedRowNorm(RowNorm):
    """A norm whose rows are multiplied with `offset` and a weight of each column."""

    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_offset(self, "offset")


def check_eps(spec: object, name: str) -> None:
    """Refuse an eps that is not a small positive number."""
    object.__setattr__(spec, name, real(name, getattr(spec, name), 1e-12, 1))


def check_offset(spec: object, name: str) -> None:
    """Refuse an offset of weights that is no number."""
    # 0.0 and -0.0 are equal, and different text.
    object.__setattr__(spec, name, real(name, getattr(spec, name), -1e3, 1e3) + 0.0)
