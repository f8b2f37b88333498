"""The block cache of an export: what one call reads of it, and an example of a table."""

from dataclasses import dataclass

from irattn.binary.launches import LaunchPlan
from irattn.binary.vmfb import evaluate


@dataclass(frozen=True)
class Pool:
    """A pool of `num_blocks` blocks; the tables of one call are `[batch, max_blocks]`."""

    num_blocks: int
    block_size: int
    batch: int
    max_blocks: int

    @classmethod
    def of(cls, plan: LaunchPlan) -> "Pool | None":
        """The largest that the kernels take; None where they read no block table."""
        most = {axis: size.most for size in plan.sizes for axis in size.axes}
        shapes = {
            tensor.name: [evaluate(size, most) for size in tensor.shape] for tensor in plan.inputs
        }
        if "block_table" not in shapes:
            return None
        batch, max_blocks = shapes["block_table"]
        limits = {tensor.name: tensor.limits for tensor in plan.inputs}
        _, most_tokens = limits["context_lens"] or (0, 0)
        return cls(shapes["key_cache"][0], most_tokens // max_blocks, batch, max_blocks)

    @property
    def named(self) -> int:
        """The number of blocks that one call can name."""
        return self.batch * self.max_blocks

    @property
    def is_shared(self) -> bool:
        """Whether the pool has room for more than one call names."""
        return self.num_blocks > self.named

    @property
    def size(self) -> int:
        """Blocks of a pool as an engine has it: this one, or a larger one where it is small."""
        return self.num_blocks if self.is_shared else 8 * self.named

    @property
    def row(self) -> list[int]:
        """Blocks of a sequence, anywhere in such a pool."""
        return [self.size - 1, self.size // 2, 1][: self.max_blocks]

    @property
    def tokens(self) -> int:
        """Tokens of that sequence; they end within a block."""
        return (len(self.row) - 1) * self.block_size + self.last_offset + 1

    @property
    def last_offset(self) -> int:
        """The place of the sequence's last token in its block."""
        return self.block_size // 2
