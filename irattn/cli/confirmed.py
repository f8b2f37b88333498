"""`irattn tune --confirm`: measure what a tuning file ranks, and write a report."""

from collections.abc import Sequence
from pathlib import Path

import click

from irattn import targets
from irattn.cli.common import counted, echo_json, echo_table
from irattn.cli.repeat import command_line
from irattn.errors import DeviceError, TuningError, UsageError
from irattn.progress import step
from irattn.store import default_root
from irattn.tuning import Entry, read_tuning
from irattn.tuning.confirming import DEFAULT_TILES, Confirmation, confirm, write_report


def confirm_file(
    path: Path,
    names: Sequence[str],
    target_names: Sequence[str],
    device: str,
    tiles: int | None,
    output: Path | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Measure the entries of a file whose targets' code runs here; say which do not.

    TuningError where the file has none of those asked for, DeviceError where none runs here.
    """
    entries = _chosen(path, names, target_names)
    report = output or path.with_suffix(".report.json")
    if report.resolve() == path.resolve():
        raise UsageError(f"{report}: is the tuning file; name another file for the report with -o")
    found, elsewhere = [], []
    for entry in entries:
        with step(f"{entry.name} for {entry.target}"):
            try:
                place = (root or default_root()) / ".tuning"
                found.append(confirm(entry, device, tiles or DEFAULT_TILES, place))
            except DeviceError as error:
                elsewhere.append(f"{entry.name} for {entry.target}: {error}")
                continue
        if not as_json:
            _print(found[-1])
    for line in elsewhere:
        click.echo(f"Note: not measured: {line}", err=True)
    if not found:
        raise DeviceError(f"{path}: nothing in it runs on a device that is here")
    write_report(report, path, found, command_line())
    if as_json:
        echo_json({"path": str(report), "entries": [one.to_dict() for one in found]})
    else:
        click.echo(f"{counted(found, 'entry', 'entries')} measured; the report is {report}")


def _chosen(path: Path, names: Sequence[str], target_names: Sequence[str]) -> list[Entry]:
    wanted = {targets.get(name).name for name in target_names}
    entries = read_tuning(path).entries
    found = [
        one
        for one in entries
        if (not names or one.name in names) and (not wanted or one.target in wanted)
    ]
    if not found:
        there = ", ".join(f"{one.name} for {one.target}" for one in entries) or "nothing"
        raise TuningError(f"{path}: has {there:.300}, and none of what was asked for")
    return found


def _print(found: Confirmation) -> None:
    """The tiles in the order of their estimates, with their times and ranks."""
    entry = found.entry
    medians = [one.measured["median"] for one in found.tiles]
    click.echo(f"\n{entry.name} for {entry.target}, on device {found.device}")
    click.echo(f"  ranked by {entry.ranked_by}\n")
    rows = [
        [
            i,
            *one.tile.values(),
            "" if one.estimate is None else f"{one.estimate:.6g}",
            f"{one.measured['median'] * 1e3:.4g}",
            f"{one.measured['lower'] * 1e3:.4g}-{one.measured['upper'] * 1e3:.4g}",
            sorted(medians).index(one.measured["median"]) + 1,
            "table" if one.tile == entry.own_tile else "",
        ]
        for i, one in enumerate(found.tiles, 1)
    ]
    headers = ["rank", *entry.own_tile, "estimate", "ms", "quartiles", "rank by time", ""]
    echo_table(rows, headers)
    click.echo(f"\n{_words(found)}\n")


def _words(found: Confirmation) -> str:
    """How well the order holds."""
    correlation, loss = found.rank_correlation, found.top_loss
    if correlation is None or loss is None:
        return "estimates order nothing here: there is no rank correlation"
    return (
        f"rank correlation of estimates and times: {correlation:.2f} over {len(found.tiles)} "
        f"tiles{_own_words(found)}; the first in rank takes {loss:.1%} more time than the quickest"
    )


def _own_words(found: Confirmation) -> str:
    own = found.own_correlation
    return "" if own is None else f" (of one half of the times and the other: {own:.2f})"
