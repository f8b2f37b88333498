"""Coefficients of each token that hidden states beside one another are mixed with."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.tensors import Role, TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.linear import LinearSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.row_norm import check_eps, check_offset


@dataclass(frozen=True, kw_only=True)
class StreamCoefficientsSpec(DynamicSizes):
    """tanh(RMSNorm(hidden) · router_weightᵀ / hidden_size) · weightᵀ: what AltUp predicts and
    corrects hidden states with (Baykal et al. 2023, as Gemma 3n has it).

    Tensors in `io_dtype`; sums are f32, and what each step makes is rounded:

    - hidden `[rows, hidden_size]`
    - norm_weight `[hidden_size]`, of a RmsNormSpec with `eps` and `offset`
    - router_weight `[num_streams, hidden_size]`
    - weight `[num_coefficients, num_streams]`
    - coefficients `[rows, num_coefficients]`

    `dynamic` may name rows.
    """

    op: ClassVar[str] = "stream_coefficients"
    dynamic_names: ClassVar[tuple[str, ...]] = ("rows",)

    io_dtype: str = "f16"
    rows: int
    num_streams: int
    hidden_size: int
    num_coefficients: int
    eps: float = 1e-6
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "rows", "num_streams", "hidden_size", "num_coefficients")
        check_eps(self, "eps")
        check_offset(self, "offset")
        self._check_dynamic()

    @property
    def norm(self) -> RmsNormSpec:
        """The norm of what is routed by."""
        return RmsNormSpec(
            rows=self.rows,
            columns=self.hidden_size,
            eps=self.eps,
            offset=self.offset,
            io_dtype=self.io_dtype,
            dynamic=self.dynamic,
        )

    @property
    def router(self) -> LinearSpec:
        """The product of which there is a tanh."""
        return self._linear(self.hidden_size, self.num_streams)

    @property
    def product(self) -> LinearSpec:
        """The product of that."""
        return self._linear(self.num_streams, self.num_coefficients)

    def _linear(self, in_columns: int, out_columns: int) -> LinearSpec:
        tokens: dict[str, Any] = {"batch": self.rows, "q_len": 1, "io_dtype": self.io_dtype}
        dynamic = ("batch",) if self.dynamic else ()
        return LinearSpec(**tokens, dynamic=dynamic, in_columns=in_columns, out_columns=out_columns)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        hidden = (self.size("rows"), self.hidden_size)
        router = (self.num_streams, self.hidden_size)
        weight = (self.num_coefficients, self.num_streams)
        return (
            TensorType("hidden", hidden, self.io_dtype, role=Role.HIDDEN),
            TensorType("norm_weight", (self.hidden_size,), self.io_dtype),
            TensorType("router_weight", router, self.io_dtype, role=Role.WEIGHT),
            TensorType("weight", weight, self.io_dtype, role=Role.WEIGHT),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        shape = (self.size("rows"), self.num_coefficients)
        return (TensorType("coefficients", shape, self.io_dtype, by_row=False),)

    @property
    def flops(self) -> int:
        return self.router.flops + self.product.flops


CATALOGUE = {
    "stream_coefficients_tiny": StreamCoefficientsSpec(
        rows=5, num_streams=4, hidden_size=40, num_coefficients=16, io_dtype="f32"
    ),
}
