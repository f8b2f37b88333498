"""Tables that fit the terminal that they are printed on; elsewhere they are as wide as they are."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TextIO

_GAP = "  "

Column = tuple[str, ...]


def is_terminal(stream: TextIO | None) -> bool:
    """Whether stdout or stderr is one; where it is closed, Python has None for it."""
    return stream is not None and stream.isatty()


def terminal_width() -> int | None:
    """The columns of the terminal that stdout is; None where it is a file or a pipe."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None


def table(rows: Iterable[Sequence[Any]], headers: Sequence[str], width: int | None = None) -> str:
    """An aligned table.

    Where it is wider than `width` its columns move together, and those that are still too many go
    on below, each time after the first column. Cells that are too wide beside it take some lines.
    """
    # Not at the start: with it come modules that most commands do without.
    from tabulate import tabulate

    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    text = tabulate(cells, headers=headers, disable_numparse=True)
    if width is None or _width(text.splitlines()) <= width:
        return text
    columns = list(zip(headers, *cells, strict=True))
    return "\n\n".join(_close(part, width) for part in _parts(columns, width))


def cut(line: str, width: int | None) -> str:
    """A line that is no wider than `width`, with a sign that something is missing."""
    return line if width is None or len(line) <= width else f"{line[: width - 1]}…"


def _parts(columns: Sequence[Column], width: int) -> Iterator[list[Column]]:
    """Groups of columns, as many as fit side by side, each group after the first column of all."""
    first, *others = columns
    part = [first]
    for column in others:
        room = width - sum(_width(one) + len(_GAP) for one in part)
        if len(part) > 1 and _width(column) > room:
            yield part
            part = [first]
        part.append(column)
    yield part


def _close(columns: Sequence[Column], width: int) -> str:
    """Columns side by side, no wider than their cells, and the last one than the room for it."""
    *others, last = columns
    room = max(width - sum(_width(one) + len(_GAP) for one in others), len(last[0]))
    folded = [*([[cell] for cell in one] for one in others), [_folded(cell, room) for cell in last]]
    widths = [_width(line for cell in one for line in cell) for one in folded]
    head, *rows = (zip_longest(*row, fillvalue="") for row in zip(*folded, strict=True))
    rules = ["-" * one for one in widths]
    lines = [*head, rules, *(line for row in rows for line in row)]
    return "\n".join(_GAP.join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _folded(cell: str, width: int) -> list[str]:
    """The lines of a cell, cut between words where there is room for the longest of them."""
    words = cell.split(" ")
    if len(cell) <= width or max(map(len, words)) > width:
        return [cell]
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _width(texts: Iterable[str]) -> int:
    return max(map(len, texts))
