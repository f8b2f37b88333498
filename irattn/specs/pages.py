"""The cache in blocks of paged attention, whether queries are packed or padded."""

from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, DynamicSize, TensorType
from irattn.specs.cache_write import CACHE_UPDATES, check_block_rows
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.features import AttentionFeatures
from irattn.specs.layouts import laid_out


class ReadsPages(DynamicSizes, AttentionFeatures):
    """Keys and values in blocks that a table names; specs have the fields of these sizes."""

    block_size: int
    num_blocks: int
    max_blocks: int
    layout: str

    def _check_pages(self) -> None:
        if "max_blocks" in self.dynamic and "k" in (self.bias or "") + (self.keep_mask or ""):
            raise SpecError(
                "dynamic: max_blocks together with a bias or keep_mask that has the axis k is not "
                "supported"
            )

    @property
    def max_context(self) -> int:
        """Most tokens that one sequence can hold."""
        return self.max_blocks * self.block_size

    @property
    def num_keys(self) -> AnySize:
        if "max_blocks" in self.dynamic:
            return DynamicSize(self.max_context, "context")
        return self.max_context

    @property
    def first_value_slot(self) -> int:
        """The slot of a block where its values begin: behind its keys, where both are in one."""
        return 0

    @property
    def slots_of_block(self) -> int:
        """The rows that a block has for each KV head."""
        return self.first_value_slot + self.block_size

    @property
    def cache_shape(self) -> tuple[AnySize, ...]:
        """The axes of a cache but for its columns."""
        slots = laid_out(self.layout, self.num_kv_heads, self.slots_of_block)
        return (self.size("num_blocks"), *slots)


class WritesPages(ReadsPages):
    """Caches that new tokens are written into, in their own memory."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_block_rows(self.cache_rows)

    @property
    def cache_rows(self) -> AnySize:
        """Rows of a cache: one for each block, head and slot."""
        return self.size("num_blocks") * self.num_kv_heads * self.block_size

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        caches = zip(CACHE_UPDATES, (self.head_dim, self.v_dim), strict=True)
        updated = (TensorType(name, (*self.cache_shape, n), self.io_dtype) for name, n in caches)
        return (*super().outputs, *updated)

    @property
    def updates(self) -> dict[str, str]:
        return dict(CACHE_UPDATES)
