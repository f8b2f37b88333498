"""Causal attention over a key and value cache kept in blocks."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.specs.base import (
    Spec,
    check_head_dim,
    check_heads,
    check_io_dtype,
    check_positive,
    check_scale,
    stored_scale,
)
from irattn.tensors import TensorType


@dataclass(frozen=True, kw_only=True)
class PagedAttentionSpec(Spec):
    """Attention whose keys and values lie in cache blocks (Kwon et al. 2023, PagedAttention).

    Tensors:

    - query `[batch, num_q_heads, q_len, head_dim]` in `io_dtype`
    - key_cache, value_cache `[num_blocks, num_kv_heads, block_size, head_dim]` in `io_dtype`
    - block_table int32 (int64 accepted) `[batch, max_blocks]`: token `j` of sequence `b` lies in
      block `block_table[b, j // block_size]`, slot `j % block_size`; entries past the context are
      ignored
    - context_lens int32 (int64 accepted) `[batch]`: valid KV tokens of each sequence, the current
      queries included
    - output `[batch, num_q_heads, q_len, head_dim]` in `io_dtype`

    Causal within each sequence: query `i` of sequence `b` sees token `j` where
    `j <= i + context_lens[b] - q_len`; a row that sees no token is all zeros. `q_len` 1 is decode,
    more is prefill. Slots past a context, and block 0, must hold finite numbers: allocate the
    cache with zeros.
    """

    op: ClassVar[str] = "paged_attention"

    batch: int = 1
    num_q_heads: int
    num_kv_heads: int
    q_len: int
    head_dim: int
    block_size: int = 16
    num_blocks: int
    max_blocks: int
    softmax_scale: float | None = None

    def __post_init__(self) -> None:
        check_positive(self, "batch", "num_q_heads", "num_kv_heads", "q_len")
        check_positive(self, "block_size", "num_blocks", "max_blocks")
        check_heads(self.num_q_heads, self.num_kv_heads)
        check_head_dim(self, "head_dim")
        check_scale(self.softmax_scale)
        check_io_dtype(self.io_dtype)
        object.__setattr__(self, "softmax_scale", stored_scale(self.softmax_scale, self.head_dim))

    @property
    def group_size(self) -> int:
        """Query heads per KV head."""
        return self.num_q_heads // self.num_kv_heads

    @property
    def scale(self) -> float:
        """The factor on the logits."""
        return self.head_dim**-0.5 if self.softmax_scale is None else self.softmax_scale

    @property
    def max_context(self) -> int:
        """Most tokens that one sequence can hold."""
        return self.max_blocks * self.block_size

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        t, d = self.io_dtype, self.head_dim
        cache = (self.num_blocks, self.num_kv_heads, self.block_size, d)
        return (
            TensorType("query", (self.batch, self.num_q_heads, self.q_len, d), t),
            TensorType("key_cache", cache, t),
            TensorType("value_cache", cache, t),
            TensorType("block_table", (self.batch, self.max_blocks), "i32", ("i64",)),
            TensorType("context_lens", (self.batch,), "i32", ("i64",)),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        shape = (self.batch, self.num_q_heads, self.q_len, self.head_dim)
        return (TensorType("output", shape, self.io_dtype),)

    @property
    def flops(self) -> int:
        scores = self.batch * self.num_q_heads * self.q_len * self.max_context
        return 2 * scores * (2 * self.head_dim)
