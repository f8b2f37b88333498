"""Logits to the likeliest token."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, integers
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes


@dataclass(frozen=True, kw_only=True)
class GreedyChoiceSpec(DynamicSizes):
    """The token with the largest logit: `numpy.argmax(logits, axis=-1)`.

    Of equal logits, as 0 and -0 are, the first token is taken; where there is a NaN, the first one.
    Tensors:

    - logits `[batch, q_len, vocab_size]` in `io_dtype`, as LmHeadSpec gives them
    - token_ids int32 `[batch, q_len]`, as EmbeddingSpec takes them

    `dynamic` may name batch.
    """

    op: ClassVar[str] = "greedy_choice"
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
    def inputs(self) -> tuple[TensorType, ...]:
        shape = (*self._tokens, self.vocab_size)
        return (TensorType("logits", shape, self.io_dtype, role=Role.LOGITS),)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (integers("token_ids", self._tokens, Role.TOKEN_IDS, (0, self.vocab_size - 1)),)

    @property
    def _tokens(self) -> tuple[AnySize, ...]:
        return (self.size("batch"), self.q_len)

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.batch * self.q_len * self.vocab_size


CATALOGUE = {
    "greedy_choice_tiny": GreedyChoiceSpec(batch=2, q_len=16, vocab_size=97, io_dtype="f32"),
    # Llama 3; the last token of each of four prompts.
    "greedy_choice_base": GreedyChoiceSpec(batch=4, q_len=1, vocab_size=128256, dynamic=("batch",)),
}
