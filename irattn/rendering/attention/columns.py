"""The columns of a head, as a tile has them.

k head column, n value column; c and e count chunks of head and value columns.
"""

from dataclasses import dataclass

HEAD_LETTERS, VALUE_LETTERS = "ck", "en"


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of keys or of values, `real` of them, as a tile has them.

    `sizes` and `letters` are those of chunks, if there are any, and of the columns of a chunk.
    Where the last chunk would not be full, it begins as much earlier, and has some columns again.
    """

    real: int
    sizes: tuple[int, ...]
    letters: str
    # Chunks, columns of one, where the last one begins, and columns of it that others have.
    chunks: int
    width: int
    last_start: int
    repeated: int
    # Whether single elements are read, and columns of what one number reads; None for an element.
    by_element: bool
    read_row: int | None
    # Numbers from a row in memory to the next, and those that read one row, with their dimensions.
    numbers_in_row: int
    number_sizes: tuple[int, ...]
    number_letters: str


def columns_of(
    real: int,
    letters: str,
    width: int | None = None,
    by_element: bool = False,
    in_memory: int | None = None,
) -> Columns:
    """So many columns, in chunks of a width, if any: `letters` are those of chunk and column.

    `in_memory` are the columns of a row in memory, the first of which these are; None: no others.
    """
    in_memory = in_memory or real
    chunks, width = (-(-real // width), width) if width else (1, real)
    sizes = (chunks, width) if chunks > 1 else (width,)
    own = letters[-len(sizes) :]
    return Columns(
        real=real,
        sizes=sizes,
        letters=own,
        chunks=chunks,
        width=width,
        last_start=real - width,
        repeated=chunks * width - real,
        by_element=by_element,
        read_row=None if by_element else width,
        numbers_in_row=in_memory if by_element else -(-in_memory // width),
        number_sizes=sizes if by_element else sizes[:-1],
        number_letters=own if by_element else own[:-1],
    )
