"""The base of specs that look up a hidden state for every token."""

from dataclasses import dataclass

from irattn.core.tensors import TensorType
from irattn.specs.base import check_positive
from irattn.specs.dynamic import BatchOfTokens


@dataclass(frozen=True, kw_only=True)
class EmbeddedTokens(BatchOfTokens):
    """The output `[batch, q_len, hidden_size]` in `io_dtype`; `dynamic` may name the first two."""

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    hidden_size: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "hidden_size")
        self._check_dynamic()

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (*self.tokens, self.hidden_size), self.io_dtype),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.batch * self.q_len * self.hidden_size
