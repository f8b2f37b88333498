"""A cache kept in blocks: its axes, and where keys and values lie in a block."""

from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, TensorType, key_cache, largest, value_cache
from irattn.specs.base import check_flag
from irattn.specs.cache_elements import CacheElements
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.layouts import laid_out

MAX_ROWS = 2**31 - 1


class BlockCache(CacheElements, DynamicSizes):
    """The axes of a cache in blocks; specs have the fields of these sizes.

    Where `joint_cache` is among their fields and set, keys and values of a block are in one array.
    With `latent_cache`, values are the first columns of the keys, which alone have a cache.
    """

    num_kv_heads: int
    head_dim: int
    block_size: int
    num_blocks: int
    layout: str
    latent_cache: bool

    @property
    def caches(self) -> tuple[TensorType, ...]:
        """The cache of keys, and of values unless it is a latent one."""
        made = zip((key_cache, value_cache), self.cache_columns, strict=False)
        return tuple(
            make((*self.cache_shape, self.cached_columns(n)), self.cache_element)
            for make, n in made
        )

    @property
    def cache_columns(self) -> tuple[int, ...]:
        """The columns of keys and of values; of a latent cache, of keys."""
        raise NotImplementedError

    @property
    def _slots(self) -> tuple[AnySize, ...]:
        return (self.size("num_blocks"), *laid_out(self.layout, self.num_kv_heads, self.block_size))

    @property
    def first_value_slot(self) -> int:
        """The slot of a block where its values begin: behind its keys, where both are in one."""
        return self.block_size if getattr(self, "joint_cache", False) else 0

    @property
    def first_value_row(self) -> int:
        """How many rows the value of a head of a token lies behind its key."""
        return self.first_value_slot * (self.num_kv_heads if self.layout == "NHD" else 1)

    @property
    def slots_of_block(self) -> int:
        """The rows that a block has for each KV head."""
        return self.first_value_slot + self.block_size

    @property
    def cache_shape(self) -> tuple[AnySize, ...]:
        """The axes of a cache but for its columns."""
        slots = laid_out(self.layout, self.num_kv_heads, self.slots_of_block)
        return (self.size("num_blocks"), *slots)

    @property
    def cache_rows(self) -> AnySize:
        """Rows of a cache: one for each block, head and slot."""
        return self.size("num_blocks") * self.num_kv_heads * self.slots_of_block

    def _check_latent(self, value_columns: int) -> None:
        check_flag("latent_cache", self.latent_cache)
        if not self.latent_cache:
            return
        if self.first_value_slot:
            raise SpecError("joint_cache: a latent_cache has no values of its own; leave it out")
        if value_columns > self.head_dim:
            raise SpecError(
                f"value_dim: expected at most head_dim, {self.head_dim}, with latent_cache, whose "
                f"values are the first columns of its keys, got {value_columns}"
            )

    def _check_joint(self, joint_cache: bool, value_columns: int) -> None:
        check_flag("joint_cache", joint_cache)
        if joint_cache and value_columns != self.head_dim:
            raise SpecError(
                f"value_dim: expected head_dim, {self.head_dim}, with joint_cache, whose keys and "
                f"values are rows of one array, got {value_columns}"
            )


def check_rows(rows: int, product: str) -> None:
    """Refuse caches whose rows cannot be counted in int32."""
    if rows > MAX_ROWS:
        raise SpecError(f"{product}: expected at most {MAX_ROWS}, got {rows}")


def check_block_rows(cache: BlockCache) -> None:
    """Refuse caches in blocks whose rows cannot be counted in int32."""
    slots = "2 * block_size" if cache.first_value_slot else "block_size"
    check_rows(largest(cache.cache_rows), f"num_blocks * num_kv_heads * {slots}")
