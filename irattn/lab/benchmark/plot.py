"""The picture of a benchmark: every row under the machine's roof, and the ratios."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from irattn.core.errors import UsageError
from irattn.lab.benchmark.plan import TITLES
from irattn.lab.benchmark.results import Report, Row
from irattn.lab.benchmark.roofline import LINE, draw_roofline, name_parts, plain_ticks

FORMATS = (".svg", ".png")

_FASTER, _SLOWER = "#2563c9", "#b42318"
_STYLE = {
    # Text stays text: an SVG is small, and the same on every machine.
    "svg.fonttype": "none",
    "svg.hashsalt": "irattn",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def check_plot(file: Path) -> None:
    """UsageError for a picture that could not be written, before anything is measured."""
    if file.suffix not in FORMATS:
        raise UsageError(f"plot: expected a name that ends in .svg or .png, got {file}")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"plot: {file.parent} is no folder")
    if find_spec("matplotlib") is None:
        raise UsageError("plot: matplotlib is not installed; pip install 'irattn[plot]'")


def write_plot(report: Report, file: Path) -> None:
    """Write the picture as SVG or PNG; a report without limits or ratios has less of it.

    UsageError where `check_plot` raises it.
    """
    check_plot(file)
    timed = [row for row in report.rows if row.own]
    matplotlib: Any = import_module("matplotlib")
    figure_of: Any = import_module("matplotlib.figure").Figure
    with matplotlib.rc_context(_STYLE):
        # Without ratios, what is beside the roof are the names of its points alone.
        has_bars = any(row.ratio is not None for row in timed)
        size = (11 if has_bars else 7.5, max(4.0, 1.6 + 0.19 * len(timed)))
        figure = figure_of(figsize=size, layout="constrained")
        roof, bars = figure.subplots(1, 2, width_ratios=(1.25, 1 if has_bars else 0.01))
        draw_roofline(roof, report, timed)
        _draw_bars(bars, report, timed)
        figure.suptitle(_title(report), fontsize=8.5, color=LINE)
        figure.draw_without_rendering()
        name_parts(roof, report, timed)
        # Without a date in the file, equal reports are equal bytes.
        metadata = {"Date": None} if file.suffix == ".svg" else {"Software": None}
        figure.savefig(file, dpi=150, metadata=metadata)


def _title(report: Report) -> str:
    machine = report.machine
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    threads = f"{machine['threads']} thread{'s' if machine['threads'] > 1 else ''}"
    return (
        f"{machine['processor']} ({machine['vectors']}), {threads}; {versions}; {machine['date']}"
    )


def _draw_bars(axes: Any, report: Report, timed: Sequence[Row]) -> None:
    """The rows by number and name, with a bar for each ratio from 1 to where it is.

    Lines are the quartiles of the ratios of single turns.
    """
    places = range(len(timed))
    names = [f"{row.name.removesuffix('_bench')}  {n}" for n, row in enumerate(timed, 1)]
    axes.set_yticks(places, names, fontsize=7.5)
    axes.set_ylim(len(timed) - 0.4, -0.6)
    rows = {place: row for place, row in enumerate(timed) if row.ratio is not None}
    if not rows:
        axes.xaxis.set_visible(False)
        axes.spines[["bottom", "left"]].set_visible(False)
        axes.tick_params("y", length=0)
        return
    ratios = [row.ratio or 1.0 for row in rows.values()]
    colors = [_FASTER if ratio >= 1 else _SLOWER for ratio in ratios]
    axes.set_xscale("log")
    axes.barh(list(rows), [ratio - 1 for ratio in ratios], left=1, color=colors, height=0.62)
    quartiles = [row.ratio_quartiles or (1.0, 1.0) for row in rows.values()]
    axes.hlines(list(rows), *zip(*quartiles, strict=True), color="black", linewidth=0.8)
    axes.axvline(1, color=LINE, linewidth=0.8)
    ends = [1.0, *ratios, *(end for pair in quartiles for end in pair)]
    axes.set_xlim(min(ends) / 1.15, max(ends) * 1.35)
    for place, pair, ratio in zip(rows, quartiles, ratios, strict=True):
        end = max(ratio, 1.0, *pair)
        axes.text(end * 1.04, place, f"{ratio:.2f}", va="center", fontsize=7, in_layout=False)
    plain_ticks(axes.xaxis)
    assert report.against
    axes.set_title(f"{TITLES[report.against]}'s time over irattn's", loc="left", fontsize=10)
    axes.set_xlabel(f"geometric mean {report.geometric_mean:.2f}")
