"""The tensors of one workgroup, as a step has them.

m row, t key, k head column, n value column; c and e count chunks of head and value columns.
"""

from dataclasses import dataclass

from irattn.rendering.fused.tiles import Tile
from irattn.rendering.values import Value


@dataclass(frozen=True)
class Columns:
    """The columns of keys or of values, `real` of them, as a tile has them.

    `sizes` and `letters` are those of chunks, if there are any, and of the columns of a chunk.
    Where the last chunk would not be full, it begins as much earlier, and has some columns again.
    """

    real: int
    sizes: tuple[int, ...]
    letters: tuple[str, ...]
    by_element: bool

    @property
    def chunks(self) -> int:
        """Chunks of columns."""
        return self.sizes[0] if len(self.sizes) > 1 else 1

    @property
    def width(self) -> int:
        """Columns of a chunk."""
        return self.sizes[-1]

    @property
    def last_start(self) -> int:
        """Where the last chunk begins."""
        return self.real - self.width

    @property
    def repeated(self) -> int:
        """Columns of the last chunk that others have."""
        return self.chunks * self.width - self.real

    @property
    def dims(self) -> str:
        """Their dimensions."""
        return ", ".join(self.letters)

    @property
    def read_row(self) -> int | None:
        """Columns of what one number reads; None for a single element."""
        return None if self.by_element else self.width

    @property
    def number_sizes(self) -> tuple[int, ...]:
        """Numbers that read one row."""
        return self.sizes if self.by_element else self.sizes[:-1]

    @property
    def number_letters(self) -> tuple[str, ...]:
        """Their dimensions."""
        return self.letters if self.by_element else self.letters[:-1]


@dataclass(frozen=True)
class Values:
    """Each tensor under the name that its piece of the graph gives it."""

    tile: Tile
    element: str
    head_dim: int
    value_dim: int

    @property
    def sizes(self) -> dict[str, int]:
        """Rows m and keys t."""
        return {"m": self.tile.rows, "t": self.tile.keys}

    @property
    def head(self) -> Columns:
        """The head columns."""
        return self._columns(self.head_dim, self.tile.key_columns, "ck")

    @property
    def value_columns(self) -> Columns:
        """The value columns."""
        return self._columns(self.value_dim, self.tile.value_columns, "en")

    def _columns(self, real: int, sizes: tuple[int, ...], letters: str) -> Columns:
        return Columns(real, sizes, tuple(letters[-len(sizes) :]), self.tile.reads_elements(real))

    @property
    def query(self) -> Value:
        """The rows of queries."""
        return Value("query_tile", (self.tile.rows, *self.head.sizes), self.element)

    @property
    def key(self) -> Value:
        """A step's keys."""
        return Value("key_tile", (self.tile.keys, *self.head.sizes), self.element)

    @property
    def value(self) -> Value:
        """A step's values as they are read."""
        return Value("value_tile", (self.tile.keys, *self.value_columns.sizes), self.element)

    @property
    def placed_query(self) -> Value:
        """Queries as the first product takes them."""
        name = "query_tile" if self.tile.places_query else "query_read"
        return Value(name, self.query.shape, self.element)

    @property
    def placed_key(self) -> Value:
        """A step's keys as the first product takes them."""
        return Value("keys_read" if self.tile.is_cpu else "keys", self.key.shape, self.element)

    @property
    def placed_value(self) -> Value:
        """A step's values as the second product takes them."""
        keys, *columns = self.value.shape
        shape = (*columns, keys) if self.tile.turns_values else self.value.shape
        return Value("values_read" if self.tile.is_cpu else "values", shape, self.element)

    @property
    def placed_value_dims(self) -> str:
        """Their dimensions."""
        columns = self.value_columns.dims
        return f"{columns}, t" if self.tile.turns_values else f"t, {columns}"

    @property
    def turn(self) -> list[int]:
        """How values are turned: keys go last."""
        return [*range(1, len(self.value.shape)), 0]

    @property
    def scores(self) -> Value:
        """Scores, logits and their exponentials."""
        return Value("scores", (self.tile.rows, self.tile.keys), "f32")

    @property
    def weights(self) -> Value:
        """What multiplies the values."""
        name = "exps" if self.element == "f32" else "weights"
        return Value(name, self.scores.shape, self.element)

    @property
    def acc(self) -> Value:
        """Weighted values, summed."""
        return Value("acc", (self.tile.rows, *self.value_columns.sizes), "f32")

    @property
    def row(self) -> Value:
        """A number for each row."""
        return Value("row", (self.tile.rows,), "f32")

    @property
    def output(self) -> Value:
        """The finished rows."""
        return Value("output_tile", self.acc.shape, self.element)

    @property
    def row_numbers(self) -> Value:
        """Which rows they are."""
        return Value("row_numbers", (self.tile.rows,), "i32")

    @property
    def key_numbers(self) -> Value:
        """Which rows of keys and values a step reads."""
        return Value("key_numbers", (self.tile.keys,), "i32")
