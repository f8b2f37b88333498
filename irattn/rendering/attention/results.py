"""The results that a workgroup writes, and their places."""

from dataclasses import dataclass, replace
from typing import ClassVar

from irattn.core.dtypes import dtype
from irattn.core.tensors import DynamicSize, TensorType
from irattn.rendering.attention.arguments import Flat, KernelTensor, flat_by_head, flat_of
from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.grid import Grid, part_tensors
from irattn.rendering.attention.step import Step
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True, kw_only=True)
class RowResult:
    """A result of the kernel: a matrix of rows, of which a workgroup writes a tile.

    `made` is the tile, of which fewer rows may be real where `cuts_rows`, and just one where
    `is_one_row`: then what is stored has no dimension of rows, as IREE 3.13.0 stores a tensor of
    one row, and a number that was taken out of a tensor, to memory of its own, in silence.
    `columns` is None where a row is one number.
    """

    flat: Flat
    name: str
    value: KernelTensor
    made: Value
    columns: Columns | None
    # Whether the tile has the rows of several heads, one head after the other.
    is_by_head: bool
    cuts_rows: bool
    is_one_row: bool
    # Whether what is stored is not just the tile.
    is_picked: bool
    # How much of the whole a workgroup writes, and what is stored of the tile.
    sizes: tuple[int | str, ...]
    stored: Value
    # What one lane writes of the tile, where lanes are written out.
    part: Value | None


def results_of(spec: AttentionFeatures, grid: Grid, step: Step) -> list[RowResult]:
    """The results of workgroups: finished rows or, where keys are cut into parts, sums.

    Rows of columns come first, then numbers of rows.
    """
    tensors = part_tensors(spec, grid) if grid.is_split else list(spec.new_outputs)
    names = [f"{tensor.name}_tile" for tensor in tensors]
    if grid.is_split and not step.lanes:
        # What a loop over tensors ends with.
        names = ["acc_end", "max_end", "sum_end"]
    columns = [step.value_columns, *(None for _ in tensors[1:])]
    of_each = zip(tensors, names, columns, strict=True)
    return [_result(spec, grid, step, *of_one) for of_one in of_each]


def _result(
    spec: AttentionFeatures,
    grid: Grid,
    step: Step,
    tensor: TensorType,
    tile_name: str,
    columns: Columns | None,
) -> RowResult:
    """A result that is written under this name, by rows of columns or of one number each."""
    heads = step.lanes.heads if step.lanes else 1
    # Where rows are apart, those of neighbouring heads are one row of columns.
    is_by_head = heads > 1 and not (columns and grid.has_token_rows)
    by_head = (heads,) if is_by_head else ()
    flat, element = _flat(spec, grid, tensor, columns, is_by_head), dtype(tensor.dtype).mlir
    side_by_side = 1 if is_by_head else heads
    pieces = _pieces(step, side_by_side) if columns else ()
    of_row = pieces or (_sizes(columns, side_by_side) if columns else ())
    made = Value(tile_name, (*by_head, step.tile.rows, *of_row), element)
    is_chosen = isinstance(grid.rows_of_head, DynamicSize) or grid.is_packed
    cuts_rows = is_chosen or grid.most_rows % step.tile.rows != 0
    is_one_row = grid.has_one_row and not step.lanes
    rows: int | str = "rows_here" if cuts_rows else step.tile.rows
    rows = 1 if is_one_row else rows
    of_real = pieces or ((side_by_side * columns.real,) if columns else ())
    sizes = (*by_head, rows, *of_real)
    is_picked = cuts_rows or made.shape[1:] != sizes[1:]
    stored_name = f"{flat.name}_stored" if is_picked else tile_name
    part = _part(tensor.name, element, cuts_rows, columns is not None, step, grid.is_split)
    return RowResult(
        flat=flat,
        name=flat.name,
        value=_in_pieces(flat.value, *pieces[1:]) if pieces else flat.value,
        made=made,
        columns=columns,
        is_by_head=is_by_head,
        cuts_rows=cuts_rows,
        is_one_row=is_one_row,
        is_picked=is_picked,
        sizes=sizes,
        stored=Value(stored_name, sizes[1:] if is_one_row else sizes, element),
        part=replace(part, shape=(1, *part.shape)) if part and is_by_head else part,
    )


def _flat(
    spec: AttentionFeatures,
    grid: Grid,
    tensor: TensorType,
    columns: Columns | None,
    is_by_head: bool,
) -> Flat:
    """An output as rows; where rows are apart, all heads of a token are one row of it."""
    if is_by_head:
        return flat_by_head(tensor, columns.real if columns else None)
    if columns is None or not grid.has_token_rows:
        return flat_of(tensor, columns.real if columns else None)
    return flat_of(tensor, columns.real * spec.num_q_heads, leading=-2)


def _part(
    name: str, element: str, cuts_rows: bool, has_columns: bool, step: Step, is_part: bool
) -> Value | None:
    """One lane's part of a tile: a piece of a row at most where waves split the keys."""
    lanes, own = step.lanes, step.own
    if lanes is None:
        return None
    rows: int | str = "own_rows" if cuts_rows else 1 if own else len(lanes.queries)
    if not has_columns:
        return Value(name, ("own_numbers" if own else rows,), element)
    columns = own.piece if own else lanes.value_columns
    if lanes.pieces:
        return Value(name, (rows, len(lanes.pieces), 1, lanes.access), element)
    if step.copied and is_part:
        columns = lanes.value_dim
    return Value(name, (rows, columns), element)


def _sizes(columns: Columns, heads: int) -> tuple[int, ...]:
    """The columns of so many heads side by side: where these are several, columns are no chunks."""
    *chunks, width = columns.sizes
    return (*chunks, heads * width)


def _pieces(step: Step, heads: int) -> tuple[int, ...]:
    """A row of columns of so many heads as pieces, with an access of each group in turn, where
    lanes write these.
    """
    lanes = step.lanes
    return (heads * len(lanes.pieces), lanes.groups, lanes.access) if lanes and lanes.pieces else ()


def _in_pieces(value: KernelTensor, groups: int, access: int) -> KernelTensor:
    *rows, columns = value.shape
    assert isinstance(columns, int)
    shape = (*rows, columns // (groups * access), groups, access)
    return KernelTensor(value.name, shape, value.element)


@dataclass(frozen=True)
class Merged:
    """An output as the merge of parts writes it: row by row, what is `stored` of one."""

    flat: Flat
    name: str
    value: KernelTensor
    sizes: tuple[int, ...]
    stored: Value
    is_by_head: ClassVar[bool] = False


def merged(flat: Flat) -> Merged:
    """An output of the merge."""
    sizes = (1, *(size for size in flat.value.shape[1:] if isinstance(size, int)))
    stored = Value(f"{flat.value.name}_row", sizes, flat.value.element)
    return Merged(flat, flat.value.name, flat.value, sizes, stored)
