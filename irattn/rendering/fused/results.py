"""What a workgroup writes, and where."""

from dataclasses import dataclass

from irattn.rendering.fused.arguments import Flat
from irattn.rendering.fused.columns import Columns
from irattn.rendering.fused.lanes import Lanes, Own
from irattn.rendering.values import Value


@dataclass(frozen=True)
class RowResult:
    """A result of the kernel: a matrix of rows, of which a workgroup writes a tile.

    `made` is the tile, of which fewer rows may be real where `cuts_rows`, and just one where
    `is_one_row`: then what is stored has no dimension of rows, as IREE 3.13.0 stores a tensor of
    one row, and a number that was taken out of a tensor, to memory of its own, in silence.
    `columns` is None where a row is one number.
    """

    flat: Flat
    made: Value
    columns: Columns | None
    cuts_rows: bool
    is_one_row: bool

    @property
    def name(self) -> str:
        """The name of the whole."""
        return self.flat.name

    @property
    def value(self) -> Value:
        """The whole."""
        return self.flat.value

    @property
    def is_picked(self) -> bool:
        """Whether what is stored is not just the tile."""
        return self.cuts_rows or self.made.shape[1:] != self.sizes[1:]

    @property
    def sizes(self) -> tuple[int | str, ...]:
        """How much of the whole a workgroup writes."""
        rows: int | str = "%rows_here" if self.cuts_rows else self.made.shape[0]
        rows = 1 if self.is_one_row else rows
        return (rows, self.columns.real) if self.columns else (rows,)

    @property
    def stored(self) -> Value:
        """What is stored of the tile."""
        name = f"{self.name}_stored" if self.is_picked else self.made.name
        return Value(name, self.sizes[1:] if self.is_one_row else self.sizes, self.made.element)

    @property
    def chosen_rows(self) -> str:
        """The number of rows, where the call chooses it."""
        return "%rows_here" if self.cuts_rows and not self.is_one_row else ""

    def part_of(self, lanes: Lanes, own: Own | None) -> Value:
        """What one lane writes of the tile: a piece of a row at most where waves split the keys."""
        name, element = self.flat.tensor.name, self.made.element
        rows: int | str = "%own_rows" if self.cuts_rows else 1 if own else len(lanes.queries)
        if self.columns is None:
            return Value(name, ("%own_numbers" if own else rows,), element)
        return Value(name, (rows, own.piece if own else lanes.value_columns), element)


@dataclass(frozen=True)
class Merged:
    """An output as the merge of parts writes it: row by row."""

    flat: Flat

    @property
    def name(self) -> str:
        """The name of the whole."""
        return self.flat.name

    @property
    def value(self) -> Value:
        """The whole."""
        return self.flat.value
