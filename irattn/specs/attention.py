"""Attention over contiguous keys and values."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.specs.base import (
    Spec,
    check_flag,
    check_head_dim,
    check_heads,
    check_io_dtype,
    check_positive,
    check_scale,
    stored_scale,
)
from irattn.tensors import TensorType


@dataclass(frozen=True, kw_only=True)
class AttentionSpec(Spec):
    """softmax(query · keyᵀ · scale) · value, per head (Vaswani et al. 2017, equation 1).

    Tensors, all in `io_dtype`; accumulation is f32:

    - query `[batch, num_q_heads, q_len, head_dim]`
    - key `[batch, num_kv_heads, kv_len, head_dim]`
    - value `[batch, num_kv_heads, kv_len, value_dim]`
    - output `[batch, num_q_heads, q_len, value_dim]`

    Query head `h` reads KV head `h // group_size`. With `causal`, query `i` sees key `j` where
    `j <= i + kv_len - q_len` (bottom-right aligned); a row that sees no key is all zeros.
    `softmax_scale` None means `head_dim ** -0.5`, `value_dim` None means `head_dim`.
    """

    op: ClassVar[str] = "attention"

    batch: int = 1
    num_q_heads: int
    num_kv_heads: int
    q_len: int
    kv_len: int
    head_dim: int
    value_dim: int | None = None
    causal: bool = False
    softmax_scale: float | None = None

    def __post_init__(self) -> None:
        check_positive(self, "batch", "num_q_heads", "num_kv_heads", "q_len", "kv_len")
        check_heads(self.num_q_heads, self.num_kv_heads)
        check_head_dim(self, "head_dim", *(["value_dim"] if self.value_dim is not None else []))
        check_flag("causal", self.causal)
        check_scale(self.softmax_scale)
        check_io_dtype(self.io_dtype)
        # Equal meaning, equal value: what says the default is stored as the default.
        if self.value_dim == self.head_dim:
            object.__setattr__(self, "value_dim", None)
        object.__setattr__(self, "softmax_scale", stored_scale(self.softmax_scale, self.head_dim))

    @property
    def group_size(self) -> int:
        """Query heads per KV head."""
        return self.num_q_heads // self.num_kv_heads

    @property
    def hides_keys(self) -> bool:
        """Whether the causal mask hides anything: a single query row sees every key."""
        return self.causal and self.q_len > 1

    @property
    def v_dim(self) -> int:
        """Columns of value and output."""
        return self.head_dim if self.value_dim is None else self.value_dim

    @property
    def scale(self) -> float:
        """The factor on the logits."""
        return self.head_dim**-0.5 if self.softmax_scale is None else self.softmax_scale

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        b, h, n, t = self.batch, self.num_kv_heads, self.kv_len, self.io_dtype
        return (
            TensorType("query", (b, self.num_q_heads, self.q_len, self.head_dim), t),
            TensorType("key", (b, h, n, self.head_dim), t),
            TensorType("value", (b, h, n, self.v_dim), t),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        shape = (self.batch, self.num_q_heads, self.q_len, self.v_dim)
        return (TensorType("output", shape, self.io_dtype),)

    @property
    def flops(self) -> int:
        scores = self.batch * self.num_q_heads * self.q_len * self.kv_len
        return 2 * scores * (self.head_dim + self.v_dim)
