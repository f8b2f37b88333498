"""Choose the kernel and the tile of a spec on a target, and tell which tiles may be chosen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from irattn.core.tensors import Role, largest
from irattn.rendering.attention.arguments import storage_of
from irattn.rendering.attention.copied import are_copied, plan_copied
from irattn.rendering.attention.grid import Grid, grid_of
from irattn.rendering.attention.group_heads import heads_of_tile
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.rendering.attention.lanes_table import table_tile as table_tile_of_lanes
from irattn.rendering.attention.lds import plan_lds
from irattn.rendering.attention.own import OwnPlan, plan_own
from irattn.rendering.attention.plan_lanes import plan_lanes
from irattn.rendering.attention.tensor_tile import (
    TensorTile,
    fits_shared_memory,
    has_reading_lanes,
    shares_columns,
)
from irattn.rendering.attention.tiles_table import table_tile
from irattn.rendering.attention.wide import plan_wide
from irattn.rendering.cache_formats import QuantisedCache, quantised_cache
from irattn.specs.features import AttentionFeatures
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

# Keys of a part, where keys are cut into parts.
_PART_KEYS = (64, 128, 192, 256, 512, 1024)

# Registers that a lane can address: those of sums and scores alone must be fewer.
_MOST_REGISTERS = {32: 256, 64: 512}

_LANES_NAMES = ("waves", "keys", "query_tiles")
_MATRIX_NAMES = ("rows", "keys", "row_waves", "column_waves")
_TILE_NAMES = ("rows", "keys", "row_waves")


@dataclass(frozen=True)
class Choice:
    """The grid of workgroups, and the tile of each: of lanes, or of tensors."""

    grid: Grid
    tile: LanesTile | TensorTile

    @property
    def numbers(self) -> Numbers:
        """The numbers that may be chosen, as they are now."""
        parts = {"part_keys": self.grid.part_keys} if self.grid.is_split else {}
        return _numbers_of(self.tile) | parts


def choose(
    spec: AttentionFeatures, target: Target, numbers: Mapping[str, int] | None = None
) -> Choice:
    """The choice of the tables, but for the numbers that are given."""
    given: dict[str, Any] = dict(numbers or {})
    grid = grid_of(spec, target, given.pop("part_keys", None))
    if tile := _lanes_tile(spec, target, grid):
        tile = replace(tile, **given)
        heads = heads_of_tile(spec, target, grid, tile)
        return Choice(replace(grid, heads=grid.heads // heads), replace(tile, heads=heads))
    return Choice(grid, replace(table_tile(spec, target, grid.rows_at_once), **given))


def _lanes_tile(spec: AttentionFeatures, target: Target, grid: Grid) -> LanesTile | None:
    """The tile at the level of lanes; None where that is not written out."""
    # IREE 3.13.0 stores a finished single row to memory of its own, in silence.
    if grid.has_one_row and not grid.is_split:
        return None
    tile = table_tile_of_lanes(spec, target, storage_of(spec, Role.QUERY), grid.group_rows)
    # Rows of several heads are finished by the merge alone where waves share keys through LDS.
    has_own_keys = tile and (tile.splits_keys or tile.column_waves > 1)
    if tile and grid.has_head_rows and not (has_own_keys or grid.is_split):
        return None
    if tile and tile.splits_keys:
        lanes = plan_lanes(spec, target, tile)
        own = plan_own(lanes, grid, target.lds_bytes, quantised_cache(spec))
        return tile if _fits_lds(own, target) else None
    return tile


def allowed_tiles(spec: AttentionFeatures, target: Target) -> list[Numbers]:
    """All that may be chosen: what the templates can say, and what fits by its sizes."""
    own = choose(spec, target)
    if isinstance(own.tile, TensorTile):
        return _with_parts(_allowed_tensor_tiles(own.tile, target, own.grid), spec, own.grid)
    tiles = _with_parts(_allowed_lanes(own.tile, spec, target, own.grid), spec, own.grid)
    if not own.tile.splits_keys:
        return tiles
    # Waves share a part in whole steps.
    return [
        tile
        for tile in tiles
        if tile.get("part_keys", own.grid.part_keys) % (tile["waves"] * tile["keys"]) == 0
    ]


def _with_parts(tiles: list[Numbers], spec: AttentionFeatures, grid: Grid) -> list[Numbers]:
    """Tiles with the lengths that parts of the keys may have, if any: whole steps, and several."""
    if not grid.is_split:
        return tiles
    keys = largest(spec.num_keys)
    return [
        {**tile, "part_keys": part}
        for tile, part in product(tiles, _PART_KEYS)
        if part < keys and part % tile["keys"] == 0
    ]


def _numbers_of(tile: LanesTile | TensorTile) -> Numbers:
    if isinstance(tile, LanesTile):
        names: tuple[str, ...] = _LANES_NAMES
    else:
        names = _MATRIX_NAMES if tile.instruction else _TILE_NAMES
    return {name: getattr(tile, name) for name in names}


# Tiles at the level of lanes.


def _allowed_lanes(
    own: LanesTile, spec: AttentionFeatures, target: Target, grid: Grid
) -> list[Numbers]:
    """All that may take the place of a tile where lanes are written out."""
    if own.column_waves > 1:
        return _allowed_wide(own, spec, target)
    choices = product(_WAVES, _KEYS, (1,) if own.splits_keys else _QUERY_TILES)
    tiles = (replace(own, waves=w, keys=k, query_tiles=q, heads=1) for w, k, q in choices)
    fitting = []
    for tile in tiles:
        lanes = plan_lanes(spec, target, tile)
        if own.splits_keys:
            fits = _own_fits(lanes, grid, target, quantised_cache(spec))
        else:
            fits = _lanes_fit(lanes, target, quantised_cache(spec))
        fitting += [_numbers_of(tile)] if fits else []
    return fitting


def _allowed_wide(own: LanesTile, spec: AttentionFeatures, target: Target) -> list[Numbers]:
    """Keys follow from the waves that share the value columns."""
    tiles = [replace(own, waves=own.column_waves * rows) for rows in _QUERY_TILES]
    plans = [(tile, plan_wide(plan_lanes(spec, target, tile))) for tile in tiles]
    most = target.lds_bytes
    return [_numbers_of(tile) for tile, plan in plans if not most or plan.bytes <= most]


def _lanes_fit(lanes: LanesPlan, target: Target, cache: QuantisedCache | None) -> bool:
    """Whether lanes share a step evenly, and it fits LDS and registers."""
    columns = (lanes.head_dim, lanes.value_dim)
    pieces = [lanes.keys * column // lanes.access for column in columns]
    if not _step_fits(lanes) or any(count % lanes.count for count in pieces):
        return False
    if are_copied(lanes, cache):
        return plan_copied(lanes, has_table=False).bytes <= (target.lds_bytes or 0)
    lds = plan_lds(lanes)
    if lanes.count % lds.key_accesses or lanes.keys % lds.block or lds.block > lanes.keys:
        return False
    return not target.lds_bytes or lds.bytes <= target.lds_bytes


def _own_fits(lanes: LanesPlan, grid: Grid, target: Target, cache: QuantisedCache | None) -> bool:
    """Whether what waves sum up fits LDS, and what a lane reads and sums up registers."""
    own = plan_own(lanes, grid, target.lds_bytes, cache)
    read = len(own.value_reads) * own.access // 2
    return _fits_lds(own, target) and _step_fits(lanes, read)


def _fits_lds(own: OwnPlan, target: Target) -> bool:
    """Whether queries and the sums of all waves fit LDS."""
    return target.lds_bytes is None or own.bytes <= target.lds_bytes


def _step_fits(lanes: LanesPlan, read: int = 0) -> bool:
    """Whether a step is whole matrix instructions, and fits registers beside `read` of values."""
    if lanes.count > _MOST_LANES or lanes.keys % lanes.instruction.k:
        return False
    registers = len(lanes.queries) * (lanes.value_columns + lanes.key_count) + read
    return registers < _MOST_REGISTERS[64 if lanes.wave_size == 64 else 32]


# Tiles at the level of tensors.


def _allowed_tensor_tiles(own: TensorTile, target: Target, grid: Grid) -> list[Numbers]:
    """All that may take the place of a tile for the rows of a head."""
    made = _by_matrix(own, own.instruction) if own.instruction else _by_lanes(own)
    # A tile of more rows than there are has waves without grid.
    most = max(own.rows, 1 << (grid.most_rows - 1).bit_length())
    return [_numbers_of(tile) for tile in made if tile.rows <= most and _tile_fits(tile, target)]


def _by_matrix(own: TensorTile, instruction: MatrixInstruction) -> Iterator[TensorTile]:
    for waves, tiles, columns, keys in product(_WAVES, _QUERY_TILES, _COLUMN_WAVES, _KEYS):
        rows = waves * tiles * instruction.m
        yield replace(own, rows=rows, keys=keys, row_waves=waves, column_waves=columns)


def _by_lanes(own: TensorTile) -> Iterator[TensorTile]:
    rows_of_wave = own.rows // own.row_waves
    for waves, keys in product(_LANE_WAVES, _LANE_KEYS):
        yield replace(own, rows=rows_of_wave * waves, keys=keys, row_waves=waves)


def _tile_fits(tile: TensorTile, target: Target) -> bool:
    """Whether waves share a step evenly, and it fits shared memory and registers."""
    if tile.row_waves * tile.column_waves > _MOST_WAVES:
        return False
    if not has_reading_lanes(tile):
        return False
    if tile.instruction is None:
        return True
    if tile.keys % (tile.least_columns * tile.column_waves) or not shares_columns(tile):
        return False
    of_lane = (tile.value.real + tile.keys) * tile.rows // tile.workgroup_size
    registers = _MOST_REGISTERS[64 if tile.wave_size == 64 else 32]
    return of_lane < registers and fits_shared_memory(tile, target)
