"""The step of a workgroup's lanes, or of a core, at the level of tensors."""

from dataclasses import dataclass, field

from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.layouts import (
    CpuProduct,
    Held,
    Layout,
    Product,
    as_rows,
    held_by_lanes,
    held_by_matrix,
    spread,
    turned,
)
from irattn.rendering.attention.tensor_tile import (
    TensorTile,
    lanes_of_row,
    places_query,
    power_within,
)


@dataclass(frozen=True, kw_only=True)
class TilesPlan:
    """Rows and keys of a step, and how they are spread over lanes, or go through a core."""

    rows: int
    keys: int
    head: Columns
    value: Columns
    wave_size: int | None
    workgroup_size: int
    # Whether a core, not a workgroup, does the grid. Workgroups put keys and values into the memory
    # that they share first, and some queries too.
    is_cpu: bool
    places_query: bool
    # Whether values are turned on their way to the product: matrix instructions take neighbours
    # along the keys.
    turns_values: bool

    # On a CPU, either product: rows, columns, and what is summed; and what is done to rows and
    # columns without a sum.
    cpu_product: CpuProduct | None = None
    cpu_elements: CpuProduct | None = None
    # The two products of a workgroup: rows, keys, head columns; and rows, value columns, keys.
    query_key: Product | None = None
    weights_value: Product | None = None
    # How queries, keys and values come from memory there, and how scores are held, along rows m
    # and keys t.
    query_layout: Layout | None = None
    key_layout: Layout | None = None
    value_layout: Layout | None = None
    held_scores: dict[str, Held] = field(default_factory=dict)

    def operand_layout(self, dims: tuple[str, ...]) -> Layout:
        """How single elements for rows m and keys t come from memory."""
        shape = tuple({"m": self.rows, "t": self.keys}[dim] for dim in dims)
        return as_rows(shape, 1, self.workgroup_size)

    def score_layout(self, dims: tuple[str, ...]) -> Layout:
        """How the first product leaves its result, along rows m, keys t or both."""
        parts = [self.held_scores[dim] for dim in dims]
        return Layout(
            [part.subgroups for part in parts],
            [part.batch for part in parts],
            [part.lanes for part in parts],
            [part.elements for part in parts],
            [part.subgroup_stride if part.subgroups > 1 else 0 for part in parts],
            [part.lane_stride if part.lanes > 1 else 0 for part in parts],
            [part.outer for part in parts],
        )


def plan_tiles(tile: TensorTile) -> TilesPlan:
    """How such a tile is spread over a workgroup's lanes."""
    if tile.wave_size is None:
        return _plan_core(tile)
    query_key, weights_value = _products(tile)
    return TilesPlan(
        rows=tile.rows,
        keys=tile.keys,
        head=tile.head,
        value=tile.value,
        wave_size=tile.wave_size,
        workgroup_size=tile.workgroup_size,
        is_cpu=False,
        places_query=places_query(tile),
        turns_values=tile.instruction is not None,
        query_key=query_key,
        weights_value=weights_value,
        query_layout=_rows_read(tile, tile.rows, tile.head),
        key_layout=_rows_read(tile, tile.keys, tile.head),
        value_layout=_value_layout(tile),
        held_scores=_held(tile),
    )


def _plan_core(tile: TensorTile) -> TilesPlan:
    """How a core goes through a tile."""
    return TilesPlan(
        rows=tile.rows,
        keys=tile.keys,
        head=tile.head,
        value=tile.value,
        wave_size=None,
        workgroup_size=tile.workgroup_size,
        is_cpu=True,
        places_query=False,
        turns_values=False,
        cpu_elements=CpuProduct([0, 0], [tile.cpu_block, 16], []),
        cpu_product=CpuProduct([0, 0, 0], [tile.cpu_block, 16, 0], [0, 0, tile.cpu_block]),
    )


def _rows_read(tile: TensorTile, rows: int, columns: Columns) -> Layout:
    return as_rows((rows, *columns.sizes), _at_once(tile, columns), tile.workgroup_size)


def _value_layout(tile: TensorTile) -> Layout:
    if not tile.instruction:
        return _rows_read(tile, tile.keys, tile.value)
    shape, access = (tile.keys, *tile.value.sizes), _at_once(tile, tile.value)
    return turned(shape, access, tile.wave_size or 1, tile.workgroup_size)


def _at_once(tile: TensorTile, columns: Columns) -> int:
    return 1 if columns.by_element else tile.access


def _held(tile: TensorTile) -> dict[str, Held]:
    """How the scores of rows m and keys t are held."""
    if tile.instruction is None:
        return held_by_lanes(tile.rows, tile.keys, tile.row_waves, *_lanes_of_rows(tile))
    return held_by_matrix(tile.instruction, tile.rows, tile.keys, tile.row_waves, tile.column_waves)


def _products(tile: TensorTile) -> tuple[Product, Product]:
    """Scores, of rows, keys and head columns; and weighted values, with the keys last."""
    ones, instruction = [1] * len(tile.head.sizes), tile.instruction
    of_scores = [tile.row_waves, tile.column_waves, *ones]
    columns = [tile.column_waves, 1] if tile.value.chunks > 1 else [tile.column_waves]
    of_values = [tile.row_waves, *columns, 1]
    if instruction:
        return spread(of_scores, instruction), spread(of_values, instruction)
    rows, lanes = _lanes_of_rows(tile)
    head_lanes, head_wide = _lanes_along(tile.head, lanes, tile.access)
    value_lanes, value_wide = _lanes_along(tile.value, lanes, tile.access)
    return (
        spread(of_scores, None, [rows, 1, *head_lanes], [1, 1, *head_wide]),
        spread(of_values, None, [rows, *value_lanes, 1], [1, *value_wide, 1]),
    )


def _lanes_of_rows(tile: TensorTile) -> tuple[int, int]:
    """Rows that the lanes of a wave take at once, and lanes that share one."""
    wave = tile.wave_size or 1
    lanes = lanes_of_row(tile.head, tile.value, wave)
    return wave // lanes, lanes


def _lanes_along(columns: Columns, lanes: int, access: int) -> tuple[list[int], list[int]]:
    """Lanes along chunks of columns, if any, and along those of one; what each takes."""
    chunks = [1] * (len(columns.sizes) - 1)
    return [*chunks, lanes], [*chunks, power_within(columns.width // lanes, access)]
