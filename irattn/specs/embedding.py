"""Token ids to hidden states."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.numbers import real
from irattn.core.tensors import Role, TensorType, integers, weight
from irattn.core.weight_formats import check_columns
from irattn.specs.base import check_positive
from irattn.specs.embedded import EmbeddedTokens


@dataclass(frozen=True, kw_only=True)
class EmbeddingSpec(EmbeddedTokens):
    """`weight[token_ids] * scale`, with weights laid out as torch's Embedding has them.

    Tensors:

    - token_ids int32 (int64 accepted) `[batch, q_len]`, 0 to `vocab_size - 1`
    - weight `[vocab_size, hidden_size]` and output `[batch, q_len, hidden_size]` in `io_dtype`

    With a `weight_format` of LinearSpec, weight is u8 `[vocab_size, bytes of a row]`, as in a GGUF
    file, or has its scales beside it: rows are widened as they are read. `scale` is f32. Gemma has
    `hidden_size ** 0.5`, rounded to the type of its weights.
    """

    op: ClassVar[str] = "embedding"

    vocab_size: int
    scale: float = 1.0
    weight_format: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "vocab_size")
        words = "a number from 1e-6 to 1e6"
        object.__setattr__(self, "scale", real("scale", self.scale, 1e-6, 1e6, expected=words))
        check_columns("hidden_size", self.hidden_size, self.weight_format)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        last, sizes = self.vocab_size - 1, (self.vocab_size, self.hidden_size)
        table: tuple[TensorType, ...] = (TensorType("weight", sizes, self.io_dtype),)
        if self.weight_format:
            table = weight("weight", *sizes, self.io_dtype, self.weight_format)
        return integers("token_ids", self.tokens, Role.TOKEN_IDS, (0, last)), *table


CATALOGUE = {
    "embedding_tiny": EmbeddingSpec(
        batch=2, q_len=32, vocab_size=97, hidden_size=128, io_dtype="f32"
    ),
    "embedding_base": EmbeddingSpec(q_len=512, vocab_size=32000, hidden_size=4096),
}
