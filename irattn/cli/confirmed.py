"""`irattn tune --confirm`: measure what a tuning file ranks, and write a report."""

from collections.abc import Sequence
from pathlib import Path

import click

from irattn import targets
from irattn.cli.common import counted, echo_json, echo_table
from irattn.cli.repeat import command_line, say_repeats
from irattn.compiling.store import default_root
from irattn.core.errors import DeviceError, IrattnError, TuningError, UsageError
from irattn.core.progress import step
from irattn.lab.tuning import TuningEntry, read_tuning, tile_words
from irattn.lab.tuning.confirming import (
    DEFAULT_TILES,
    Confirmation,
    FailedTile,
    confirm,
    write_report,
)
from irattn.lab.tuning.measuring import device_for


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
    """Measure the entries of a file whose targets' code runs here; say which do not, or fail.

    TuningError where the file has none of those asked for, DeviceError where none runs here.
    """
    entries = _chosen(path, names, target_names)
    report = output or path.with_suffix(".report.json")
    if report.resolve() == path.resolve():
        raise UsageError(f"{report}: is the tuning file; name another file for the report with -o")
    here, elsewhere = _places(entries, device)
    for line in elsewhere:
        click.echo(f"Note: not measured: {line}", err=True)
    if not here:
        raise DeviceError(f"{path}: nothing in it runs on a device that is here")
    confirmations: list[Confirmation] = []
    failed: list[tuple[TuningEntry, str]] = []
    for entry, where in here:
        try:
            with step(_title(entry)):
                place = (root or default_root()) / ".tuning"
                confirmations.append(confirm(entry, where, tiles or DEFAULT_TILES, place))
        except IrattnError as error:
            failed.append((entry, str(error)))
            continue
        # Ctrl-C later, or a device that takes all with it, loses nothing.
        write_report(report, path, confirmations, command_line())
        failed += [(entry, _problem(one)) for one in confirmations[-1].failed]
        if not as_json:
            _print(confirmations[-1])
    lines = [f"{_title(entry)}: {why}" for entry, why in failed]
    if as_json:
        measured = [one.to_dict() for one in confirmations]
        written = str(report) if confirmations else None
        echo_json({"path": written, "entries": measured, "failed": lines})
    elif confirmations:
        click.echo(f"{counted(confirmations, 'entry', 'entries')} measured; the report is {report}")
    for line in lines:
        click.echo(f"Error: {line}", err=True)
    if failed:
        say_repeats([_again(entry, report) for entry, _ in failed])
        raise click.exceptions.Exit(1)


def _places(
    entries: Sequence[TuningEntry], device: str
) -> tuple[list[tuple[TuningEntry, str]], list[str]]:
    """The entries whose code runs here, each with its device, and why that of others does not."""
    here, elsewhere = [], []
    for entry in entries:
        try:
            where = device_for(targets.get(entry.target), device, entry.target_identity)
            here.append((entry, where))
        except DeviceError as error:
            elsewhere.append(f"{_title(entry)}: {error}")
    return here, elsewhere


def _again(entry: TuningEntry, report: Path) -> str:
    """The command for one entry, with a report of its own."""
    own = report.with_suffix(f".{entry.target}.{entry.name}.json")
    return command_line(names=(entry.name,), target_names=(entry.target,), output=own)


def _title(entry: TuningEntry) -> str:
    return f"{entry.name} for {entry.target}"


def _problem(one: FailedTile) -> str:
    return f"{tile_words(one.tile)}: {one.outcome}: {one.why}"


def _chosen(path: Path, names: Sequence[str], target_names: Sequence[str]) -> list[TuningEntry]:
    wanted = {targets.get(name).name for name in target_names}
    entries = read_tuning(path).entries
    chosen = [
        one
        for one in entries
        if (not names or one.name in names) and (not wanted or one.target in wanted)
    ]
    if not chosen:
        there = ", ".join(f"{one.name} for {one.target}" for one in entries) or "nothing"
        raise TuningError(f"{path}: has {there:.300}, and none of what was asked for")
    return chosen


def _print(confirmation: Confirmation) -> None:
    """The tiles in the order of their estimates, with their times and ranks."""
    entry = confirmation.entry
    medians = [one.measured["median"] for one in confirmation.tiles]
    click.echo(f"\n{entry.name} for {entry.target}, on device {confirmation.device}")
    click.echo(f"  ranked by {entry.ranked_by}\n")
    rows = [
        [
            i,
            *one.tile.values(),
            "" if one.estimate is None else f"{one.estimate:.6g}",
            f"{one.measured['median'] * 1e3:.4g}",
            f"{one.measured['lower'] * 1e3:.4g}-{one.measured['upper'] * 1e3:.4g}",
            "" if one.strain is None else f"{one.strain:.2f}",
            sorted(medians).index(one.measured["median"]) + 1,
            "table" if one.tile == entry.own_tile else "",
        ]
        for i, one in enumerate(confirmation.tiles, 1)
    ]
    headers = ["rank", *entry.own_tile, "estimate", "ms", "quartiles", "error", "rank by time", ""]
    echo_table(rows, headers)
    click.echo(f"\n{_words(confirmation)}\n")


def _words(confirmation: Confirmation) -> str:
    """How well the order holds."""
    correlation, loss = confirmation.rank_correlation, confirmation.top_loss
    if correlation is None or loss is None:
        return "estimates order nothing here: there is no rank correlation"
    return (
        f"rank correlation of estimates and times: {correlation:.2f} over "
        f"{len(confirmation.tiles)} tiles{_own_words(confirmation)}; "
        f"the first in rank takes {loss:.1%} more time than the quickest"
    )


def _own_words(confirmation: Confirmation) -> str:
    own = confirmation.own_correlation
    return "" if own is None else f" (of one half of the times and the other: {own:.2f})"
