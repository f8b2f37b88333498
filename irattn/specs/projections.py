"""The projections around attention: into query, key and value, and back into the hidden state."""

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.core.tensors import AnySize, Role, TensorType, hidden, largest, weight
from irattn.core.weight_formats import check_columns
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import (
    WIDE_HEAD_DIMS,
    check_flag,
    check_head_dim,
    check_heads,
    check_positive,
)
from irattn.specs.dynamic import BatchOfTokens
from irattn.specs.sizes import BASE_HIDDEN, TINY_HIDDEN
from irattn.specs.weight_formats import WeightFormats, format_of, is_apart, stored_formats


@dataclass(frozen=True, kw_only=True)
class _Projection(BatchOfTokens):
    """The base of projections: y = x · weightᵀ + bias, with weights as torch's Linear has them.

    `activation_format` is that of LinearSpec, of x. `dynamic` may name batch and q_len.
    """

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    q_len: int
    head_dim: int
    hidden_size: int
    has_bias: bool = False
    weight_format: WeightFormats | None = None
    activation_format: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "q_len", "hidden_size")
        check_head_dim(self, "head_dim", also=WIDE_HEAD_DIMS)
        check_flag("has_bias", self.has_bias)
        self._check_dynamic()

    @property
    def attended_size(self) -> int:
        """Columns of all query heads together."""
        return self.num_q_heads * self.head_dim

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (*self.tokens, self.hidden_size)

    def _heads(self, name: str, heads: int) -> TensorType:
        shape = (self.size("batch"), heads, self.size("q_len"), self.head_dim)
        return TensorType(name, shape, self.io_dtype)

    def _parameters(self, rows: dict[str, int], columns: int) -> tuple[TensorType, ...]:
        """Weights of so many rows each by name, and their bias, if there is one."""
        formats = self.weight_format
        weights = tuple(
            tensor
            for name, of_name in rows.items()
            for tensor in weight(
                f"{name}_weight" if name else "weight",
                *(of_name, columns, self.io_dtype, format_of(formats, name)),
            )
        )
        bias = TensorType("bias", (sum(rows.values()),), self.io_dtype, role=Role.WEIGHT_BIAS)
        return (*weights, bias) if self.has_bias else weights


@dataclass(frozen=True, kw_only=True)
class QkvProjectionSpec(_Projection):
    """hidden · weightᵀ + bias, split into the heads of query, key and value.

    Tensors in `io_dtype`; sums are f32. With `heads = num_q_heads + 2 * num_kv_heads`, and
    `num_q_heads` more with `has_gate`:

    - hidden `[batch, q_len, hidden_size]`
    - weight `[heads * head_dim, hidden_size]`: the rows of all query heads, then of all key heads,
      then of all value heads (vLLM's `QKVParallelLinear`), then of all heads of the gate
    - bias `[heads * head_dim]`, with `has_bias`
    - with a `weight_format` of LinearSpec, weight is u8; where it maps query, key and value (and
      gate) to a format each, as GGUF files have them, there are query_weight, key_weight and so on
      in the place of weight
    - query `[batch, num_q_heads, q_len, head_dim]`
    - key, value `[batch, num_kv_heads, q_len, head_dim]`; neither where `num_kv_heads` is 0, as in
      a layer that reads the keys and values of another
    - with `has_gate` (Qwen3-Next), gate, shaped as query
    """

    op: ClassVar[str] = "qkv_projection"

    num_kv_heads: int
    has_gate: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("num_kv_heads", self.num_kv_heads, least=0, error=SpecError)
        if self.num_kv_heads:
            check_heads(self.num_q_heads, self.num_kv_heads)
        check_flag("has_gate", self.has_gate)
        formats = stored_formats(self.weight_format, list(self.heads))
        object.__setattr__(self, "weight_format", formats)
        check_activation_format(self)
        for name in self.weight_rows:
            check_columns("hidden_size", self.hidden_size, format_of(formats, name))

    @property
    def weight_rows(self) -> dict[str, int]:
        """The rows of each weight by the output it makes; one for all has no name."""
        rows = {name: heads * self.head_dim for name, heads in self.heads.items()}
        return rows if is_apart(self.weight_format, "query") else {"": sum(rows.values())}

    @property
    def heads(self) -> dict[str, int]:
        """The heads of each output."""
        heads = {"query": self.num_q_heads}
        if self.num_kv_heads:
            heads |= {"key": self.num_kv_heads, "value": self.num_kv_heads}
        return {**heads, "gate": self.num_q_heads} if self.has_gate else heads

    @property
    def num_heads(self) -> int:
        """Heads of all outputs together."""
        return sum(self.heads.values())

    @property
    def first_heads(self) -> dict[str, int]:
        """Which of all heads is the first of each output."""
        ends = accumulate(self.heads.values(), initial=0)
        return dict(zip(self.heads, ends, strict=False))

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        parameters = self._parameters(self.weight_rows, self.hidden_size)
        return hidden(self._hidden, self.io_dtype), *parameters

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return tuple(self._heads(name, count) for name, count in self.heads.items())

    @property
    def flops(self) -> int:
        return 2 * largest(self.rows) * self.hidden_size * self.num_heads * self.head_dim


@dataclass(frozen=True, kw_only=True)
class OutputProjectionSpec(_Projection):
    """attended · weightᵀ + bias, the heads of each token side by side.

    Tensors in `io_dtype`; sums are f32:

    - attended `[batch, num_q_heads, q_len, head_dim]`, the output of attention
    - weight `[hidden_size, num_q_heads * head_dim]`, or u8 with a `weight_format` of LinearSpec
    - bias `[hidden_size]`, with `has_bias`
    - output `[batch, q_len, hidden_size]`
    """

    op: ClassVar[str] = "output_projection"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weight_format", stored_formats(self.weight_format))
        check_activation_format(self)
        check_columns(
            "num_q_heads * head_dim", self.attended_size, format_of(self.weight_format, "")
        )

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        attended = self._heads("attended", self.num_q_heads)
        return attended, *self._parameters({"": self.hidden_size}, self.attended_size)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", self._hidden, self.io_dtype),)

    @property
    def flops(self) -> int:
        return 2 * largest(self.rows) * self.hidden_size * self.attended_size


CATALOGUE = {
    "qkv_projection_tiny": QkvProjectionSpec(**TINY_HIDDEN, num_kv_heads=2, q_len=32),
    "qkv_projection_base": QkvProjectionSpec(**BASE_HIDDEN, num_kv_heads=8, q_len=512),
    "qkv_projection_decode_tiny": QkvProjectionSpec(**TINY_HIDDEN, num_kv_heads=2, q_len=1),
    "qkv_projection_decode_base": QkvProjectionSpec(**BASE_HIDDEN, num_kv_heads=8, q_len=1),
    "output_projection_tiny": OutputProjectionSpec(**TINY_HIDDEN, q_len=32),
    "output_projection_base": OutputProjectionSpec(**BASE_HIDDEN, q_len=512),
}
