"""What specs share that give a hidden state for every token by looking it up."""

from dataclasses import dataclass

from irattn.specs.base import Spec, check_positive
from irattn.tensors import TensorType


@dataclass(frozen=True, kw_only=True)
class EmbeddedTokens(Spec):
    """The output `[batch, q_len, hidden_size]` in `io_dtype`."""

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    hidden_size: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "hidden_size")

    @property
    def tokens(self) -> tuple[int, int]:
        """The shape of what there is one of for each token."""
        return (self.batch, self.q_len)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (*self.tokens, self.hidden_size), self.io_dtype),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.batch * self.q_len * self.hidden_size
