"""Attention over sequences of different lengths that lie one after the other."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, key, value
from irattn.specs.base import check_positive
from irattn.specs.packed import PackedSequences
from irattn.specs.sizes import BASE_HEADS, BENCH_GQA, TINY_HEADS


@dataclass(frozen=True, kw_only=True)
class PackedAttentionSpec(PackedSequences):
    """Attention within each of `batch` sequences, packed without padding (FlashAttention's varlen).

    Tensors:

    - query `[q_tokens, num_q_heads, head_dim]`, key `[kv_tokens, num_kv_heads, head_dim]` and value
      `[kv_tokens, num_kv_heads, value_dim]` in `io_dtype`
    - cu_seqlens_q, cu_seqlens_k int32 (int64 accepted) `[batch + 1]`: the queries of sequence `s`
      are the tokens `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]`, its keys likewise; both begin
      with 0 and never fall. Tokens past the last one are padding, whose output is zeros
    - output `[q_tokens, num_q_heads, value_dim]` in `io_dtype`

    Positions, and so `causal` and `window`, count within each sequence. `bias` and `keep_mask` have
    the axes `hqk` of the packed tokens, `[num_q_heads, q_tokens, kv_tokens]`; `lse` is
    `[num_q_heads, q_tokens]`. What the other fields do to the logits, AttentionFeatures tells.
    `dynamic` lists the sizes that every call chooses for itself, some of batch, q_tokens and
    kv_tokens; the fields say how large they may be.
    """

    op: ClassVar[str] = "packed_attention"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_tokens", "kv_tokens")
    takes_functions: ClassVar[bool] = True
    takes_dropout: ClassVar[bool] = True

    kv_tokens: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "kv_tokens")
        self._check_packed()

    @property
    def num_keys(self) -> AnySize:
        return self.size("kv_tokens")

    @property
    def has_tokens_first(self) -> bool:
        return True

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        kv, t = self.num_keys, self.io_dtype
        return (
            self.queries,
            key((kv, self.num_kv_heads, self.head_dim), t),
            value((kv, self.num_kv_heads, self.v_dim), t),
            self.bounds("cu_seqlens_q", Role.QUERY_BOUNDS, self.q_tokens),
            self.bounds("cu_seqlens_k", Role.KEY_BOUNDS, self.kv_tokens),
            *self.feature_inputs,
        )

    @property
    def flops(self) -> int:
        return super().flops // self.batch

    @property
    def least_flops(self) -> int:
        """For sequences of equal lengths, none of which sees another."""
        q_len, kv_len = -(-self.q_tokens // self.batch), -(-self.kv_tokens // self.batch)
        pairs = self.batch * q_len * kv_len
        return self.flops * self._visible_pairs(q_len, kv_len) // pairs


_TINY = PackedAttentionSpec(
    **TINY_HEADS, batch=3, num_kv_heads=2, q_tokens=40, kv_tokens=40, causal=True
)
_BASE = PackedAttentionSpec(
    **BASE_HEADS, batch=8, num_kv_heads=8, q_tokens=1024, kv_tokens=1024, causal=True
)
_BENCH = PackedAttentionSpec(
    **BENCH_GQA, io_dtype="f32", batch=8, q_tokens=2048, kv_tokens=2048, causal=True
)

CATALOGUE = {
    "packed_causal_tiny": _TINY,
    "packed_causal_base": _BASE,
    "packed_8_of_2048_f32_bench": _BENCH,
}
