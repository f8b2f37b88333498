"""The gradient of attention over packed sequences."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, key, value
from irattn.specs.base import check_positive
from irattn.specs.gradients import GradientFeatures, gradients_of
from irattn.specs.packed import PackedSequences
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.sizes import BASE_HEADS

# The features whose gradient is known here; any other must have its default.
_TAKEN = frozenset(
    {
        *("io_dtype", "batch", "value_dim", "softmax_scale", "causal", "alignment", "window"),
        *("logits_soft_cap", "alibi", "keep_mask", "sinks", "score_mod", "mask_mod"),
        *("dropout_p", "dynamic"),
    }
)


@dataclass(frozen=True, kw_only=True)
class PackedAttentionBackwardSpec(GradientFeatures, PackedSequences):
    """The gradients of what packed attention takes, from the gradient of its output.

    Formulas are those of AttentionBackwardSpec, within each of `batch` sequences, which
    `cu_seqlens_q` and `cu_seqlens_k` tell as PackedAttentionSpec's do. Tensors in `io_dtype` unless
    said otherwise:

    - query, query_gradient `[q_tokens, num_q_heads, head_dim]`
    - key, key_gradient `[kv_tokens, num_kv_heads, head_dim]`
    - value, value_gradient `[kv_tokens, num_kv_heads, value_dim]`
    - output, output_gradient `[q_tokens, num_q_heads, value_dim]`
    - lse f32 `[num_q_heads, q_tokens]`
    - cu_seqlens_q, cu_seqlens_k int32 (int64 accepted) `[batch + 1]`
    - sinks_gradient f32 `[num_q_heads]`, with `sinks`

    Tokens past the last sequence are padding, whose gradients are zeros. `dynamic` lists which of
    q_tokens and kv_tokens every call chooses for itself: the fields say how large they may be. A
    call of fewer sequences has some without tokens. Every sum has one fixed order, a sequence's
    own: its gradients are the same bits in any company, but for the sinks', which all sequences
    have in common.
    """

    op: ClassVar[str] = "packed_attention_backward"
    dynamic_names: ClassVar[tuple[str, ...]] = ("q_tokens", "kv_tokens")

    kv_tokens: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "kv_tokens")
        self._check_packed()
        self._check_has_gradient(_TAKEN)

    @property
    def num_keys(self) -> AnySize:
        return self.size("kv_tokens")

    @property
    def has_tokens_first(self) -> bool:
        return True

    @property
    def forward(self) -> PackedAttentionSpec:
        """The attention that this is the gradient of, with its log-sum-exp."""
        fields = {name: getattr(self, name) for name in self.field_names()}
        return PackedAttentionSpec(**{**fields, "return_lse": True})

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        stored, rows, tokens = self.io_dtype, (self.num_queries, self.num_q_heads), self.num_keys
        return (
            self.queries,
            key((tokens, self.num_kv_heads, self.head_dim), stored),
            value((tokens, self.num_kv_heads, self.v_dim), stored),
            TensorType("output", (*rows, self.v_dim), stored, role=Role.ATTENDED),
            TensorType("lse", rows[::-1], "f32", role=Role.LSE),
            TensorType("output_gradient", (*rows, self.v_dim), stored, role=Role.GRADIENT),
            self.bounds("cu_seqlens_q", Role.QUERY_BOUNDS, self.q_tokens),
            self.bounds("cu_seqlens_k", Role.KEY_BOUNDS, self.kv_tokens),
            *self.feature_inputs,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return gradients_of(self.inputs)

    @property
    def flops(self) -> int:
        """Operations of five products: scores and four of gradients, of sequences of one length."""
        scores = self.num_q_heads * self.q_tokens * self.kv_tokens // self.batch
        return 2 * scores * (3 * self.head_dim + 2 * self.v_dim)


CATALOGUE = {
    "packed_backward_tiny": PackedAttentionBackwardSpec(
        batch=3,
        num_q_heads=2,
        num_kv_heads=1,
        head_dim=64,
        io_dtype="f16",
        q_tokens=40,
        kv_tokens=50,
        causal=True,
        sinks=True,
    ),
    "packed_backward_base": PackedAttentionBackwardSpec(
        **BASE_HEADS, batch=8, num_kv_heads=8, q_tokens=1024, kv_tokens=1024, causal=True
    ),
}
