"""Learned position embeddings, added to the hidden states."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import Role, TensorType, hidden, integers
from irattn.specs.base import check_positive
from irattn.specs.embedded import EmbeddedTokens


@dataclass(frozen=True, kw_only=True)
class PositionEmbeddingSpec(EmbeddedTokens):
    """`hidden + position_table[positions + offset]` (GPT-2, BERT; OPT with `offset` 2).

    Tensors:

    - hidden, output `[batch, q_len, hidden_size]` in `io_dtype`
    - position_table `[max_positions, hidden_size]` in `io_dtype`
    - positions int32 (int64 accepted) `[batch, q_len]`, from `-offset` to
      `max_positions - 1 - offset`: all rows of the table, and no others
    """

    op: ClassVar[str] = "position_embedding"

    max_positions: int
    offset: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "max_positions")
        if type(self.offset) is not int or not 0 <= self.offset < self.max_positions:
            raise SpecError(
                f"offset: expected a whole number from 0 to max_positions - 1 = "
                f"{self.max_positions - 1}, got {shown(self.offset)}"
            )

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        limits = (-self.offset, self.max_positions - 1 - self.offset)
        return (
            hidden((*self.tokens, self.hidden_size), self.io_dtype),
            TensorType("position_table", (self.max_positions, self.hidden_size), self.io_dtype),
            integers("positions", self.tokens, Role.POSITIONS, limits),
        )


CATALOGUE = {
    # As in OPT, which leaves two rows of the table to padding.
    "position_embedding_tiny": PositionEmbeddingSpec(
        batch=2, q_len=32, hidden_size=128, max_positions=66, offset=2, io_dtype="f32"
    ),
    "position_embedding_base": PositionEmbeddingSpec(
        q_len=512, hidden_size=4096, max_positions=2050, offset=2
    ),
}
