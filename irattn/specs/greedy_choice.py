"""Logits to the likeliest token."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType
from irattn.specs.token_choice import TokenChoice


@dataclass(frozen=True, kw_only=True)
class GreedyChoiceSpec(TokenChoice):
    """The token with the largest logit: `numpy.argmax(logits, axis=-1)`.

    Of equal logits, as 0 and -0 are, the first token is taken; where there is a NaN, the first one.
    Tensors:

    - logits `[batch, q_len, vocab_size]` in `io_dtype`, as LmHeadSpec gives them
    - token_ids int32 `[batch, q_len]`, as EmbeddingSpec takes them

    `dynamic` may name batch.
    """

    op: ClassVar[str] = "greedy_choice"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (self.logits,)


CATALOGUE = {
    "greedy_choice_tiny": GreedyChoiceSpec(batch=2, q_len=16, vocab_size=97, io_dtype="f32"),
    # Llama 3; the last token of each of four prompts.
    "greedy_choice_base": GreedyChoiceSpec(batch=4, q_len=1, vocab_size=128256, dynamic=("batch",)),
}
