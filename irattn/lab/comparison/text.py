"""A comparison as plain text."""

from collections.abc import Iterator
from itertools import groupby

from irattn.lab.comparison.results import Comparison, Entry


def to_text(comparison: Comparison) -> str:
    """Each changed artifact with its reasons, then one line for all."""
    lines = []
    for are_lone, entries in groupby(comparison.changed, key=lambda entry: entry.is_lone):
        if are_lone:
            lines += [*map(_line, entries), ""]
        else:
            lines += [line for entry in entries for line in _entry(entry)]
    return "\n".join([*lines, comparison.summary]) + "\n"


def _line(entry: Entry) -> str:
    return f"{entry.verdict}  {entry.target}  {entry.name}: {entry.reasons[0]}"


def _entry(entry: Entry) -> Iterator[str]:
    yield f"{entry.verdict}  {entry.target}  {entry.name}"
    yield from (f"  - {reason}" for reason in entry.reasons)
    yield from (f"  {name} is {kernel}" for name, kernel in entry.kernels.items())
    yield from (f"  {note}" for note in entry.notes)
    for item in entry.differences:
        if item.diff:
            yield "  changes of the graph, without comments:"
            yield from (f"    {line}" for line in item.diff)
    yield ""
