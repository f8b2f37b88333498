"""Writing of new keys and values into a cache kept in blocks."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import (
    AnySize,
    Role,
    TensorType,
    integers,
    key,
    value,
)
from irattn.specs.base import WIDE_HEAD_DIMS, check_head_dim, check_positive
from irattn.specs.block_cache import BlockCache, check_block_rows
from irattn.specs.layouts import check_layout


@dataclass(frozen=True, kw_only=True)
class CacheWriteSpec(BlockCache):
    """Keys and values of new tokens go to the cache slots that `slot_mapping` names.

    This is what vLLM calls `reshape_and_cache` (Kwon et al. 2023, PagedAttention). Tensors:

    - key `[num_tokens, num_kv_heads, head_dim]` and value `[num_tokens, num_kv_heads, value_dim]`
      in `io_dtype`; `value_dim` None means `head_dim`
    - key_cache `[num_blocks, num_kv_heads, block_size, head_dim]` and value_cache
      `[num_blocks, num_kv_heads, block_size, value_dim]` in `io_dtype`
    - slot_mapping int32 (int64 accepted) `[num_tokens]`: `block * block_size + offset`, or -1 for
      a token that is not written; no slot may be named twice
    - updated_key_cache, updated_value_cache, shaped as the caches:
      `updated[block, head, offset] = key[t, head]` where `slot_mapping[t]` names that slot, and the
      cache's own contents everywhere else. On the device they are the caches' own memory: only
      the new tokens are moved.

    With `layout` `NHD`, caches are `[num_blocks, block_size, num_kv_heads, …]`. With `joint_cache`
    a block has twice as many slots, those of its keys before those of its values: one array may be
    given, and donated, as both, of which each writes its own half. With `latent_cache` there are
    keys alone, and no value, value_cache or updated_value_cache. With `cache_dtype` the caches are
    quantised, and key_scale and value_scale follow them (CacheElements). `dynamic` may name
    num_tokens and num_blocks.
    """

    op: ClassVar[str] = "cache_write"
    dynamic_names: ClassVar[tuple[str, ...]] = ("num_tokens", "num_blocks")

    io_dtype: str = "f16"
    num_tokens: int
    num_kv_heads: int
    head_dim: int
    value_dim: int | None = None
    block_size: int = 16
    num_blocks: int
    layout: str = "HND"
    joint_cache: bool = False
    latent_cache: bool = False
    cache_dtype: str | None = None
    cache_scale: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "num_tokens", "num_kv_heads", "block_size", "num_blocks")
        dims = ["head_dim"] if self.value_dim is None else ["head_dim", "value_dim"]
        check_head_dim(self, *dims, also=WIDE_HEAD_DIMS)
        if self.latent_cache and self.value_dim is not None:
            raise SpecError("value_dim: a latent_cache has keys alone; leave it out")
        if self.value_dim == self.head_dim:
            object.__setattr__(self, "value_dim", None)
        check_layout(self.layout)
        self._check_dynamic()
        self._check_joint(self.joint_cache, self.cache_columns[-1])
        self._check_latent(self.cache_columns[-1])
        self._check_elements()
        check_block_rows(self)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        new = (self.size("num_tokens"), self.num_kv_heads)
        tokens = zip((key, value), self.cache_columns, strict=False)
        return (
            *(of((*new, columns), self.io_dtype) for of, columns in tokens),
            *self.stored,
            slot_mapping((new[0],), self.num_blocks * self.block_size),
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
        return self.num_tokens * self.num_kv_heads * sum(self.cache_columns)

    @property
    def cache_columns(self) -> tuple[int, ...]:
        if self.latent_cache:
            return (self.head_dim,)
        return (self.head_dim, self.head_dim if self.value_dim is None else self.value_dim)


def slot_mapping(shape: tuple[AnySize, ...], num_slots: int) -> TensorType:
    """The flat slot of each new token, or -1."""
    return integers("slot_mapping", shape, Role.SLOTS, (-1, num_slots - 1))


CATALOGUE = {
    # A cache of its own, or with attention: every sequence has blocks for a full context.
    "cache_write_tiny": CacheWriteSpec(
        num_tokens=20, num_kv_heads=2, head_dim=32, num_blocks=8, io_dtype="f32"
    ),
    "cache_write_base": CacheWriteSpec(
        num_tokens=512, num_kv_heads=8, head_dim=128, num_blocks=512
    ),
}
