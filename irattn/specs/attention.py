"""Attention over contiguous keys and values."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.specs.base import check_flag, check_head_dim, check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.tensors import TensorType, lengths


@dataclass(frozen=True, kw_only=True)
class AttentionSpec(DynamicSizes):
    """softmax(query · keyᵀ · scale) · value, per head (Vaswani et al. 2017, equation 1).

    Tensors in `io_dtype`; accumulation is f32:

    - query `[batch, num_q_heads, q_len, head_dim]`
    - key `[batch, num_kv_heads, kv_len, head_dim]`
    - value `[batch, num_kv_heads, kv_len, value_dim]`
    - output `[batch, num_q_heads, q_len, value_dim]`

    Query head `h` reads KV head `h // group_size`. With `ragged`, sequences of the batch are
    padded: q_lens and context_lens, int32 (int64 accepted) `[batch]`, say how many queries and
    keys of each are real; padding queries give zeros. `dynamic` lists the sizes that every call
    chooses for itself, some of batch, q_len and kv_len; the fields say how large they may be.
    `value_dim` None means `head_dim`. What the other fields do to the logits, AttentionFeatures
    tells.
    """

    op: ClassVar[str] = "attention"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len", "kv_len")

    q_len: int
    kv_len: int
    value_dim: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "q_len", "kv_len")
        check_flag("ragged", self.ragged)
        self._check_features()
        self._check_dynamic()
        check_head_dim(self, *(["value_dim"] if self.value_dim is not None else []))
        if self.value_dim == self.head_dim:
            object.__setattr__(self, "value_dim", None)

    @property
    def num_queries(self) -> int:
        return self.size("q_len")

    @property
    def num_keys(self) -> int:
        return self.size("kv_len")

    @property
    def v_dim(self) -> int:
        return self.head_dim if self.value_dim is None else self.value_dim

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        b, h, n, t = self.size("batch"), self.num_kv_heads, self.num_keys, self.io_dtype
        lens = (lengths("q_lens", b, self.q_len), lengths("context_lens", b, self.kv_len))
        return (
            TensorType("query", (b, self.num_q_heads, self.num_queries, self.head_dim), t),
            TensorType("key", (b, h, n, self.head_dim), t),
            TensorType("value", (b, h, n, self.v_dim), t),
            *(lens if self.ragged else ()),
            *self.feature_inputs,
        )
