"""The stages of attention as graphs of their own, for engines that call them one by one.

Between stages, scores and weights are f32 `[batch, num_q_heads, q_len, kv_len]`: in a narrower
type, every stage would round what the fused kernel keeps in f32. In order, those in brackets only
where a field of attention asks for them:

1. `attention_scores`: query · keyᵀ
2. `scale_scores`: scores * softmax_scale
3. [`soft_cap_scores`]: cap * tanh(scores / cap)
4. [`bias_scores`]: scores + bias
5. [`alibi_scores`]: scores - slope * distance
6. [`causal_mask`], [`window_mask`], [`mask_scores`]: -inf where a key is hidden
7. `softmax`, or `softmax_with_sinks`: over the keys of each query
8. `weighted_values`: weights · value

Together they are Vaswani et al. 2017, equation 1, with what AttentionFeatures adds, in its order.
Query head `h` reads KV head `h // group_size`; K and V are not copied. `replicate_kv` is for
engines whose own products know no groups.

ONNX's Attention asks for the scores between stages by `qk_matmul_output_mode` (opset 23 and 24, in
the order that onnx 1.22 gave them; in its own type, these are f32):

- 0 is the output of `scale_scores`
- 1 that of `soft_cap_scores`
- 2 that of the last stage before the softmax: bias and masks are one `attn_mask` there
- 3 that of the softmax

A stage that is left out changes nothing: the output of the one before it is what is asked for. Up
to onnx 1.21 the mask came before the cap, as mode 1, and the cap after it, as mode 2: a hidden key
then has the score `-cap`, and no row of stages says that.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import Role, TensorType, key, query, value
from irattn.specs.base import (
    Spec,
    check_head_dim,
    check_heads,
    check_positive,
    check_scale,
)
from irattn.specs.logits import ALIGNMENTS, AXES
from irattn.specs.sizes import BASE_HEADS, BASE_TOKENS, TINY_HEADS, TINY_TOKENS


@dataclass(frozen=True, kw_only=True)
class ScoresShape(Spec):
    """The base of stages on scores: the sizes of the scores."""

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    q_len: int
    kv_len: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "q_len", "kv_len")

    def _weights(self, name: str) -> TensorType:
        """A tensor of weights: all of a row's add up to 1."""
        return TensorType(name, self._pairs, "f32", role=Role.SOFTMAX_WEIGHTS)

    def _scores(self, name: str, role: Role = Role.ACTIVATION) -> TensorType:
        """A tensor of scores: with few keys, or equal ones, all of a row's may be nearly 0."""
        return TensorType(name, self._pairs, "f32", by_row=False, role=role)

    @property
    def _pairs(self) -> tuple[int, ...]:
        return (self.batch, self.num_q_heads, self.q_len, self.kv_len)

    @property
    def axis_sizes(self) -> dict[str, int]:
        """The axes of scores, by the letters of AttentionFeatures."""
        return dict(zip(AXES, self._pairs, strict=True))

    @property
    def elements(self) -> int:
        """The number of scores."""
        return self.batch * self.num_q_heads * self.q_len * self.kv_len


@dataclass(frozen=True, kw_only=True)
class ScoresToScores(ScoresShape):
    """A stage that reads scores and writes scores, all in f32.

    `io_dtype` can only be f32: none of its tensors is in another type.
    """

    io_dtype: str = "f32"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.io_dtype != "f32":
            raise SpecError(
                f"io_dtype: expected f32, the type of scores between stages, got "
                f"{shown(self.io_dtype)}"
            )

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (self._scores("scores"),)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._scores("output"),)

    @property
    def flops(self) -> int:
        return self.elements


@dataclass(frozen=True, kw_only=True)
class _Product(ScoresShape):
    """A stage that multiplies with keys or values, one KV head per group of query heads."""

    num_kv_heads: int
    head_dim: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "num_kv_heads")
        check_heads(self.num_q_heads, self.num_kv_heads)
        check_head_dim(self, "head_dim")

    @property
    def _queries(self) -> tuple[int, ...]:
        return (self.batch, self.num_q_heads, self.q_len, self.head_dim)

    @property
    def _tokens(self) -> tuple[int, ...]:
        return (self.batch, self.num_kv_heads, self.kv_len, self.head_dim)

    @property
    def group_size(self) -> int:
        """Query heads per KV head."""
        return self.num_q_heads // self.num_kv_heads

    @property
    def flops(self) -> int:
        return 2 * self.elements * self.head_dim


@dataclass(frozen=True, kw_only=True)
class AttentionScoresSpec(_Product):
    """query · keyᵀ, neither scaled nor masked.

    - query `[batch, num_q_heads, q_len, head_dim]` in `io_dtype`
    - key `[batch, num_kv_heads, kv_len, head_dim]` in `io_dtype`
    - output f32 `[batch, num_q_heads, q_len, kv_len]`
    """

    op: ClassVar[str] = "attention_scores"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return query(self._queries, self.io_dtype), key(self._tokens, self.io_dtype)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._scores("output"),)


@dataclass(frozen=True, kw_only=True)
class ScaleScoresSpec(ScoresToScores):
    """scores * softmax_scale.

    scores and output are f32 `[batch, num_q_heads, q_len, kv_len]`. `softmax_scale` has no default
    here: scores do not tell the head_dim that they were made with.
    """

    op: ClassVar[str] = "scale_scores"

    softmax_scale: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.softmax_scale is None:
            raise SpecError("softmax_scale: expected a number, got None")
        check_scale(self.softmax_scale)
        # Equal scales are equal text.
        object.__setattr__(self, "softmax_scale", float(self.softmax_scale))


