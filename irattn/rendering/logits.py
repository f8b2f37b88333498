"""What happens to the logits of a spec between the two products, for every formulation."""

import math
from dataclasses import dataclass

from irattn.core.tensors import Role, largest
from irattn.specs.features import AttentionFeatures

# Sums and differences of two such numbers are in range of i32; longer specs are not rendered.
MOST_TOKENS = 2**30

# What tells lengths and places in a call.
_TOLD = frozenset(
    (Role.QUERY_LENGTHS, Role.KEY_LENGTHS, Role.QUERY_BOUNDS, Role.KEY_BOUNDS, Role.OFFSETS)
)


@dataclass(frozen=True)
class LogitRules:
    """Which keys a query sees, and what logits count in."""

    spec: AttentionFeatures

    @property
    def is_static(self) -> bool:
        """Whether every length is known, and where queries stand."""
        return _TOLD.isdisjoint(tensor.role for tensor in self.spec.inputs)

    @property
    def _queries(self) -> int:
        return largest(self.spec.num_queries)

    @property
    def _keys(self) -> int:
        return largest(self.spec.num_keys)

    @property
    def first_position(self) -> int:
        """The position of query 0, where lengths are static."""
        bottom_right = self.spec.alignment == "bottom_right"
        return self._keys - self._queries if bottom_right else 0

    @property
    def last_ahead(self) -> int | None:
        """Tokens after its own position that a query sees; None where there is no limit."""
        if self.spec.causal:
            return 0
        right = self.spec.window_right
        return None if right is None else min(right, MOST_TOKENS)

    @property
    def most_behind(self) -> int | None:
        """Tokens before its own position that a query sees; None where there is no limit."""
        left = self.spec.window_left
        # The last query may stand so far beyond the largest offset.
        return None if left is None else min(left, MOST_TOKENS + self._queries - 1)

    @property
    def hides_ahead(self) -> bool:
        """Whether that limit hides any key: for static lengths it may hide none."""
        first, last_key = self.first_position, self._keys - 1
        limit = self.last_ahead
        return limit is not None and not (self.is_static and first + limit >= last_key)

    @property
    def hides_behind(self) -> bool:
        """Whether the other limit does."""
        last = self.first_position + self._queries - 1
        limit = self.most_behind
        return limit is not None and not (self.is_static and last <= limit)

    @property
    def counts_in_base_2(self) -> bool:
        """Whether logits carry the factor log2(e).

        A bias may be as low as the lowest number, which that factor would turn into -inf.
        """
        return self.spec.bias is None

    def in_base(self, value: float) -> float:
        """A factor or summand of logits in the base that they count in."""
        return value * math.log2(math.e) if self.counts_in_base_2 else value

    @property
    def natural_unit(self) -> float:
        """What turns logits into natural ones."""
        return math.log(2.0) if self.counts_in_base_2 else 1.0

    @property
    def scale(self) -> float:
        """The factor on scores, which a soft cap takes as parts of itself."""
        cap = self.spec.logits_soft_cap
        return self.in_base(self.spec.scale) if cap is None else self.spec.scale / cap


def addends_of(spec: AttentionFeatures) -> list[str]:
    """What is added to the logits, by name."""
    named = {"bias": spec.bias is not None, "alibi": spec.alibi}
    return [name for name, wanted in named.items() if wanted]
