"""Fetch keys and values of few rows into a core's cache before they are read."""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.cpu.kernels import CpuKernel, PrefetchedMemory

# Of a core's cache; where lines are longer, some are asked for twice.
_LINE_BYTES = 64

# Into the second cache: in the first, where the step's own keys and values are, a kernel in C took
# 1.4 to 1.6 times as long. Least times of two Zen 4 cores in turns, fetched and keys scored as many
# at once as fill the registers of sums, over neither: 4,096 keys in f32 in pages of 16 in any order
# 0.46, one after the other 0.81; 1,024 keys 0.83; f16 in pages 0.78.

# How many keys before they are read those of one KV head are fetched: 32 is quickest for 4,096 keys
# (16 by 8 %, 64 by 10 % slower), 64 by 7 % for 1,024.
_KEYS_AHEAD = 32

# Of whole numbers, two in a byte, so many keys are no more bytes: 16,384 keys take 0.94 to 0.97 of
# the processor time of 32. Scales are fetched over pages, where that is 0.91; where keys lie one
# after the other it would be 1.04 (one Zen 4 core).
_PACKED_AHEAD = 64

# Of many rows, the keys that are turned next. Processor time of two busy Zen 4 cores in turns, f32,
# over that without: 2,048 causal queries 0.99 with heads of 64 columns, 0.96 with 128; documents of
# 256 in 2,048 0.98, of 1,024 in 4,096 0.95 to 1.00. Where values are copied, f16 takes 1.00.


@dataclass(frozen=True, kw_only=True)
class Fetch:
    """The fetches of a kernel of few rows: keys and values, as memory.

    Those of one KV head are fetched `keys_ahead` keys before they are read. With a block of
    weighted values `value_columns` columns of a value are fetched: blocks of other rows, which
    read the same columns, fetch the others. Of values that are copied all are fetched at once.
    Lines of the cache begin at the columns `key_lines` of a key and `value_lines` of what is
    fetched of a value; `lines` are all of them.
    """

    key: PrefetchedMemory
    value: PrefetchedMemory
    keys_ahead: int
    value_columns: int
    key_lines: list[int]
    value_lines: list[int]
    lines: list[int]
    # Scales of groups, where they are fetched, too.
    scales: dict[str, PrefetchedMemory]


@dataclass(frozen=True)
class RunFetch:
    """The fetches of a kernel of many rows: keys and values by these names, as memory.

    While keys are turned, as many that follow them are fetched, and their values, of the same
    columns.
    """

    memories: dict[str, PrefetchedMemory]


def plan_run_fetch(
    tile: BlockedTile, kernel: CpuKernel, key: TensorType, value: TensorType
) -> RunFetch:
    """The fetches of a tile: where values are multiplied as they lie in memory, elsewhere none."""
    if tile.reads_rows or tile.places_values:
        return RunFetch({})
    return RunFetch({"key": kernel.memory(key.name), "value": kernel.memory(value.name)})


def plan_fetch(
    tile: BlockedTile,
    kernel: CpuKernel,
    key: TensorType,
    value: TensorType,
    is_latent: bool,
    scales: set[str],
) -> Fetch:
    """The fetches of a tile, of the arguments `key` and `value` of its kernel.

    Where values are columns of the keys (`is_latent`), they are fetched with these. `scales` are
    the arguments that have scales which are fetched, too.
    """
    value_columns = tile.value_block * tile.value_rows // tile.block_rows
    if tile.places_values:
        value_columns = tile.value_dim
    # Of two numbers in a byte there are half as many columns.
    columns = key.largest_shape[-1]
    is_packed = columns < tile.head_dim
    value_bytes = value_columns * columns // tile.head_dim
    key_lines = _lines(columns, key.dtype)
    value_lines = [] if is_latent else _lines(value_bytes, value.dtype)
    return Fetch(
        key=kernel.memory(key.name),
        value=kernel.memory(value.name),
        keys_ahead=_PACKED_AHEAD if is_packed and tile.pairs else _KEYS_AHEAD,
        value_columns=value_columns,
        key_lines=key_lines,
        value_lines=value_lines,
        lines=max(key_lines, value_lines, key=len),
        scales={name: kernel.memory(name) for name in sorted(scales)},
    )


def _lines(columns: int, stored: str) -> list[int]:
    return list(range(0, columns, _LINE_BYTES // dtype(stored).numpy.itemsize))
