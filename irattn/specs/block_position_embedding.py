"""Learned position embeddings in two dimensions, added to the hidden states."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import Role, TensorType, hidden, integers
from irattn.specs.base import check_positive
from irattn.specs.embedded import EmbeddedTokens


@dataclass(frozen=True, kw_only=True)
class BlockPositionEmbeddingSpec(EmbeddedTokens):
    """`hidden + position_table[positions] + block_position_table[block_positions]` (Du et al. 2022,
    GLM, section 2.1: where a span was taken from, and where a token stands inside it).

    Tensors:

    - hidden, output `[batch, q_len, hidden_size]` in `io_dtype`
    - position_table `[max_positions, hidden_size]` and block_position_table
      `[max_block_positions, hidden_size]` in `io_dtype`
    - positions, block_positions int32 (int64 accepted) `[batch, q_len]`: rows of the tables
    """

    op: ClassVar[str] = "block_position_embedding"

    max_positions: int
    max_block_positions: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "max_positions", "max_block_positions")

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        n, t = self.hidden_size, self.io_dtype
        last, last_block = self.max_positions - 1, self.max_block_positions - 1
        return (
            hidden((*self.tokens, n), t),
            TensorType("position_table", (self.max_positions, n), t),
            TensorType("block_position_table", (self.max_block_positions, n), t),
            integers("positions", self.tokens, Role.POSITIONS, (0, last)),
            integers("block_positions", self.tokens, Role.POSITIONS, (0, last_block)),
        )


CATALOGUE = {
    "block_position_embedding_tiny": BlockPositionEmbeddingSpec(
        batch=2, q_len=32, hidden_size=128, max_positions=65, max_block_positions=65, io_dtype="f32"
    ),
    "block_position_embedding_base": BlockPositionEmbeddingSpec(
        q_len=512, hidden_size=4096, max_positions=1025, max_block_positions=1025
    ),
}
