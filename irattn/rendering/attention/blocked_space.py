"""The tiles that the blocked templates can say: numbers that may take the place of the table's."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from irattn.rendering.attention.blocked_choose import most_rows
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.specs.features import AttentionFeatures

Numbers = dict[str, int]

_BLOCK_ROWS = (2, 4, 8, 16)
_KEYS = (16, 32, 64, 128, 256)
# Where rows are few, keys are read as they lie in memory, in long runs.
_READ_KEYS = (64, 128, 256, 512, 1024)
_MOST_ROWS = 256

_NAMES = ("heads", "queries", "keys", "block_rows")


def numbers_of(tile: BlockedTile) -> Numbers:
    """The numbers of a tile that may be chosen."""
    return {name: getattr(tile, name) for name in _NAMES}


def allowed_tiles(own: BlockedTile, spec: AttentionFeatures, queries: int | None) -> list[Numbers]:
    """All tiles that may be chosen; `queries` of a head is None where a call chooses them."""
    if own.reads_rows:
        made: Iterator[BlockedTile] = (replace(own, keys=keys) for keys in _read_keys(own))
    else:
        made = _of_many_rows(own, spec, queries)
    return [numbers_of(tile) for tile in made if _fits(tile, own, spec)]


def _read_keys(own: BlockedTile) -> list[int]:
    """Steps of few rows; those that take all heads of a block of keys are as long as it.

    Of longer ones whole numbers would lose more.
    """
    is_own = own.kv_heads > 1 or own.pairs == "i16"
    return [own.keys] if is_own else sorted({own.keys, *_READ_KEYS})


def _of_many_rows(
    own: BlockedTile, spec: AttentionFeatures, queries: int | None
) -> Iterator[BlockedTile]:
    heads = [n for n in range(1, spec.group_size + 1) if spec.group_size % n == 0]
    is_few = queries is not None and queries < own.registers.block_rows
    for block, keys, head_count in product(_BLOCK_ROWS, _KEYS, heads):
        counts = [own.queries] if is_few else _query_counts(block, head_count, queries)
        for count in counts:
            yield replace(own, heads=head_count, queries=count, keys=keys, block_rows=block)


def _query_counts(block: int, heads: int, queries: int | None) -> list[int]:
    """Whole blocks of queries: powers of two of them, and all that there are."""
    most = _MOST_ROWS // heads
    if queries is not None:
        most = min(most, -(-queries // block) * block)
    powers = {block << n for n in range(9) if block << n <= most}
    return sorted((powers | {most // block * block}) - {0})


def _fits(tile: BlockedTile, own: BlockedTile, spec: AttentionFeatures) -> bool:
    """Whether it is cut into whole registers, and what it keeps fits the stack."""
    registers = tile.registers
    if tile.block_rows > registers.sums or tile.keys % (registers.lanes * tile.at_once):
        return False
    if tile.reads_rows != own.reads_rows:
        return False
    if tile.squares and tile.block_rows != registers.lanes:
        return False
    sizes = (tile.places_values, tile.block_rows, _MOST_ROWS, tile.squares)
    most = most_rows(spec, tile.keys, registers, *sizes)
    return tile.reads_rows or tile.rows <= most
