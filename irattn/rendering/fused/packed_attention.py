"""The fused graph of packed sequences."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize
from irattn.rendering.fused.plan import Fused
from irattn.specs.packed_attention import PackedAttentionSpec


@dataclass(frozen=True)
class FusedPackedAttention(Fused):
    """Rows of queries and of keys are numbered by token and head."""

    spec: PackedAttentionSpec

    @property
    def has_token_rows(self) -> bool:
        return True

    @property
    def cuts_rows(self) -> bool:
        return True

    @property
    def sequence(self) -> str:
        return "%real_sequence"

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        return {
            "sequences": 1,
            "heads": self.heads,
            "q_tokens": self.spec.q_tokens,
            "tiles": self.spec.q_tokens // self.tile.rows + self.spec.batch + 1,
        }

    @property
    def halvings(self) -> int:
        """Steps of the search for a tile's sequence, padding counted."""
        return self.spec.batch.bit_length()

    @property
    def widest_half(self) -> int:
        """Sequences that the first of them leaves behind."""
        return 1 << (self.halvings - 1)
