"""The cache in blocks of paged attention, whether queries are packed or padded."""

from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, DynamicSize, TensorType
from irattn.specs.block_cache import BlockCache, check_block_rows
from irattn.specs.features import AttentionFeatures


class ReadsPages(BlockCache, AttentionFeatures):
    """Keys and values in blocks that a table names; specs have the fields of these sizes."""

    asks_positions: ClassVar[bool] = True

    max_blocks: int

    def _check_pages(self) -> None:
        self._check_latent(self.v_dim)
        self._check_elements()
        if "max_blocks" in self.dynamic and "k" in (self.bias or "") + (self.keep_mask or ""):
            raise SpecError(
                "dynamic: max_blocks together with a bias or keep_mask that has the axis k is not "
                "supported"
            )

    @property
    def cache_columns(self) -> tuple[int, ...]:
        return (self.head_dim,) if self.latent_cache else (self.head_dim, self.v_dim)

    @property
    def max_context(self) -> int:
        """Most tokens that one sequence can hold."""
        return self.max_blocks * self.block_size

    @property
    def num_keys(self) -> AnySize:
        if "max_blocks" in self.dynamic:
            return DynamicSize(self.max_context, "context")
        return self.max_context


class WritesPages(ReadsPages):
    """Caches that new tokens are written into, in their own memory."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_block_rows(self)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (*super().outputs, *self.updated)

    @property
    def updates(self) -> dict[str, str]:
        return self.cache_updates
