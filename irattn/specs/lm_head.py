"""Hidden states to the logits of the next token."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.numbers import real
from irattn.core.tensors import Role, TensorType, hidden, largest, weight
from irattn.core.weight_formats import check_columns
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import BatchOfTokens
from irattn.specs.logits import stored_cap


@dataclass(frozen=True, kw_only=True)
class LmHeadSpec(BatchOfTokens):
    """(hidden · weightᵀ + bias) * scale; with `logits_soft_cap` (Gemma 2) cap * tanh(logits / cap).

    Tensors in `io_dtype`; sums are f32:

    - hidden `[batch, q_len, hidden_size]`, normed
    - weight `[vocab_size, hidden_size]`, as that of EmbeddingSpec, which many models share
    - bias `[vocab_size]`, with `has_bias` (Phi 2)
    - logits `[batch, q_len, vocab_size]`

    `scale` is f32: Granite divides its logits, Cohere multiplies them. `weight_format` and
    `activation_format` are those of LinearSpec. `dynamic` may name batch and q_len.
    """

    op: ClassVar[str] = "lm_head"
    late: ClassVar[tuple[str, ...]] = ("has_bias",)

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    hidden_size: int
    vocab_size: int
    scale: float = 1.0
    logits_soft_cap: float | None = None
    weight_format: str | None = None
    activation_format: str | None = None
    has_bias: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "hidden_size", "vocab_size")
        check_flag("has_bias", self.has_bias)
        words = "a number from 1e-6 to 1e6"
        object.__setattr__(self, "scale", real("scale", self.scale, 1e-6, 1e6, expected=words))
        object.__setattr__(self, "logits_soft_cap", stored_cap(self.logits_soft_cap))
        self._check_dynamic()
        check_columns("hidden_size", self.hidden_size, self.weight_format)
        check_activation_format(self)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        sizes = (self.vocab_size, self.hidden_size)
        bias = TensorType("bias", (self.vocab_size,), self.io_dtype, role=Role.WEIGHT_BIAS)
        return (
            hidden((*self.tokens, self.hidden_size), self.io_dtype),
            *weight("weight", *sizes, self.io_dtype, self.weight_format),
            *([bias] if self.has_bias else []),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("logits", (*self.tokens, self.vocab_size), self.io_dtype),)

    @property
    def flops(self) -> int:
        return 2 * largest(self.rows) * self.hidden_size * self.vocab_size


CATALOGUE = {
    "lm_head_tiny": LmHeadSpec(
        batch=2, q_len=16, hidden_size=128, vocab_size=97, logits_soft_cap=2.0, io_dtype="f32"
    ),
    # Mistral 7B; the last token of a prompt is enough to go on.
    "lm_head_base": LmHeadSpec(q_len=1, hidden_size=4096, vocab_size=32000),
}
