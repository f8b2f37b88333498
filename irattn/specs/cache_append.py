"""Writing of new keys and values into a contiguous cache."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import Role, TensorType, integers, key, key_cache, value, value_cache
from irattn.specs.base import WIDE_HEAD_DIMS, check_head_dim, check_positive
from irattn.specs.block_cache import check_rows
from irattn.specs.cache_elements import CacheElements


@dataclass(frozen=True, kw_only=True)
class CacheAppendSpec(CacheElements):
    """Keys and values of new tokens go into a contiguous cache, from an offset of each sequence.

    Tensors:

    - key, value `[batch, num_kv_heads, q_len, head_dim]` in `io_dtype`
    - key_cache, value_cache `[batch, num_kv_heads, kv_len, head_dim]` in `io_dtype`
    - offsets int32 (int64 accepted) `[batch]`, 0 to `kv_len - q_len`: where each sequence's new
      tokens begin
    - updated_key_cache, updated_value_cache, shaped as the caches:
      `updated[b, head, offsets[b] + i] = key[b, head, i]`, and the cache's own contents everywhere
      else. On the device they are the caches' own memory: only the new tokens are moved.

    With `cache_dtype` the caches are quantised, and key_scale and value_scale follow them
    (CacheElements); those of tokens are `[batch, num_kv_heads, kv_len]`, and updated_key_scale and
    updated_value_scale follow the updated caches.
    """

    op: ClassVar[str] = "cache_append"
    late: ClassVar[tuple[str, ...]] = ("cache_dtype", "cache_scale")
    has_tokens_first: ClassVar[bool] = False

    io_dtype: str = "f16"
    batch: int = 1
    num_kv_heads: int
    head_dim: int
    q_len: int
    kv_len: int
    cache_dtype: str | None = None
    cache_scale: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_kv_heads", "q_len", "kv_len")
        check_head_dim(self, "head_dim", also=WIDE_HEAD_DIMS)
        if self.q_len > self.kv_len:
            raise SpecError(f"q_len: expected at most kv_len = {self.kv_len}, got {self.q_len}")
        self._check_elements()
        check_rows(self.cache_rows, "batch * num_kv_heads * kv_len")

    @property
    def cache_rows(self) -> int:
        """Rows of a cache: one for each sequence, head and token."""
        return self.batch * self.num_kv_heads * self.kv_len

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        new = (self.batch, self.num_kv_heads, self.q_len, self.head_dim)
        limits = (0, self.kv_len - self.q_len)
        return (
            key(new, self.io_dtype),
            value(new, self.io_dtype),
            *self.stored,
            integers("offsets", (self.batch,), Role.POSITIONS, limits),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return self.updated

    @property
    def updates(self) -> dict[str, str]:
        return self.cache_updates

    @property
    def flops(self) -> int:
        """Numbers moved."""
        return 2 * self.batch * self.num_kv_heads * self.q_len * self.head_dim

    @property
    def caches(self) -> tuple[TensorType, ...]:
        shape = (*self._slots, self.cached_columns(self.head_dim))
        return (key_cache(shape, self.cache_element), value_cache(shape, self.cache_element))

    @property
    def _slots(self) -> tuple[int, ...]:
        return (self.batch, self.num_kv_heads, self.kv_len)


CATALOGUE = {
    "cache_append_tiny": CacheAppendSpec(
        batch=2, num_kv_heads=2, head_dim=32, q_len=5, kv_len=64, io_dtype="f32"
    ),
    "cache_append_base": CacheAppendSpec(
        batch=4, num_kv_heads=8, head_dim=128, q_len=128, kv_len=2048
    ),
}
