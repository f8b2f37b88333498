"""What is fetched into a core's cache before it is read: the keys and values of few rows."""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.rendering.blocked.kernels import BlockedKernel, PrefetchedMemory
from irattn.rendering.blocked.tile import BlockedTile

# Of a core's cache; where lines are longer, some are asked for twice.
_LINE_BYTES = 64

# Into the second cache: in the first, where the step's own keys and values are, a kernel in C took
# 1.4 to 1.6 times as long. Least times of two Zen 4 cores in turns, fetched and keys scored as many
# at once as fill the registers of sums, over neither: 4,096 keys in f32 in pages of 16 in any order
# 0.46, one after the other 0.81; 1,024 keys 0.83; f16 in pages 0.78.

# How many keys before they are read those of one KV head are fetched: 32 is quickest for 4,096 keys
# (16 by 8 %, 64 by 10 % slower), 64 by 7 % for 1,024.
_KEYS_AHEAD = 32


@dataclass(frozen=True)
class Fetch:
    """What a tile fetches of the arguments `key` and `value` of its kernel."""

    kernel: BlockedKernel
    tile: BlockedTile
    io_dtype: str
    key: str
    value: str

    @property
    def key_memory(self) -> PrefetchedMemory:
        """The keys."""
        return self._memory(self.key)

    @property
    def value_memory(self) -> PrefetchedMemory:
        """The values."""
        return self._memory(self.value)

    @property
    def keys_ahead(self) -> int:
        """How many keys before they are read keys and values of one KV head are fetched."""
        return _KEYS_AHEAD

    @property
    def value_columns(self) -> int:
        """Columns of a value that are fetched with a block of weighted values.

        Blocks of other rows, which read the same columns, fetch the others.
        """
        return self.tile.value_block * self.tile.value_rows // self.tile.block_rows

    @property
    def key_lines(self) -> list[int]:
        """Columns of a key where lines of the cache begin."""
        return self._lines(self.tile.head_dim)

    @property
    def value_lines(self) -> list[int]:
        """The same of the columns of a value that are fetched together."""
        return self._lines(self.value_columns)

    @property
    def lines(self) -> list[int]:
        """All of them."""
        return max(self.key_lines, self.value_lines, key=len)

    def _memory(self, name: str) -> PrefetchedMemory:
        return next(memory for memory in self.kernel.memories if memory.name == name)

    def _lines(self, columns: int) -> list[int]:
        return list(range(0, columns, _LINE_BYTES // dtype(self.io_dtype).numpy.itemsize))
