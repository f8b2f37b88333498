"""Who holds what of a tile: subgroups, lanes and their neighbours."""

from dataclasses import dataclass

from irattn.rendering.attention.tensor_tile import power_within
from irattn.targets import MatrixInstruction


@dataclass(frozen=True)
class Layout:
    """Which subgroup and lane holds what of a tile, along each of its dimensions.

    From the outside in: subgroups, repetitions, lanes, neighbours of one lane. Strides count
    subgroups and lanes.
    """

    subgroups: list[int]
    batch: list[int]
    lanes: list[int]
    elements: list[int]
    subgroup_strides: list[int]
    lane_strides: list[int]
    # Repetitions within what one instruction holds.
    outer: list[int]


@dataclass(frozen=True)
class Held:
    """How one dimension of a result is held."""

    subgroups: int
    subgroup_stride: int
    batch: int
    outer: int
    lanes: int
    lane_stride: int
    elements: int


# Along the 16 rows of a matrix instruction's result: repetitions, lanes and neighbours of a lane.
# Its columns are one to a lane. Turned instructions hold columns so and rows one to a lane.
_HELD_ROWS = {"WMMAR3": (8, 2, 1), "WMMAR4": (1, 2, 8), "WMMA": (1, 2, 8), "MFMA": (1, 4, 4)}


def held_by_matrix(
    instruction: MatrixInstruction, rows: int, keys: int, row_waves: int, column_waves: int
) -> dict[str, Held]:
    """How the scores of rows m and keys t are held by waves of matrix instructions."""
    m_batch = rows // row_waves // instruction.m
    t_batch = keys // column_waves // instruction.n
    m = (row_waves, column_waves, m_batch)
    t = (column_waves, 1, t_batch)
    if instruction.family == "NV":
        return {"m": Held(*m, 2, 8, 4, 1), "t": Held(*t, 1, 4, 1, 2)}
    outer, lanes, elements = _HELD_ROWS[instruction.family]
    return {"m": Held(*m, 1, 16, 1, 1), "t": Held(*t, outer, lanes, 16, elements)}


def held_by_lanes(
    rows: int, keys: int, row_waves: int, lane_rows: int, row_lanes: int
) -> dict[str, Held]:
    """How the scores of rows m and keys t are held where some lanes of a wave share a row."""
    repetitions = rows // row_waves // lane_rows
    return {
        "m": Held(row_waves, 1, repetitions, 1, lane_rows, row_lanes, 1),
        "t": Held(1, 0, keys, 1, 1, 0, 1),
    }


@dataclass(frozen=True, kw_only=True)
class Product:
    """How a product is spread over subgroups and lanes, along its dimensions.

    `dims` are these by number, `zeros` a zero for each: what is not cut further.
    """

    subgroups: list[int]
    instruction: MatrixInstruction | None
    is_turned: bool
    lanes: list[int] | None
    elements: list[int] | None
    dims: list[int]
    zeros: list[int]


def spread(
    subgroups: list[int],
    instruction: MatrixInstruction | None = None,
    lanes: list[int] | None = None,
    elements: list[int] | None = None,
) -> Product:
    """A product of matrix instructions, or of lanes that have so many elements each.

    Instructions are turned where rows and columns are alike: a lane then holds one row of the
    result, so that what belongs to a row is there once.
    """
    return Product(
        subgroups=subgroups,
        instruction=instruction,
        is_turned=instruction is not None and instruction.m == instruction.n,
        lanes=lanes,
        elements=elements,
        dims=list(range(len(subgroups))),
        zeros=[0] * len(subgroups),
    )


@dataclass(frozen=True)
class CpuProduct:
    """How a CPU goes through a product: parts for each core, and what fits its registers."""

    distribution: list[int]
    parallel: list[int]
    reduction: list[int]


def as_rows(shape: tuple[int, ...], access: int, lanes: int) -> Layout:
    """Rows of columns: neighbouring lanes take neighbouring columns of a row.

    The last dimension is that of the columns. Lanes that are left over take what others take.
    """
    wide = power_within(shape[-1], access)
    columns = power_within(shape[-1] // wide, lanes)
    if len(shape) == 1:
        return Layout([1], [shape[0] // wide // columns], [columns], [wide], [0], [1], [1])
    rows = min(shape[0], lanes // columns)
    ones = [1] * (len(shape) - 2)
    return Layout(
        [1, *ones, 1],
        [shape[0] // rows, *shape[1:-1], shape[-1] // wide // columns],
        [rows, *ones, columns],
        [1, *ones, wide],
        [0] * len(shape),
        [columns, *[0] * len(ones), 1],
        [1, *ones, 1],
    )


def turned(shape: tuple[int, ...], access: int, wave: int, lanes: int) -> Layout:
    """Rows that are turned: the keys, first in `shape`, are the last dimension of the layout.

    Neighbouring lanes take neighbouring keys, so that what they write to LDS lies together. Waves
    take columns of their own where these are many.
    """
    keys, *chunks, width = shape
    wide = power_within(width, access)
    waves = power_within(width // wide, lanes // wave)
    columns = width // wide // waves
    keys_at_once = min(keys, (wave if waves > 1 else lanes) // columns)
    ones = [1] * len(chunks)
    zeros = [0] * len(chunks)
    return Layout(
        [*ones, waves, 1],
        [*chunks, 1, keys // keys_at_once],
        [*ones, columns, keys_at_once],
        [*ones, wide, 1],
        [*zeros, 1 if waves > 1 else 0, 0],
        [*zeros, 1, columns],
        [*ones, 1, 1],
    )
