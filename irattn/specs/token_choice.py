"""The base of what takes a token of each row of logits."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, integers
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class TokenChoice(DynamicSizes):
    """Logits `[batch, q_len, vocab_size]` in `io_dtype` to token_ids int32 `[batch, q_len]`."""

    dynamic_names: ClassVar[tuple[str, ...]] = ("batch",)

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    vocab_size: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "vocab_size")
        self._check_dynamic()

    @property
    def rows(self) -> tuple[AnySize, ...]:
        """The axes of what each row has once."""
        return (self.size("batch"), self.q_len)

    @property
    def logits(self) -> TensorType:
        """The logits of each row."""
        return TensorType("logits", (*self.rows, self.vocab_size), self.io_dtype, role=Role.LOGITS)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (integers("token_ids", self.rows, Role.TOKEN_IDS, (0, self.vocab_size - 1)),)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.batch * self.q_len * self.vocab_size
