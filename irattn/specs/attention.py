"""Attention over contiguous keys and values."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.specs.base import check_flag, check_head_dim, check_positive
from irattn.specs.features import AttentionFeatures
from irattn.tensors import TensorType, lengths


@dataclass(frozen=True, kw_only=True)
class AttentionSpec(AttentionFeatures):
    """softmax(query · keyᵀ · scale) · value, per head (Vaswani et al. 2017, equation 1).

    Tensors in `io_dtype`; accumulation is f32:

    - query `[batch, num_q_heads, q_len, head_dim]`
    - key `[batch, num_kv_heads, kv_len, head_dim]`
    - value `[batch, num_kv_heads, kv_len, value_dim]`
    - output `[batch, num_q_heads, q_len, value_dim]`

    Query head `h` reads KV head `h // group_size`. With `ragged`, sequences of the batch are
    padded: q_lens and context_lens, int32 (int64 accepted) `[batch]`, say how many queries and
    keys of each are real; padding queries give zeros. `value_dim` None means `head_dim`. What the
    other fields do to the logits, AttentionFeatures tells.
    """

    op: ClassVar[str] = "attention"

    q_len: int
    kv_len: int
    value_dim: int | None = None
    ragged: bool = False

    def __post_init__(self) -> None:
        check_positive(self, "q_len", "kv_len")
        check_flag("ragged", self.ragged)
        self._check_features()
        check_head_dim(self, *(["value_dim"] if self.value_dim is not None else []))
        if self.value_dim == self.head_dim:
            object.__setattr__(self, "value_dim", None)

    @property
    def num_queries(self) -> int:
        return self.q_len

    @property
    def num_keys(self) -> int:
        return self.kv_len

    @property
    def v_dim(self) -> int:
        return self.head_dim if self.value_dim is None else self.value_dim

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        b, h, n, t = self.batch, self.num_kv_heads, self.kv_len, self.io_dtype
        lens = (lengths("q_lens", b, self.q_len), lengths("context_lens", b, self.kv_len))
        return (
            TensorType("query", (b, self.num_q_heads, self.q_len, self.head_dim), t),
            TensorType("key", (b, h, n, self.head_dim), t),
            TensorType("value", (b, h, n, self.v_dim), t),
            *(lens if self.ragged else ()),
            *self.feature_inputs,
        )
