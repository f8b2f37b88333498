"""The base of attention over packed sequences: queries of all of them, one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from irattn.core.errors import ArgumentError
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, integers, query
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.features import AttentionFeatures

_MOST_BOUNDS = "bounds"


@dataclass(frozen=True, kw_only=True)
class PackedSequences(DynamicSizes, AttentionFeatures):
    """Queries `[q_tokens, num_q_heads, head_dim]` of `batch` sequences, without padding.

    The queries of sequence `s` are the tokens `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]`.
    """

    q_tokens: int

    def _check_packed(self) -> None:
        check_positive(self, "q_tokens")
        self._check_features()
        self._check_dynamic()

    @property
    def num_queries(self) -> AnySize:
        return self.size("q_tokens")

    @property
    def axis_sizes(self) -> dict[str, AnySize]:
        return {name: size for name, size in super().axis_sizes.items() if name != "b"}

    @property
    def queries(self) -> TensorType:
        """The queries of all sequences."""
        return query((self.num_queries, self.num_q_heads, self.head_dim), self.io_dtype)

    def bounds(self, name: str, role: Role, tokens: int) -> TensorType:
        """Where sequences begin and end among so many tokens: one number more than sequences."""
        most = self.batch + 1
        count = DynamicSize(most, _MOST_BOUNDS) if "batch" in self.dynamic else most
        return integers(name, (count,), role, (0, tokens))

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        tokens, heads = self.num_queries, self.num_q_heads
        output = self._output(tokens, heads)
        return (output, self._lse(heads, tokens)) if self.return_lse else (output,)

    def of_sizes(self, sizes: Mapping[str, int]) -> Self:
        known = dict(sizes)
        bounds = known.pop(_MOST_BOUNDS, None)
        if bounds is not None:
            batch = known.setdefault("batch", bounds - 1)
            if bounds != batch + 1 or batch < 1:
                raise ArgumentError(
                    f"cu_seqlens_q: expected {max(batch, 1) + 1} numbers, one more than sequences, "
                    f"got {bounds}"
                )
        return super().of_sizes(known)
