"""The columns of a head, as a tile has them.

k head column, n value column; c and e count chunks of head and value columns.
"""

from dataclasses import dataclass


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
