"""What a workgroup writes, and where."""

from dataclasses import dataclass

from irattn.rendering.attention.arguments import Flat, KernelTensor
from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.own import OwnPlan
from irattn.rendering.values import Value


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
    cuts_rows: bool
    is_one_row: bool
    # Whether what is stored is not just the tile.
    is_picked: bool
    # How much of the whole a workgroup writes, and what is stored of the tile.
    sizes: tuple[int | str, ...]
    stored: Value
    # The number of rows, where the call chooses it.
    chosen_rows: str

    def part_of(self, lanes: LanesPlan, own: OwnPlan | None) -> Value:
        """What one lane writes of the tile: a piece of a row at most where waves split the keys."""
        name, element = self.flat.tensor.name, self.made.element
        rows: int | str = "%own_rows" if self.cuts_rows else 1 if own else len(lanes.queries)
        if self.columns is None:
            return Value(name, ("%own_numbers" if own else rows,), element)
        return Value(name, (rows, own.piece if own else lanes.value_columns), element)


def row_result(
    flat: Flat, made: Value, columns: Columns | None, cuts_rows: bool, is_one_row: bool
) -> RowResult:
    """A result of which `made` is the tile."""
    rows: int | str = "%rows_here" if cuts_rows else made.shape[0]
    rows = 1 if is_one_row else rows
    sizes = (rows, columns.real) if columns else (rows,)
    is_picked = cuts_rows or made.shape[1:] != sizes[1:]
    name = f"{flat.value.name}_stored" if is_picked else made.name
    return RowResult(
        flat=flat,
        name=flat.value.name,
        value=flat.value,
        made=made,
        columns=columns,
        cuts_rows=cuts_rows,
        is_one_row=is_one_row,
        is_picked=is_picked,
        sizes=sizes,
        stored=Value(name, sizes[1:] if is_one_row else sizes, made.element),
        chosen_rows="%rows_here" if cuts_rows and not is_one_row else "",
    )


@dataclass(frozen=True)
class Merged:
    """An output as the merge of parts writes it: row by row."""

    flat: Flat
    name: str
    value: KernelTensor


def merged(flat: Flat) -> Merged:
    """An output of the merge."""
    return Merged(flat, flat.value.name, flat.value)
