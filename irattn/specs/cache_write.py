"""Writing of new keys and values into a cache kept in blocks."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.errors import SpecError
from irattn.specs.base import Spec, check_head_dim, check_positive
from irattn.tensors import Role, TensorType, integers, key, key_cache, value, value_cache

MAX_ROWS = 2**31 - 1

CACHE_UPDATES = {"updated_key_cache": "key_cache", "updated_value_cache": "value_cache"}


@dataclass(frozen=True, kw_only=True)
class CacheWriteSpec(Spec):
    """Keys and values of new tokens go to the cache slots that `slot_mapping` names.

    This is what vLLM calls `reshape_and_cache` (Kwon et al. 2023, PagedAttention). Tensors:

    - key, value `[num_tokens, num_kv_heads, head_dim]` in `io_dtype`
    - key_cache, value_cache `[num_blocks, num_kv_heads, block_size, head_dim]` in `io_dtype`
    - slot_mapping int32 (int64 accepted) `[num_tokens]`: `block * block_size + offset`, or -1 for
      a token that is not written; no slot may be named twice
    - updated_key_cache, updated_value_cache, shaped as the caches:
      `updated[block, head, offset] = key[t, head]` where `slot_mapping[t]` names that slot, and the
      cache's own contents everywhere else. On the device they are the caches' own memory: only
      the new tokens are moved.
    """

    op: ClassVar[str] = "cache_write"

    io_dtype: str = "f16"
    num_tokens: int
    num_kv_heads: int
    head_dim: int
    block_size: int = 16
    num_blocks: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "num_tokens", "num_kv_heads", "block_size", "num_blocks")
        check_head_dim(self, "head_dim")
        check_rows(self.cache_rows, "num_blocks * num_kv_heads * block_size")

    @property
    def cache_rows(self) -> int:
        """Rows of a cache: one for each block, head and slot."""
        return self.num_blocks * self.num_kv_heads * self.block_size

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        new = (self.num_tokens, self.num_kv_heads, self.head_dim)
        return (
            key(new, self.io_dtype),
            value(new, self.io_dtype),
            key_cache(self._cache, self.io_dtype),
            value_cache(self._cache, self.io_dtype),
            slot_mapping((self.num_tokens,), self.num_blocks * self.block_size),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return tuple(TensorType(name, self._cache, self.io_dtype) for name in CACHE_UPDATES)

    @property
    def updates(self) -> dict[str, str]:
        return dict(CACHE_UPDATES)

    @property
    def flops(self) -> int:
        """Numbers moved."""
        return 2 * self.num_tokens * self.num_kv_heads * self.head_dim

    @property
    def _cache(self) -> tuple[int, ...]:
        return (self.num_blocks, self.num_kv_heads, self.block_size, self.head_dim)


def slot_mapping(shape: tuple[int, ...], num_slots: int) -> TensorType:
    """The flat slot of each new token, or -1."""
    return integers("slot_mapping", shape, Role.SLOTS, (-1, num_slots - 1))


def check_rows(rows: int, product: str) -> None:
    """Refuse caches whose rows cannot be counted in int32."""
    if rows > MAX_ROWS:
        raise SpecError(f"{product}: expected at most {MAX_ROWS}, got {rows}")


CATALOGUE = {
    # A cache of its own, or with attention: every sequence has blocks for a full context.
    "cache_write_tiny": CacheWriteSpec(
        num_tokens=20, num_kv_heads=2, head_dim=32, num_blocks=8, io_dtype="f32"
    ),
    "cache_write_base": CacheWriteSpec(
        num_tokens=512, num_kv_heads=8, head_dim=128, num_blocks=512
    ),
}
