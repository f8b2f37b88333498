"""Merging of partial attention over disjoint keys."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import Role, TensorType
from irattn.specs.base import check_head_dim, check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.features import MAX_VALUE_DIM
from irattn.specs.sizes import BASE_HEADS, TINY_HEADS


@dataclass(frozen=True, kw_only=True)
class MergeStatesSpec(DynamicSizes):
    """Attention over two disjoint sets of keys, from attention over each (FlashInfer's
    `merge_state`, vLLM's `merge_attn_states`; Ye et al. 2025, section 2.2).

    - out_a, out_b `[batch, num_q_heads, q_len, head_dim]` in `io_dtype`; `head_dim` counts the
      columns of the output, those of the values
    - lse_a, lse_b f32 `[batch, num_q_heads, q_len]`: natural log-sum-exp, as `return_lse` gives
    - output like out_a, lse like lse_a

    lse = log(exp(lse_a) + exp(lse_b))
    output = out_a * exp(lse_a - lse) + out_b * exp(lse_b - lse)

    With `layout` `packed`, as packed attention gives them: out_a, out_b and output
    `[q_len, num_q_heads, head_dim]`, lse_a, lse_b and lse `[num_q_heads, q_len]`, of a batch of 1.
    `dynamic` may name q_len, which every call then chooses, up to the field's.

    Where one lse is -inf (no key seen) the other state passes unchanged, whatever stands in the
    output beside it; where both are, output is zeros and lse is -inf.
    """

    op: ClassVar[str] = "merge_states"
    dynamic_names: ClassVar[tuple[str, ...]] = ("q_len",)

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    q_len: int
    head_dim: int
    layout: str = "HND"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "q_len")
        check_head_dim(self, "head_dim", also=(MAX_VALUE_DIM,))
        self._check_dynamic()
        if self.layout not in ("HND", "packed"):
            raise SpecError(f"layout: expected HND or packed, got {shown(self.layout)}")
        if self.is_packed and self.batch != 1:
            raise SpecError(f"batch: expected 1 with layout packed, got {self.batch}")

    @property
    def is_packed(self) -> bool:
        """Whether queries of all sequences come one after the other, before heads."""
        return self.layout == "packed"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._output("out_a"), self._lse("lse_a"), self._output("out_b"), self._lse("lse_b")

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return self._output("output"), self._lse("lse")

    def _output(self, name: str) -> TensorType:
        queries = self.size("q_len")
        rows = (queries, self.num_q_heads) if self.is_packed else (*self._heads, queries)
        return TensorType(name, (*rows, self.head_dim), self.io_dtype)

    def _lse(self, name: str) -> TensorType:
        return TensorType(name, (*self._heads, self.size("q_len")), "f32", role=Role.LSE)

    @property
    def _heads(self) -> tuple[int, ...]:
        return (self.num_q_heads,) if self.is_packed else (self.batch, self.num_q_heads)

    @property
    def flops(self) -> int:
        """Elements of the output, with the two products and the sum of each."""
        return 3 * self.batch * self.num_q_heads * self.q_len * self.head_dim


CATALOGUE = {
    "merge_packed_states_tiny": MergeStatesSpec(
        num_q_heads=4, q_len=40, head_dim=64, layout="packed", dynamic=("q_len",)
    ),
    "merge_states_tiny": MergeStatesSpec(**TINY_HEADS, batch=2, q_len=32),
    "merge_states_base": MergeStatesSpec(**BASE_HEADS, batch=4, q_len=512),
}
