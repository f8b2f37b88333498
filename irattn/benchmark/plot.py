"""The picture of a benchmark: every row under the machine's roof, and the ratios."""

import math
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from irattn.benchmark.plan import TITLES
from irattn.benchmark.results import Measured, Report, Row
from irattn.errors import UsageError

FORMATS = (".svg", ".png")

_COLORS = {"f32": "#2563c9", "f16": "#a8580a", "bf16": "#18794e"}
_FASTER, _SLOWER, _LINE = "#2563c9", "#b42318", "#5b6676"
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
        figure = figure_of(figsize=(11, max(4.0, 1.6 + 0.19 * len(timed))), layout="constrained")
        roof, bars = figure.subplots(1, 2, width_ratios=(1.25, 1))
        _draw_roof(roof, report, timed)
        _draw_bars(bars, report, timed)
        figure.suptitle(_title(report), fontsize=8.5, color=_LINE)
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


def _draw_roof(axes: Any, report: Report, timed: Sequence[Row]) -> None:
    """FLOP/s over FLOPs for each byte: irattn filled, the peer hollow, the limits as lines."""
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel("visible FLOPs for each byte that is needed")
    axes.set_ylabel("GFLOP/s")
    for dtype, color in _COLORS.items():
        rows = [row for row in timed if row.dtype == dtype]
        _scatter(axes, [(row, row.peer) for row in rows], facecolor="none", edgecolor=color)
        _scatter(axes, [(row, row.own) for row in rows], facecolor=color, edgecolor=color)
    if report.limits and timed:
        _draw_limits(axes, report, timed)
    peer = f", hollow: {TITLES[report.against]}" if report.against else ""
    axes.set_title(f"Roofline (filled: irattn{peer})", loc="left", fontsize=10)
    for axis in (axes.xaxis, axes.yaxis):
        _plain_ticks(axis)
    _tell_colors(axes, timed)
    axes.grid(True, which="major", linewidth=0.3)


def _scatter(axes: Any, sides: Sequence[tuple[Row, Measured | None]], **colors: str) -> None:
    """A point for each side that was timed, and whose work is in FLOPs."""
    points = [
        (row.work.flops / row.work.bytes, row.work.flops / side.spread.median / 1e9)
        for row, side in sides
        if side and row.work and row.work.flops
    ]
    if points:
        axes.scatter(*zip(*points, strict=True), 22, linewidth=0.9, zorder=3, **colors)


def _tell_colors(axes: Any, timed: Sequence[Row]) -> None:
    """A legend of the storage types, where there are several."""
    dtypes = [dtype for dtype in _COLORS if any(row.dtype == dtype for row in timed)]
    if len(dtypes) > 1:
        for dtype in dtypes:
            axes.scatter([], [], 22, color=_COLORS[dtype], label=dtype)
        axes.legend(loc="lower right", frameon=False)


def _draw_limits(axes: Any, report: Report, timed: Sequence[Row]) -> None:
    """Memory's slope, and the level of the products of each type that there are rows of."""
    assert report.limits
    read = report.limits.read
    left, right = axes.get_xlim()
    used = {row.dtype: report.limits.flops[row.dtype] for row in timed}
    top = max(used.values()) / read
    low, high = min(left, top / 3), max(right, top * 3)
    axes.plot([low, top], [low * read / 1e9, top * read / 1e9], color=_LINE, linewidth=1)
    axes.text(
        low, low * read / 1e9, f" read {read / 1e9:.0f} GB/s", color=_LINE, va="bottom", fontsize=8,
        rotation=math.degrees(math.atan(read / 1e9)), rotation_mode="anchor",
        transform_rotates_text=True, in_layout=False,
    )  # fmt: skip
    by_level: dict[float, list[str]] = {}
    for dtype, flops in used.items():
        by_level.setdefault(flops, []).append(dtype)
    for flops, dtypes in by_level.items():
        color = _COLORS[dtypes[0]] if len(dtypes) == 1 else _LINE
        axes.plot([flops / read, high], [flops / 1e9] * 2, color=color, linewidth=1)
        words = f" {', '.join(dtypes)} product {flops / 1e9:.0f} GFLOP/s"
        axes.text(
            flops / read, flops / 1e9, words, color=color, va="bottom", fontsize=8, in_layout=False
        )
    axes.set_xlim(low, high)


def _draw_bars(axes: Any, report: Report, timed: Sequence[Row]) -> None:
    """A bar for each ratio from 1 to where it is, with the quartiles of single turns."""
    rows = [row for row in timed if row.ratio is not None]
    if not rows:
        axes.set_axis_off()
        return
    ratios = [row.ratio or 1.0 for row in rows]
    colors = [_FASTER if ratio >= 1 else _SLOWER for ratio in ratios]
    places = range(len(rows))
    axes.set_xscale("log")
    axes.barh(places, [ratio - 1 for ratio in ratios], left=1, color=colors, height=0.62)
    quartiles = [row.ratio_quartiles or (1.0, 1.0) for row in rows]
    axes.hlines(places, *zip(*quartiles, strict=True), color="black", linewidth=0.8)
    axes.axvline(1, color=_LINE, linewidth=0.8)
    ends = [1.0, *ratios, *(end for pair in quartiles for end in pair)]
    axes.set_xlim(min(ends) / 1.15, max(ends) * 1.35)
    for place, pair, ratio in zip(places, quartiles, ratios, strict=True):
        end = max(ratio, 1.0, *pair)
        axes.text(end * 1.04, place, f"{ratio:.2f}", va="center", fontsize=7, in_layout=False)
    axes.set_yticks(places, [row.name.removesuffix("_bench") for row in rows], fontsize=7.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    _plain_ticks(axes.xaxis)
    assert report.against
    title = f"{TITLES[report.against]}'s time over irattn's"
    axes.set_title(f"{title}; geometric mean {report.geometric_mean:.2f}", loc="left", fontsize=10)


def _plain_ticks(axis: Any) -> None:
    """Ticks of a logarithmic axis at 1, 2 and 5 times a power of ten, as plain numbers."""
    low, high = axis.get_view_interval()
    steps = [digit * 10.0**power for power in range(-6, 9) for digit in (1, 2, 5)]
    ticks = [tick for tick in steps if low <= tick <= high]
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_ticks([], minor=True)
