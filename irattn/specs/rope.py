"""Rotary position embedding of query and key."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real, whole
from irattn.core.tensors import AnySize, Role, TensorType, integers, key, query
from irattn.specs.base import (
    WIDE_HEAD_DIMS,
    check_flag,
    check_head_dim,
    check_heads,
    check_positive,
)
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.rope_scaling import RopeScaling, llama3, stored_scaling
from irattn.specs.sizes import BASE_HEADS, TINY_HEADS

ROPE_STYLES = ("rotate_half", "interleaved")


@dataclass(frozen=True, kw_only=True)
class RopeSpec(DynamicSizes):
    """Pairs of columns of query and key turned by an angle that grows with the position (Su et
    al. 2021, RoFormer, equation 34).

    Tensors:

    - query `[batch, num_q_heads, q_len, head_dim]`, key `[batch, num_kv_heads, q_len, head_dim]`
      in `io_dtype`; no key where `num_kv_heads` is 0
    - positions int32 (int64 accepted) `[batch, q_len]`, 0 to `max_positions - 1`
    - with `given_tables`, cos and sin f32 `[max_positions, rotary_dim / 2]`
    - rotated_query, rotated_key: like query and key

    Pair `i` is columns `i` and `i + rotary_dim / 2` (`rope_style` `rotate_half`: GPT-NeoX, Llama)
    or `2 i` and `2 i + 1` (`interleaved`: GPT-J, GLM). The pair `(x, y)` becomes
    `(x cos - y sin, y cos + x sin)`; columns from `rotary_dim` on (None: head_dim) stay as they
    are. Without given tables, cos and sin are those of `position * f`, where
    `f = theta ** (-2 i / rotary_dim)` is changed by `scaling`, a RopeScaling or
    its JSON form; the angle is reduced exactly, so that far positions are as accurate as near ones.
    Given tables are used as they are: row `position`, column `i`. `dynamic` may name batch and
    q_len.
    """

    op: ClassVar[str] = "rope"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len")

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    num_kv_heads: int
    q_len: int
    head_dim: int
    max_positions: int
    rope_style: str = "rotate_half"
    rotary_dim: int | None = None
    given_tables: bool = False
    theta: float = 10000.0
    scaling: RopeScaling | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "q_len", "max_positions")
        whole("num_kv_heads", self.num_kv_heads, least=0, error=SpecError)
        if self.num_kv_heads:
            check_heads(self.num_q_heads, self.num_kv_heads)
        check_head_dim(self, "head_dim", also=WIDE_HEAD_DIMS)
        check_flag("given_tables", self.given_tables)
        if self.max_positions > 2**31:
            raise SpecError(f"max_positions: expected at most 2**31, got {self.max_positions}")
        if self.rope_style not in ROPE_STYLES:
            raise SpecError(
                f"rope_style: expected {' or '.join(ROPE_STYLES)}, got {shown(self.rope_style)}"
            )
        self._check_rotary_dim()
        object.__setattr__(self, "theta", _stored_theta(self.theta))
        object.__setattr__(self, "scaling", stored_scaling(self.scaling))
        self._check_frequencies()
        self._check_dynamic()

    def _check_rotary_dim(self) -> None:
        if self.head_dim % 2:
            raise SpecError(f"head_dim: expected an even number, got {self.head_dim}")
        if self.rotary_dim is None:
            return
        check_positive(self, "rotary_dim")
        if self.rotary_dim % 2 or self.rotary_dim > self.head_dim:
            raise SpecError(
                f"rotary_dim: expected an even number up to head_dim = {self.head_dim}, "
                f"got {self.rotary_dim}"
            )
        if self.rotary_dim == self.head_dim:
            object.__setattr__(self, "rotary_dim", None)

    def _check_frequencies(self) -> None:
        if self.scaling:
            self.scaling.check_rotary_dim(self.rotary_columns)
        named = {"theta": self.theta != RopeSpec.theta, "scaling": self.scaling is not None}
        for name, is_set in named.items():
            if self.given_tables and is_set:
                raise SpecError(f"{name}: has no effect on given tables; leave it out")

    @property
    def rotary_columns(self) -> int:
        """Columns that are turned."""
        return self.head_dim if self.rotary_dim is None else self.rotary_dim

    @property
    def positions(self) -> TensorType:
        """The position of each token."""
        shape = (self.size("batch"), self.size("q_len"))
        return integers("positions", shape, Role.POSITIONS, (0, self.max_positions - 1))

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        table = (self.max_positions, self.rotary_columns // 2)
        tables = (TensorType(name, table, "f32", role=Role.ROTATION) for name in ("cos", "sin"))
        keys = key(self._shape(self.num_kv_heads), self.io_dtype)
        return (
            query(self._shape(self.num_q_heads), self.io_dtype),
            *((keys,) if self.num_kv_heads else ()),
            self.positions,
            *(tables if self.given_tables else ()),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        heads = {"rotated_query": self.num_q_heads, "rotated_key": self.num_kv_heads}
        return tuple(
            TensorType(name, self._shape(count), self.io_dtype)
            for name, count in heads.items()
            if count
        )

    @property
    def flops(self) -> int:
        """Elements touched."""
        return self.batch * (self.num_q_heads + self.num_kv_heads) * self.q_len * self.head_dim

    def _shape(self, heads: int) -> tuple[AnySize, ...]:
        return (self.size("batch"), heads, self.size("q_len"), self.head_dim)


def _stored_theta(theta: object) -> float:
    """Equal thetas are equal text."""
    least = math.nextafter(1, 2)
    return real("theta", theta, least, 1e12, expected="a number above 1 and up to 1e12")


def _tiny(**fields: Any) -> RopeSpec:
    return RopeSpec(**TINY_HEADS, batch=2, num_kv_heads=2, q_len=32, max_positions=4096, **fields)


def _base(**fields: Any) -> RopeSpec:
    return RopeSpec(**BASE_HEADS, num_kv_heads=8, q_len=512, max_positions=131072, **fields)


CATALOGUE = {
    "rope_tiny": _tiny(),
    "rope_base": _base(),
    # As in GLM-4: half of the columns.
    "rope_interleaved_tiny": _tiny(rope_style="interleaved", rotary_dim=16),
    "rope_interleaved_base": _base(rope_style="interleaved", rotary_dim=64),
    "rope_llama3_tiny": _tiny(theta=500000.0, scaling=llama3(512)),
    "rope_llama3_base": _base(theta=500000.0, scaling=llama3(8192)),
}
