"""The fused graph of packed sequences."""

from dataclasses import dataclass

from irattn.rendering.fused.arguments import Flat
from irattn.rendering.fused.plan import Fused
from irattn.rendering.fused.values import Columns
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.tensors import AnySize, TensorType


@dataclass(frozen=True)
class FusedPackedAttention(Fused):
    """Rows of queries and of keys are numbered by token and head."""

    spec: PackedAttentionSpec

    @property
    def has_head_rows(self) -> bool:
        return False

    @property
    def cuts_rows(self) -> bool:
        return True

    @property
    def query_stride(self) -> int:
        return self.spec.num_q_heads

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

    def place_of(self, columns: Columns | None) -> tuple[str, ...]:
        return ("%result_row", "%result_column") if columns else ("%lse_place",)

    def _flat_result(self, tensor: TensorType, columns: int | None) -> Flat:
        """All heads of a token are one row of the output."""
        if columns is None:
            return Flat(tensor)
        return Flat(tensor, columns * self.spec.num_q_heads, leading=1)
