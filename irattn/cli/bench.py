"""`irattn bench`."""

from collections.abc import Callable
from pathlib import Path

import click

from irattn.cli.common import (
    choose_specs,
    echo_json,
    echo_table,
    json_option,
    requests_of,
    set_option,
    target_option,
)
from irattn.cli.devices import device_option
from irattn.compiling import catalog
from irattn.lab.benchmark import DEVICES, PEERS, TITLES, Measured, Report, Row, bench_specs
from irattn.lab.benchmark.plot import check_plot, write_plot
from irattn.runtime.machine import target_or_here


@click.command("bench")
@click.argument("names", nargs=-1)
@target_option("What to compile for.")
@device_option("Where to run; auto is the target's own, and never another.", *DEVICES)
@click.option(
    "--against",
    type=click.Choice(list(PEERS)),
    help="What to compare with.  [default: torch if it is installed]",
)
@set_option
@json_option
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a picture, too: FILE.svg or FILE.png.",
)
def bench_command(
    names: tuple[str, ...],
    target: str | None,
    device: str,
    against: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    plot: Path | None,
) -> None:
    """Time catalogue entries NAMES, or the suite `irattn list --size bench`, beside a peer.

    Each is compiled anew and its outputs are compared before it is timed. Both sides have a process
    of their own and the same number of threads, and take turns; times are medians. The ratio is the
    peer's time over irattn's: above 1 irattn is faster. FLOP/s count what no mask hides, GB/s each
    byte that is needed once; the limits beside them are measured in the same run. Exits 1 if an
    entry could not be timed.
    """
    specs = choose_specs(names, settings, () if names else (catalog.BENCH,))
    chosen = target_or_here(target, device)
    requests_of(specs, [chosen])
    if plot:
        check_plot(plot)
    report = bench_specs(specs, chosen, device=device, against=against, tell=_tell)
    if plot:
        write_plot(report, plot)
    if as_json:
        echo_json(report.to_dict())
    else:
        print_report(report)
    if report.failed:
        raise click.exceptions.Exit(1)


def _tell(row: Row) -> None:
    """Say on stderr what came of a row."""
    if row.failure:
        click.echo(f"Error: {row.name}: {row.failure}", err=True)
    elif row.own:
        ratio = "" if row.ratio is None else f", ratio {row.ratio:.2f}"
        click.echo(f"{row.name}: {_milliseconds(row.own)} ms{ratio}", err=True)


def print_report(report: Report) -> None:
    """The head, the table, and the notes of its rows."""
    for line in _head(report):
        click.echo(line)
    click.echo()
    columns = _columns(report)
    rows = [[cell(row) for cell in columns.values()] for row in report.rows]
    echo_table([*rows, *_last_rows(report, len(columns))], list(columns))
    for note in dict.fromkeys(f"{row.name}: {row.note}" for row in report.rows if row.note):
        click.echo(note)


def _head(report: Report) -> list[str]:
    """The heading of the report: the machine, the versions and the libraries that were timed."""
    machine, limits = report.machine, report.limits
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    processor = f"{machine['processor']} ({machine['vectors']}), threads: {machine['threads']}"
    lines = [
        f"{processor}; {versions}; {machine['date']}",
        f"{report.target} code on device {report.device}: {report.measured}",
    ]
    if limits:
        products = ", ".join(f"{name} {rate / 1e9:.0f}" for name, rate in limits.flops.items())
        lines.append(
            f"limits of this machine, measured: products of matrices {products} GFLOP/s, "
            f"reading {limits.read / 1e9:.1f} GB/s"
        )
    return [*lines, *report.notes]


def _columns(report: Report) -> dict[str, Callable[[Row], str]]:
    """Each column's heading and how it shows a row; a peer's columns only where there is one."""
    peer = TITLES[report.against] if report.against else None
    columns: dict[str, Callable[[Row], str]] = {}
    if peer:
        columns["ratio"] = lambda row: "" if row.ratio is None else f"{row.ratio:.2f}"
    columns["name"] = lambda row: row.name
    columns["dtype"] = lambda row: row.dtype
    columns["irattn ms"] = lambda row: _own_time(row)
    if peer:
        columns[f"{peer} ms"] = lambda row: _time(row.peer)
        columns[f"{peer}'s way"] = lambda row: row.peer.way if row.peer else ""
    columns["GFLOP/s"] = lambda row: _billions(row.flops_per_second)
    columns["of limit"] = lambda row: _share(report.of_limit(row)[0])
    columns["GB/s"] = lambda row: _billions(row.bytes_per_second)
    columns["of limit "] = lambda row: _share(report.of_limit(row)[1])
    columns["peak MB"] = lambda row: _megabytes(row.own)
    if peer:
        columns[f"{peer}'s"] = lambda row: _megabytes(row.peer)
    columns["compile s"] = lambda row: (
        "" if row.compile_seconds is None else f"{row.compile_seconds:.1f}"
    )
    return columns


def _last_rows(report: Report, width: int) -> list[list[str]]:
    """The geometric mean and the worst row."""
    if report.geometric_mean is None or report.worst is None:
        return []
    last = [
        (report.geometric_mean, f"geometric mean of {len(report.ratios)}"),
        (report.ratios[report.worst], f"worst: {report.worst}"),
    ]
    return [[f"{ratio:.2f}", words, *[""] * (width - 2)] for ratio, words in last]


def _own_time(row: Row) -> str:
    return "failed" if row.failure else _time(row.own)


def _time(side: Measured | None) -> str:
    """The median with the quartiles around it."""
    if side is None:
        return ""
    spread = side.spread
    ends = f"{_three_digits(spread.lower * 1e3)}-{_three_digits(spread.upper * 1e3)}"
    return f"{_milliseconds(side)} ({ends})"


def _milliseconds(side: Measured) -> str:
    return _three_digits(side.spread.median * 1e3)


def _three_digits(number: float) -> str:
    """Three digits that count, without an exponent: 0.0123, 1.23, 123, 1234."""
    return f"{number:.0f}" if number >= 100 else f"{number:#.3g}"


def _billions(rate: float | None) -> str:
    return "" if rate is None else _three_digits(rate / 1e9)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _megabytes(side: Measured | None) -> str:
    if side is None or side.peak_bytes is None:
        return ""
    return f"{side.peak_bytes / 1e6:.1f}"
