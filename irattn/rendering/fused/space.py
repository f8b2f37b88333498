"""The tiles that the fused templates can say: numbers that may take the place of a table's row."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from irattn.rendering.fused.lanes import Lanes, LdsTiles, Own
from irattn.rendering.fused.tiles import Tile, fits_shared_memory
from irattn.targets import MatrixInstruction, Target

Numbers = dict[str, int]

_WAVES = (1, 2, 4, 8, 16)
_KEYS = (16, 32, 64, 128)
# Tiles of queries that a wave has.
_QUERY_TILES = (1, 2, 4)
_COLUMN_WAVES = (1, 2, 4)
# Beyond, a workgroup leaves too few on a compute unit to hide its waits.
_MOST_WAVES = 8
_MOST_LANES = 1024

# Without matrix instructions.
_LANE_WAVES = (1, 2, 4, 8)
_LANE_KEYS = (8, 16, 32)

# Registers that a lane can address: those of sums and scores alone must be fewer.
_MOST_REGISTERS = {32: 256, 64: 512}

_LANES_NAMES = ("waves", "keys", "query_tiles")
_MATRIX_NAMES = ("rows", "keys", "row_waves", "column_waves")
_TILE_NAMES = ("rows", "keys", "row_waves")


def numbers_of(tile: Lanes | Tile) -> Numbers:
    """What may be chosen of a tile."""
    if isinstance(tile, Lanes):
        names: tuple[str, ...] = _LANES_NAMES
    else:
        names = _MATRIX_NAMES if tile.instruction else _TILE_NAMES
    return {name: getattr(tile, name) for name in names}


def allowed_lanes(own: Lanes, target: Target, rows: int) -> list[Numbers]:
    """All that may take its place for so many rows of a head where lanes are written out."""
    choices = product(_WAVES, _KEYS, (1,) if own.splits_keys else _QUERY_TILES)
    candidates = (replace(own, waves=w, keys=k, query_tiles=q) for w, k, q in choices)
    if own.splits_keys:
        return [numbers_of(lanes) for lanes in candidates if _own_fits(Own(lanes, rows), target)]
    return [numbers_of(lanes) for lanes in candidates if _lanes_fit(lanes, target)]


def allowed_tiles(own: Tile, target: Target, rows: int) -> list[Numbers]:
    """All that may take its place for so many rows of a head."""
    made = _by_matrix(own, own.instruction) if own.instruction else _by_lanes(own)
    # A tile of more rows than there are has waves without work.
    most = max(own.rows, 1 << (rows - 1).bit_length())
    return [numbers_of(tile) for tile in made if tile.rows <= most and _tile_fits(tile, target)]


def _lanes_fit(lanes: Lanes, target: Target) -> bool:
    """Whether lanes share a step evenly, and it fits LDS and registers."""
    if not _step_fits(lanes):
        return False
    lds = LdsTiles(lanes)
    pieces = lanes.keys * lds.key_accesses, lanes.keys * lanes.value_dim // lanes.access
    if lanes.count % lds.key_accesses or any(count % lanes.count for count in pieces):
        return False
    if lanes.keys % lds.block or lds.block > lanes.keys:
        return False
    return not target.lds_bytes or lds.bytes <= target.lds_bytes


def _own_fits(own: Own, target: Target) -> bool:
    """Whether what waves sum up fits LDS, and what a lane reads and sums up registers."""
    return own.fits(target) and _step_fits(own.lanes, len(own.value_reads) * own.access // 2)


def _step_fits(lanes: Lanes, read: int = 0) -> bool:
    """Whether a step is whole matrix instructions, and fits registers beside `read` of values."""
    if lanes.count > _MOST_LANES or lanes.keys % lanes.instruction.k:
        return False
    registers = len(lanes.queries) * (lanes.value_columns + lanes.key_count) + read
    return registers < _MOST_REGISTERS[64 if lanes.wave_size == 64 else 32]


def _by_matrix(own: Tile, instruction: MatrixInstruction) -> Iterator[Tile]:
    for waves, tiles, columns, keys in product(_WAVES, _QUERY_TILES, _COLUMN_WAVES, _KEYS):
        rows = waves * tiles * instruction.m
        yield replace(own, rows=rows, keys=keys, row_waves=waves, column_waves=columns)


def _by_lanes(own: Tile) -> Iterator[Tile]:
    rows_of_wave = own.rows // own.row_waves
    for waves, keys in product(_LANE_WAVES, _LANE_KEYS):
        yield replace(own, rows=rows_of_wave * waves, keys=keys, row_waves=waves)


def _tile_fits(tile: Tile, target: Target) -> bool:
    """Whether waves share a step evenly, and it fits shared memory and registers."""
    if tile.row_waves * tile.column_waves > _MOST_WAVES:
        return False
    if not tile.has_reading_lanes:
        return False
    if tile.instruction is None:
        return True
    if tile.keys % ((tile.chunk or 1) * tile.column_waves) or not tile.shares_columns:
        return False
    of_lane = (tile.value_dim + tile.keys) * tile.rows // tile.workgroup_size
    registers = _MOST_REGISTERS[64 if tile.wave_size == 64 else 32]
    return of_lane < registers and fits_shared_memory(tile, target)
