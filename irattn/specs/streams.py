"""Several hidden states of each token beside one another: what their ops have in common."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.numbers import whole
from irattn.core.tensors import AnySize, Role, TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class Streams(DynamicSizes):
    """The base of ops over `num_streams` hidden states of each of `rows` tokens.

    The first stands as it is, and there is a product for each other.
    """

    dynamic_names: ClassVar[tuple[str, ...]] = ("rows",)
    # No product is taken to be smaller than the root of this when it is scaled.
    least_square: ClassVar[float] = 1e-5

    io_dtype: str = "f16"
    rows: int
    num_streams: int
    hidden_size: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "rows", "hidden_size")
        # Of one alone there is no other.
        whole("num_streams", self.num_streams, least=2)
        self._check_dynamic()

    @property
    def others(self) -> int:
        """The streams but the first."""
        return self.num_streams - 1

    @property
    def hidden(self) -> TensorType:
        """One hidden state of each token."""
        shape: tuple[AnySize, ...] = (self.size("rows"), self.hidden_size)
        return TensorType("hidden", shape, self.io_dtype, role=Role.HIDDEN)

    @property
    def streams(self) -> TensorType:
        """All hidden states of each token."""
        shape = (self.size("rows"), self.num_streams, self.hidden_size)
        return TensorType("streams", shape, self.io_dtype, role=Role.HIDDEN)

    @property
    def weight(self) -> TensorType:
        """The weights of all products."""
        shape = (self.others, self.hidden_size, self.hidden_size)
        return TensorType("weight", shape, self.io_dtype, role=Role.WEIGHT)

    @property
    def tokens(self) -> dict[str, Any]:
        """The tokens as products take them, each a sequence of its own."""
        dynamic = ("batch",) if self.dynamic else ()
        return {"batch": self.rows, "q_len": 1, "io_dtype": self.io_dtype, "dynamic": dynamic}

    @property
    def flops(self) -> int:
        return 2 * self.rows * self.others * self.hidden_size**2
