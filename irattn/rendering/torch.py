"""How the torch dialect says what its attention cannot say itself."""

from dataclasses import dataclass

from irattn.specs import AttentionSpec
from irattn.targets import Target


@dataclass(frozen=True)
class TorchAttention:
    """Masks aligned at the bottom right; torch aligns its own at the top left."""

    spec: AttentionSpec
    target: Target

    @property
    def causal_offset(self) -> int:
        return self.spec.kv_len - self.spec.q_len

    @property
    def first_row(self) -> int:
        """The first row that sees a key."""
        return max(0, -self.causal_offset) if self.spec.hides_keys else 0

    @property
    def rows(self) -> int:
        return self.spec.q_len - self.first_row

    @property
    def is_square_causal(self) -> bool:
        """Whether torch's own causal mask fits the rows that see a key."""
        return self.spec.hides_keys and self.rows == self.spec.kv_len

    @property
    def has_mask(self) -> bool:
        return self.spec.hides_keys and not self.is_square_causal
