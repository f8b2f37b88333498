"""The way from memory to a lane's own registers, where waves have keys of their own."""

from dataclasses import dataclass

from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.cache_formats import QuantisedCache

_BYTES, _F32_BYTES = 2, 4

# Registers in waves of 32 lanes, at most: of queries and sums, which a lane keeps (with 160, heads
# of 192 with values of 128 spilled 16 on gfx1100); also beside factors of a step's keys and values
# (with 128, heads of 128 over int8 spilled 7 there); and of these, a step's keys and its values.
_MOST_KEPT = 144
_MOST_BESIDE_FACTORS = 112
_MOST_AT_ONCE = 192


@dataclass(frozen=True)
class TurnedTiles:
    """Two tiles of value columns: the access that brought both, and their pair of its columns."""

    tiles: tuple[int, int]
    access: int
    column_pair: int


@dataclass(frozen=True, kw_only=True)
class OwnPlan:
    """A wave's keys and values as operands, and what the waves have summed up, in LDS.

    A lane has one row of a tile of keys. Of values it has neighbouring columns, one in each tile:
    which columns a tile is made of is free, so that nothing changes lanes. `bytes` are those of
    LDS.
    """

    bytes: int
    # Chunks of the head columns whose queries lanes read again in every step, and elements from a
    # query in LDS to the next.
    query_again: list[int]
    query_pitch: int

    # Keys of a step whose values a lane has, from 0, and pairs of these.
    value_reads: list[int]
    key_pairs: list[tuple[int, int]]
    # Neighbouring columns of a value that a lane reads at once, and pairs of these.
    access: int
    access_pairs: int
    # Tiles of value columns whose values are turned at once, by the first of them.
    turned: dict[int, TurnedTiles]
    # Whether values are read before the scores are there, while keys have registers too.
    reads_early: bool

    # Rows that the waves have summed up, and numbers from one in LDS to the next. Waves add theirs
    # to the same rows `in_turns`, where these are as many as a tile has, or LDS has no room for
    # more; else each has its own.
    in_turns: bool
    rows: int
    pitch: int
    # Neighbours in a row that a lane adds up for all waves, the bytes that their place in LDS is a
    # multiple of, and such pieces of a row.
    piece: int
    piece_alignment: int
    pieces: int


def plan_own(
    lanes: LanesPlan, grid: Grid, lds_bytes: int | None, cache: QuantisedCache | None
) -> OwnPlan:
    """The plan of what lanes have to themselves, and of how they merge the sums of waves.

    A workgroup has so many bytes of LDS; None where that is not known.
    """
    rows = grid.group_rows or 0
    value_reads, tiles = list(range(lanes.value_keys)), len(lanes.value_tiles)
    access, piece = _access(lanes), _piece(lanes, rows)
    is_short, kept = lanes.wave_size <= 32, len(lanes.queries) * _kept_of_query(lanes)
    has_factors = cache is not None and not cache.scales_sums
    keeps_query = not is_short or kept <= (_MOST_BESIDE_FACTORS if has_factors else _MOST_KEPT)
    read = len(lanes.key_tiles) * lanes.head_columns // 2 + len(value_reads) * access // 2
    fits_early = not is_short or kept + read <= _MOST_AT_ONCE
    query_pitch, pitch = lanes.head_dim + lanes.access, lanes.value_dim + lanes.access // 2
    query_bytes = 0 if keeps_query else _BYTES * lanes.rows * query_pitch
    apart_bytes = query_bytes + _sum_bytes(rows, pitch, lanes.waves, in_turns=False)
    in_turns = grid.is_of_few or (lds_bytes is not None and apart_bytes > lds_bytes)
    return OwnPlan(
        bytes=query_bytes + _sum_bytes(rows, pitch, lanes.waves, in_turns),
        query_again=[] if keeps_query else list(range(len(lanes.head_chunks))),
        query_pitch=query_pitch,
        value_reads=value_reads,
        key_pairs=[(key, key + 1) for key in value_reads[::2]],
        access=access,
        access_pairs=access // 2,
        turned={tile: _turned(tile, access) for tile in lanes.value_tiles[::2]},
        reads_early=fits_early and access == tiles,
        in_turns=in_turns,
        rows=rows,
        pitch=pitch,
        piece=piece,
        piece_alignment=min(16, _F32_BYTES * piece),
        pieces=lanes.value_dim // piece,
    )


def _sum_bytes(rows: int, pitch: int, waves: int, in_turns: bool) -> int:
    """Bytes of what waves have summed up of rows, and of their maxima and sums."""
    return _F32_BYTES * rows * ((1 if in_turns else waves) * pitch + 2 * waves)


def _kept_of_query(lanes: LanesPlan) -> int:
    """Registers that a lane keeps for a query, pairs of whose columns have one, and its sums."""
    return lanes.head_columns // 2 + lanes.value_columns


def _access(lanes: LanesPlan) -> int:
    tiles, most = len(lanes.value_tiles), lanes.own_access
    if tiles <= most:
        return tiles
    return most // 2 if lanes.repeats else most


def _turned(tile: int, access: int) -> TurnedTiles:
    number, column = divmod(tile, access)
    return TurnedTiles((tile, tile + 1), number, column // 2)


def _piece(lanes: LanesPlan, rows: int) -> int:
    """A power of two, so that all lanes together have all columns of the rows."""
    least = -(-rows * lanes.value_dim // lanes.count)
    return 1 << (least - 1).bit_length()
