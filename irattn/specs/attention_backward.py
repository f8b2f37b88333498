"""The gradient of attention over contiguous keys and values."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.tensors import Role, TensorType, key, query, value
from irattn.specs.attention import AttentionSpec
from irattn.specs.base import check_positive
from irattn.specs.gradients import GradientFeatures, gradients_of
from irattn.specs.sizes import BASE_HEADS, BASE_TOKENS, TINY_HEADS

# The features whose gradient is known here; any other must have its default.
_TAKEN = frozenset(
    {
        *("io_dtype", "batch", "value_dim", "softmax_scale", "causal", "alignment", "window"),
        *("logits_soft_cap", "alibi", "bias", "keep_mask", "sinks", "score_mod", "mask_mod"),
        "dropout_p",
    }
)


@dataclass(frozen=True, kw_only=True)
class AttentionBackwardSpec(GradientFeatures):
    """The gradients of what attention takes, from the gradient of its output.

    Dao 2023, "FlashAttention-2", algorithm 2. With the logits S that `attention` of the same fields
    has, its `output` and its `lse`, for each head:

        P = exp(S - lse);  delta = rowsum(output_gradient * output)
        dS = P * (output_gradient · valueᵀ - delta)
        query_gradient = scale dS · key;  key_gradient = scale dSᵀ · query
        value_gradient = Pᵀ · output_gradient

    and dS * (1 - tanh²) in its place for queries and keys behind a soft cap; of a `score_mod` dS
    times its derivative by the score, which is PyTorch's: comparisons are flat, and of two equal
    numbers `minimum` and `maximum` take half each. With `dropout_p`, the P of value_gradient and
    the product with valueᵀ are those of kept weights, over `1 - dropout_p`, and else 0. Keys and
    values sum over the query heads of their group. Tensors in `io_dtype` unless said otherwise:

    - query, query_gradient `[batch, num_q_heads, q_len, head_dim]`
    - key, key_gradient `[batch, num_kv_heads, kv_len, head_dim]`
    - value, value_gradient `[batch, num_kv_heads, kv_len, value_dim]`
    - output, output_gradient `[batch, num_q_heads, q_len, value_dim]`
    - lse f32 `[batch, num_q_heads, q_len]`
    - bias_gradient, with `bias`, shaped as bias: dS, summed along the axes that bias has not
    - sinks_gradient f32 `[num_q_heads]`, with `sinks`: the sum of -exp(sink - lse) * delta

    What no query sees has gradients of zero, and so has a query that sees nothing. Every sum has
    one fixed order: equal inputs give equal bits. `alibi_slopes`, `keep_mask` and the arrays that
    functions read have no gradient.
    On GPUs products take P and dS rounded to `io_dtype`.
    """

    op: ClassVar[str] = "attention_backward"

    q_len: int
    kv_len: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "q_len", "kv_len")
        self._check_features()
        self._check_has_gradient(_TAKEN)

    @property
    def counts_from_first_key(self) -> bool:
        is_square = self.alignment == "bottom_right" and self.q_len == self.kv_len
        return super().counts_from_first_key or is_square

    @property
    def num_queries(self) -> int:
        return self.q_len

    @property
    def num_keys(self) -> int:
        return self.kv_len

    @property
    def has_tokens_first(self) -> bool:
        return False

    @property
    def forward(self) -> AttentionSpec:
        """The attention that this is the gradient of, with its log-sum-exp."""
        fields = {name: getattr(self, name) for name in self.field_names()}
        return AttentionSpec(**{**fields, "return_lse": True})

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        stored, rows = self.io_dtype, (self.batch, self.num_q_heads, self.q_len)
        tokens = (self.batch, self.num_kv_heads, self.kv_len)
        return (
            query((*rows, self.head_dim), stored),
            key((*tokens, self.head_dim), stored),
            value((*tokens, self.v_dim), stored),
            TensorType("output", (*rows, self.v_dim), stored, role=Role.ATTENDED),
            TensorType("lse", rows, "f32", role=Role.LSE),
            TensorType("output_gradient", (*rows, self.v_dim), stored, role=Role.GRADIENT),
            *self.feature_inputs,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return gradients_of(self.inputs)

    @property
    def flops(self) -> int:
        """Operations of five products: scores and four of gradients."""
        scores = self.batch * self.num_q_heads * self.q_len * self.kv_len
        return 2 * scores * (3 * self.head_dim + 2 * self.v_dim)


def _tiny(**fields: Any) -> AttentionBackwardSpec:
    sizes = {**TINY_HEADS, "num_kv_heads": 1, "q_len": 37, "kv_len": 53, "causal": True}
    return AttentionBackwardSpec(**sizes | fields)


CATALOGUE = {
    "attention_backward_tiny": _tiny(),
    "attention_backward_bf16_tiny": _tiny(io_dtype="bf16", window=(20, None), sinks=True),
    "attention_backward_bias_tiny": _tiny(bias="hqk", logits_soft_cap=2.0, causal=False),
    "attention_backward_base": AttentionBackwardSpec(
        **BASE_HEADS | BASE_TOKENS, num_kv_heads=8, causal=True
    ),
    "attention_backward_bf16_base": AttentionBackwardSpec(
        **BASE_HEADS | BASE_TOKENS | {"io_dtype": "bf16"}, num_kv_heads=8, causal=True
    ),
}