@dataclass(frozen=True, kw_only=True)
class PositionedScores(ScoresToScores):
    """A stage that asks where a query stands among the keys.

    The position of query `i` is `i + kv_len - q_len` (`alignment` `bottom_right`) or `i`
    (`top_left`).
    """

    alignment: str = "bottom_right"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alignment not in ALIGNMENTS:
            raise SpecError(
                f"alignment: expected {' or '.join(ALIGNMENTS)}, got {shown(self.alignment)}"
            )

    @property
    def first_position(self) -> int:
        """The position of query 0."""
        return self.kv_len - self.q_len if self.alignment == "bottom_right" else 0


@dataclass(frozen=True, kw_only=True)
class CausalMaskSpec(PositionedScores):
    """scores, with -inf where key `j` lies after the position of query `i`.

    scores and output are f32 `[batch, num_q_heads, q_len, kv_len]`.
    """

    op: ClassVar[str] = "causal_mask"


@dataclass(frozen=True, kw_only=True)
class SoftmaxSpec(ScoresToScores):
    """exp(scores - max) / Σ exp(scores - max) over the keys of each query.

    scores and output (the weights) are f32 `[batch, num_q_heads, q_len, kv_len]`. A row that is
    -inf throughout, a query that sees no key, gives zeros.
    """

    op: ClassVar[str] = "softmax"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (self._scores("scores", Role.MASKED_SCORES),)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._weights("output"),)


@dataclass(frozen=True, kw_only=True)
class WeightedValuesSpec(_Product):
    """weights · value.

    - weights f32 `[batch, num_q_heads, q_len, kv_len]`
    - value `[batch, num_kv_heads, kv_len, head_dim]` in `io_dtype`
    - output `[batch, num_q_heads, q_len, head_dim]` in `io_dtype`

    Weights are rounded to `io_dtype` before the product, as in the fused kernel: matrix
    instructions take both factors in one type. Sums are f32.
    """

    op: ClassVar[str] = "weighted_values"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._weights("weights"), value(self._tokens, self.io_dtype)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", self._queries, self.io_dtype),)


@dataclass(frozen=True, kw_only=True)
class ReplicateKvSpec(Spec):
    """Keys or values once per query head, for products that know no groups.

    - kv `[batch, num_kv_heads, kv_len, head_dim]` in `io_dtype`
    - output `[batch, num_q_heads, kv_len, head_dim]` in `io_dtype`

    Output head `h` is KV head `h // group_size` (torch `repeat_interleave` along the heads). All
    other ops of irattn read shared KV heads where they lie and need no copies.
    """

    op: ClassVar[str] = "replicate_kv"

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    num_kv_heads: int
    kv_len: int
    head_dim: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "num_kv_heads", "kv_len")
        check_heads(self.num_q_heads, self.num_kv_heads)
        check_head_dim(self, "head_dim")

    @property
    def group_size(self) -> int:
        """Query heads per KV head."""
        return self.num_q_heads // self.num_kv_heads

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (self._heads("kv", self.num_kv_heads),)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._heads("output", self.num_q_heads),)

    def _heads(self, name: str, heads: int) -> TensorType:
        return TensorType(name, (self.batch, heads, self.kv_len, self.head_dim), self.io_dtype)

    @property
    def flops(self) -> int:
        """Elements written; there is nothing to compute."""
        return self.batch * self.num_q_heads * self.kv_len * self.head_dim


TINY_SCORES: dict[str, Any] = {"num_q_heads": 4, **TINY_TOKENS}
BASE_SCORES: dict[str, Any] = {"num_q_heads": 32, **BASE_TOKENS}

CATALOGUE = {
    # The stages of attention, one by one; scores are f32 whatever the size.
    "attention_scores_tiny": AttentionScoresSpec(**TINY_HEADS | TINY_SCORES, num_kv_heads=2),
    "attention_scores_base": AttentionScoresSpec(**BASE_HEADS | BASE_SCORES, num_kv_heads=8),
    "scale_scores_tiny": ScaleScoresSpec(**TINY_SCORES, softmax_scale=32**-0.5),
    "scale_scores_base": ScaleScoresSpec(**BASE_SCORES, softmax_scale=128**-0.5),
    "causal_mask_tiny": CausalMaskSpec(**TINY_SCORES),
    "causal_mask_base": CausalMaskSpec(**BASE_SCORES),
    "softmax_tiny": SoftmaxSpec(**TINY_SCORES),
    "softmax_base": SoftmaxSpec(**BASE_SCORES),
    "weighted_values_tiny": WeightedValuesSpec(**TINY_HEADS | TINY_SCORES, num_kv_heads=2),
    "weighted_values_base": WeightedValuesSpec(**BASE_HEADS | BASE_SCORES, num_kv_heads=8),
    "replicate_kv_tiny": ReplicateKvSpec(**TINY_HEADS, num_kv_heads=2, kv_len=32),
    "replicate_kv_base": ReplicateKvSpec(**BASE_HEADS, num_kv_heads=8, kv_len=512),
}
