"""A comparison as plain text."""

from collections.abc import Iterator

from irattn.comparison.results import Comparison, Entry


def to_text(comparison: Comparison) -> str:
    """Each changed artifact with its reasons, then one line for all."""
    lines = [line for entry in comparison.changed for line in _entry(entry)]
    return "\n".join([*lines, comparison.summary]) + "\n"


def _entry(entry: Entry) -> Iterator[str]:
    yield f"{entry.verdict}  {entry.target}  {entry.name}"
    yield from (f"  - {reason}" for reason in entry.reasons)
    yield from (f"  {note}" for note in entry.notes)
    for item in entry.differences:
        if item.diff:
            yield "  changes of the graph, without comments:"
            yield from (f"    {line}" for line in item.diff)
    yield ""
