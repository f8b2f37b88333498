"""A comparison as Markdown, to be posted on a pull request."""

from collections.abc import Iterable, Iterator, Sequence

from irattn.lab.comparison.differences import Difference
from irattn.lab.comparison.numerics import Numerics
from irattn.lab.comparison.results import Comparison, Entry
from irattn.lab.comparison.verdicts import number, ordered, sentence
from irattn.lab.comparison.vocabulary import METRICS

# GitHub takes comments of up to 65,536 characters; what is beyond this is left to other formats.
_MOST_CHARACTERS = 60_000
# More rows than this are folded, those that fall short first.
_MOST_ROWS = 25

NUMERICS_HEADS = "case", "side", "max abs", "relative", "worst row", "tolerance", "times allowed"


def to_markdown(comparison: Comparison) -> str:
    """Summary, table of what changed, and the details of each, folded; the rest is counted."""
    outcome = "falls short of" if comparison.falls_short else "meets"
    head = [
        f"### {comparison.summary}",
        "",
        f"`{comparison.baseline}` → `{comparison.candidate}`: **{outcome} the policy.**",
    ]
    blocks = ["\n".join(head), *_overview(comparison.changed)]
    used = sum(map(len, blocks))
    compared = [entry for entry in comparison.changed if not entry.is_lone]
    for done, entry in enumerate(compared):
        block = "\n".join(_details(entry))
        used += len(block)
        if used > _MOST_CHARACTERS:
            left = len(compared) - done
            blocks.append(f"The details of {left} more are in `--format html` and `json`.")
            break
        blocks.append(block)
    return "\n\n".join(blocks) + "\n"


def _overview(changed: Sequence[Entry]) -> Iterator[str]:
    heads = ("verdict", "target", "artifact", "why")
    rows = [(f"**{e.verdict}**", e.target, f"`{e.name}`", _why(e)) for e in changed]
    if rows:
        yield "\n".join(_table(heads, rows[:_MOST_ROWS]))
    if rows[_MOST_ROWS:]:
        yield "\n".join(_folded(f"{len(rows) - _MOST_ROWS} more", _table(heads, rows[_MOST_ROWS:])))


def _why(entry: Entry) -> str:
    first, *others = entry.reasons
    return f"{first} (and {len(others)} more)" if others else first


def _details(entry: Entry) -> Iterator[str]:
    yield from _folded(
        f"{entry.verdict}: <code>{entry.name}</code> for {entry.target}", _body(entry)
    )


def _body(entry: Entry) -> Iterator[str]:
    yield from (f"- {reason}" for reason in main_reasons(entry))
    yield from (f"- {note}" for note in entry.notes)
    yield from (f"- {name} is `{kernel}`" for name, kernel in entry.kernels.items())
    figures = [_figure(item) for item in ordered(entry.differences) if item.what in METRICS]
    if figures:
        yield ""
        yield from _table(("dispatch", "figure", "baseline", "candidate", "effect"), figures)
    if entry.numerics and entry.numerics.candidate:
        yield ""
        yield from _table(NUMERICS_HEADS, numerics_rows(entry.numerics))
    for item in entry.differences:
        if item.diff:
            yield from ("", "```diff", *item.diff, "```")


def main_reasons(entry: Entry) -> Iterator[str]:
    """The reasons without the figures that do not count: the table has them."""
    neutral = {
        sentence(item)
        for item in entry.differences
        if item.what in METRICS and item.effect == "neutral"
    }
    return (reason for reason in entry.reasons if reason not in neutral)


def _figure(item: Difference) -> tuple[str, ...]:
    words = METRICS[item.what].words
    return item.dispatch or "all", words, number(item.before), number(item.after), item.effect


def numerics_rows(numerics: Numerics) -> Iterator[tuple[str, ...]]:
    """A row for each case and side, those of a case together."""
    sides = [("baseline", numerics.baseline), ("candidate", numerics.candidate)]
    ran = [(name, side) for name, side in sides if side]
    for index in range(len(ran[0][1].cases)):
        for name, side in ran:
            case = side.cases[index]
            errors = (case.max_abs, case.relative, case.worst_row, case.tolerance)
            yield case.case, name, *(f"{error:.1e}" for error in errors), f"{case.strain:.3g}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|---" * len(heads) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _folded(summary: str, lines: Iterable[str]) -> Iterator[str]:
    # Markdown inside needs the blank lines.
    yield from (f"<details><summary>{summary}</summary>", "", *lines, "", "</details>")
