"""The stages that the features of attention add to those of plain attention.

Each does to scores what one field of AttentionFeatures does inside a whole kernel; `specs.stages`
says where in the row each has its place. All scores are f32 `[batch, num_q_heads, q_len, kv_len]`.
"""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import Role, TensorType
from irattn.specs.logits import (
    AXES,
    bias_tensor,
    check_axes,
    keep_mask_tensor,
    stored_cap,
    stored_window,
)
from irattn.specs.stages import (
    BASE_SCORES,
    TINY_SCORES,
    PositionedScores,
    ScoresShape,
    ScoresToScores,
)


@dataclass(frozen=True, kw_only=True)
class SoftCapScoresSpec(ScoresToScores):
    """logits_soft_cap * tanh(scores / logits_soft_cap) (Gemma 2).

    scores and output are f32 `[batch, num_q_heads, q_len, kv_len]`. Infinite scores become the cap:
    it comes before anything that hides keys.
    """

    op: ClassVar[str] = "soft_cap_scores"

    logits_soft_cap: float

    def __post_init__(self) -> None:
        super().__post_init__()
        cap = stored_cap(self.logits_soft_cap)
        if cap is None:
            raise SpecError(
                "logits_soft_cap: expected a number from 0.001 to 1e6, "
                f"got {shown(self.logits_soft_cap)}"
            )
        object.__setattr__(self, "logits_soft_cap", cap)


@dataclass(frozen=True, kw_only=True)
class BiasScoresSpec(ScoresShape):
    """scores + bias; -inf hides a key, whatever its score.

    - scores f32 `[batch, num_q_heads, q_len, kv_len]`
    - bias the same in `io_dtype`, but of size 1 along the axes (of `bhqk`) that the field `bias`
      does not name
    - output f32 `[batch, num_q_heads, q_len, kv_len]`
    """

    op: ClassVar[str] = "bias_scores"

    bias: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_axes("bias", self.bias, AXES)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._scores("scores"), bias_tensor(self.bias, self.axis_sizes, self.io_dtype)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._scores("output"),)

    @property
    def flops(self) -> int:
        return self.elements


@dataclass(frozen=True, kw_only=True)
class AlibiScoresSpec(PositionedScores):
    """scores - alibi_slopes[head] * |position - j| for query `i` and key `j` (Press et al. 2022).

    - scores and output f32 `[batch, num_q_heads, q_len, kv_len]`
    - alibi_slopes f32 `[num_q_heads]`
    """

    op: ClassVar[str] = "alibi_scores"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._scores("scores"), TensorType(
            "alibi_slopes", (self.num_q_heads,), "f32", role=Role.SLOPES
        )


@dataclass(frozen=True, kw_only=True)
class WindowMaskSpec(PositionedScores):
    """scores, with -inf where key `j` lies outside the window of query `i`.

    scores and output are f32 `[batch, num_q_heads, q_len, kv_len]`. Of `window` `(left, right)`
    a query sees the keys with `position - left <= j <= position + right`; None is no limit on that
    side, and one side has a limit.
    """

    op: ClassVar[str] = "window_mask"

    window: tuple[int | None, int | None]

    def __post_init__(self) -> None:
        super().__post_init__()
        window = stored_window(self.window, causal=False)
        if window is None:
            raise SpecError(
                "window: expected [left, right] with a limit on one side at least, "
                f"got {shown(self.window)}"
            )
        object.__setattr__(self, "window", window)

    @property
    def first_seen(self) -> int:
        """The first key of the window, counted from the query's position."""
        return -self._tokens_seen(self.window[0])

    @property
    def last_seen(self) -> int:
        """The last key of the window, counted from the query's position."""
        return self._tokens_seen(self.window[1])

    def _tokens_seen(self, limit: int | None) -> int:
        """No key is further away than all queries and keys are many."""
        most = self.q_len + self.kv_len
        return most if limit is None else min(limit, most)


@dataclass(frozen=True, kw_only=True)
class MaskScoresSpec(ScoresToScores):
    """scores, with -inf where keep_mask is false.

    - scores and output f32 `[batch, num_q_heads, q_len, kv_len]`
    - keep_mask bool, of the same shape, but of size 1 along the axes (of `bhqk`) that the field
      `keep_mask` does not name
    """

    op: ClassVar[str] = "mask_scores"

    keep_mask: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_axes("keep_mask", self.keep_mask, AXES)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        mask = keep_mask_tensor(self.keep_mask, self.axis_sizes)
        return self._scores("scores"), mask


@dataclass(frozen=True, kw_only=True)
class SoftmaxWithSinksSpec(ScoresToScores):
    """The softmax over the keys of each query and one more, whose weight is left out (GPT-OSS).

    - scores and output (the weights) f32 `[batch, num_q_heads, q_len, kv_len]`
    - sinks f32 `[num_q_heads]`: what the score of the additional key is

    The weights of a row add up to less than 1; a row that is -inf throughout gives zeros.
    """

    op: ClassVar[str] = "softmax_with_sinks"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return self._scores("scores"), TensorType(
            "sinks", (self.num_q_heads,), "f32", role=Role.SINKS
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (self._weights("output"),)


CATALOGUE = {
    "soft_cap_scores_tiny": SoftCapScoresSpec(**TINY_SCORES, logits_soft_cap=2.0),
    "soft_cap_scores_base": SoftCapScoresSpec(**BASE_SCORES, logits_soft_cap=50.0),
    "bias_scores_tiny": BiasScoresSpec(**TINY_SCORES, bias="hqk", io_dtype="f32"),
    "bias_scores_base": BiasScoresSpec(**BASE_SCORES, bias="hqk"),
    "alibi_scores_tiny": AlibiScoresSpec(**TINY_SCORES),
    "alibi_scores_base": AlibiScoresSpec(**BASE_SCORES),
    "window_mask_tiny": WindowMaskSpec(**TINY_SCORES, window=(7, None)),
    "window_mask_base": WindowMaskSpec(**BASE_SCORES, window=(127, None)),
    "mask_scores_tiny": MaskScoresSpec(**TINY_SCORES, batch=2, keep_mask="bk"),
    "mask_scores_base": MaskScoresSpec(**BASE_SCORES, batch=4, keep_mask="bk"),
    "softmax_with_sinks_tiny": SoftmaxWithSinksSpec(**TINY_SCORES),
    "softmax_with_sinks_base": SoftmaxWithSinksSpec(**BASE_SCORES),
}
