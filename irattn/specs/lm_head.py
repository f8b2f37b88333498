"""Hidden states to the logits of the next token."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.specs.base import Spec, check_positive
from irattn.specs.features import stored_cap
from irattn.tensors import Role, TensorType, hidden


@dataclass(frozen=True, kw_only=True)
class LmHeadSpec(Spec):
    """hidden · weightᵀ, and with `logits_soft_cap` (Gemma 2) cap * tanh(logits / cap).

    Tensors in `io_dtype`; sums are f32:

    - hidden `[batch, q_len, hidden_size]`, normed
    - weight `[vocab_size, hidden_size]`, as that of EmbeddingSpec, which many models share
    - logits `[batch, q_len, vocab_size]`
    """

    op: ClassVar[str] = "lm_head"

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    hidden_size: int
    vocab_size: int
    logits_soft_cap: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "hidden_size", "vocab_size")
        object.__setattr__(self, "logits_soft_cap", stored_cap(self.logits_soft_cap))

    @property
    def rows(self) -> int:
        """Tokens of the batch."""
        return self.batch * self.q_len

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        weight = (self.vocab_size, self.hidden_size)
        return (
            hidden((self.batch, self.q_len, self.hidden_size), self.io_dtype),
            TensorType("weight", weight, self.io_dtype, role=Role.WEIGHT),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        shape = (self.batch, self.q_len, self.vocab_size)
        return (TensorType("logits", shape, self.io_dtype),)

    @property
    def flops(self) -> int:
        return 2 * self.rows * self.hidden_size * self.vocab_size


CATALOGUE = {
    "lm_head_tiny": LmHeadSpec(
        batch=2, q_len=16, hidden_size=128, vocab_size=97, logits_soft_cap=2.0, io_dtype="f32"
    ),
    # Mistral 7B; the last token of a prompt is enough to go on.
    "lm_head_base": LmHeadSpec(q_len=1, hidden_size=4096, vocab_size=32000),
}
