"""The left half of a benchmark's picture: every row, by its number, under the machine's roof."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from irattn.lab.benchmark.limits import Limits
from irattn.lab.benchmark.plan import TITLES
from irattn.lab.benchmark.results import Measured, Report, Row

COLORS = {"f32": "#2563c9", "f16": "#a8580a", "bf16": "#18794e"}
LINE = "#5b6676"
# In points: the size of numbers, how wide a letter of them is, and how far from a point they stand.
_SIZE, _LETTER, _AWAY = 6.5, 4.0, 5.0
_WORDS = 8
# Points nearer to each other have one label, in points.
_TOGETHER = 5.0
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


@dataclass(frozen=True)
class _Box:
    """A rectangle on the page, in points."""

    left: float
    low: float
    right: float
    high: float

    def overlap(self, other: "_Box") -> float:
        """The area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.high, other.high) - max(self.low, other.low)
        return max(width, 0.0) * max(height, 0.0)


def draw_roofline(axes: Any, report: Report, timed: Sequence[Row]) -> None:
    """FLOP/s over FLOPs for each byte: irattn filled, the peer hollow, the limits as lines."""
    axes.set(xscale="log", yscale="log")
    axes.set_ylabel("GFLOP/s")
    for dtype, color in COLORS.items():
        rows = [row for row in timed if row.dtype == dtype]
        _scatter(axes, [(row, row.peer) for row in rows], facecolor="none", edgecolor=color)
        _scatter(axes, [(row, row.own) for row in rows], facecolor=color, edgecolor=color)
    if report.limits and timed:
        _draw_limits(axes, report.limits, timed)
    axes.set_xlabel("visible FLOPs for each byte that is needed" + _in_caches(report, timed))
    peer = f", hollow: {TITLES[report.against]}" if report.against else ""
    axes.set_title(f"Roofline (filled: irattn{peer})", loc="left", fontsize=10)
    for axis in (axes.xaxis, axes.yaxis):
        plain_ticks(axis)
    _tell_colors(axes, timed)
    axes.grid(True, which="major", linewidth=0.3)


def _in_caches(report: Report, timed: Sequence[Row]) -> str:
    """A note on the rows above the roof."""
    above = [number for number, row in enumerate(timed, 1) if _is_above(row, report.limits)]
    if not above:
        return ""
    return f"\nabove the slope ({', '.join(map(str, above))}): repeated calls find it in the caches"


def _is_above(row: Row, limits: Limits | None) -> bool:
    moved = row.bytes_per_second
    return limits is not None and moved is not None and moved > limits.read


def _scatter(axes: Any, sides: Sequence[tuple[Row, Measured | None]], **colors: str) -> None:
    """A point for each side that was timed, and whose work is in FLOPs."""
    points = [place for row, side in sides if (place := _place(row, side))]
    if points:
        axes.scatter(*zip(*points, strict=True), 22, linewidth=0.9, zorder=3, **colors)


def _place(row: Row, side: Measured | None) -> tuple[float, float] | None:
    """Where a side of a row is: FLOPs for each byte, and GFLOP/s."""
    if not (side and row.work and row.work.flops):
        return None
    return row.work.flops / row.work.bytes, row.work.flops / side.spread.median / 1e9


def _tell_colors(axes: Any, timed: Sequence[Row]) -> None:
    """A legend of the storage types, where there are several."""
    dtypes = [dtype for dtype in COLORS if any(row.dtype == dtype for row in timed)]
    if len(dtypes) > 1:
        for dtype in dtypes:
            axes.scatter([], [], 22, color=COLORS[dtype], label=dtype)
        axes.legend(loc="lower right", frameon=False)


def _draw_limits(axes: Any, limits: Limits, timed: Sequence[Row]) -> None:
    """Memory's slope, and the level of the products of each type that there are rows of."""
    used = {row.dtype: limits.flops[row.dtype] for row in timed}
    top = max(used.values()) / limits.read
    left, right = axes.get_xlim()
    low, high = min(left, top / 3), max(right, top * 3)
    rate = limits.read / 1e9
    axes.plot([low, top], [low * rate, top * rate], color=LINE, linewidth=1)
    by_level: dict[float, list[str]] = {}
    for dtype, flops in used.items():
        by_level.setdefault(flops, []).append(dtype)
    for flops, dtypes in by_level.items():
        color = COLORS[dtypes[0]] if len(dtypes) == 1 else LINE
        axes.plot([flops / limits.read, high], [flops / 1e9] * 2, color=color, linewidth=1)
        axes.annotate(
            f"{', '.join(dtypes)} product {flops / 1e9:.0f} GFLOP/s", (high, flops / 1e9), (0, 2),
            textcoords="offset points", color=color, ha="right", va=_side(flops, by_level),
            fontsize=_WORDS, in_layout=False,
        )  # fmt: skip
    axes.set_xlim(low, high)
    axes.set_ylim(top=max(axes.get_ylim()[1], 1.4 * max(by_level) / 1e9))


def _side(flops: float, levels: Iterable[float]) -> str:
    """Above its line, or below where another level is a little higher."""
    return "top" if any(1 < other / flops < 1.2 for other in levels) else "bottom"


def name_parts(axes: Any, report: Report, timed: Sequence[Row]) -> None:
    """Name the slope and irattn's points, once the layout of the figure is known."""
    if report.limits and timed:
        _name_slope(axes, report.limits, timed)
    _number_points(axes, timed)


def _name_slope(axes: Any, limits: Limits, timed: Sequence[Row]) -> None:
    """Along the upper end of the slope, on its left."""
    low, high = axes.get_xlim()
    ends = axes.transData.transform([(x, x * limits.read / 1e9) for x in (low, high)])
    (x, y), (right, up) = ends
    angle = math.atan2(up - y, right - x)
    top = max(limits.flops[row.dtype] for row in timed) / limits.read
    axes.annotate(
        f"read {limits.read / 1e9:.0f} GB/s", (top, top * limits.read / 1e9),
        (-12 * math.cos(angle) - 3 * math.sin(angle), -12 * math.sin(angle) + 3 * math.cos(angle)),
        textcoords="offset points", color=LINE, ha="right", va="bottom", fontsize=_WORDS,
        rotation=math.degrees(angle), rotation_mode="anchor", in_layout=False,
    )  # fmt: skip


def _number_points(axes: Any, timed: Sequence[Row]) -> None:
    """Write each row's number beside its point, where it hides no other."""
    scale = 72 / axes.figure.dpi

    def on_page(place: tuple[float, float]) -> tuple[float, float]:
        x, y = axes.transData.transform(place) * scale
        return float(x), float(y)

    own = {n: place for n, row in enumerate(timed, 1) if (place := _place(row, row.own))}
    at = {number: on_page(place) for number, place in own.items()}
    peers = [on_page(place) for row in timed if (place := _place(row, row.peer))]
    taken = [_around(x, y, 2.5) for x, y in (*at.values(), *peers)]
    for numbers in _together(at):
        words = ", ".join(map(str, numbers))
        x, y = at[numbers[0]]
        box = min(_candidates(x, y, words), key=lambda box: sum(map(box.overlap, taken)))
        taken.append(box)
        dtypes = {timed[number - 1].dtype for number in numbers}
        axes.annotate(
            words, own[numbers[0]], (box.left - x, (box.low + box.high) / 2 - y),
            textcoords="offset points", fontsize=_SIZE, va="center_baseline", in_layout=False,
            color=COLORS[dtypes.pop()] if len(dtypes) == 1 else LINE,
        )  # fmt: skip


def _together(at: dict[int, tuple[float, float]]) -> list[list[int]]:
    """The numbers of points, those together that are nearly at one place."""
    groups: list[list[int]] = []
    for number, place in at.items():
        near = (group for group in groups if math.dist(at[group[0]], place) < _TOGETHER)
        group = next(near, None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return groups


def _candidates(x: float, y: float, words: str) -> Iterator[_Box]:
    """Where words may stand beside a point: nearer places first."""
    width = _LETTER * len(words)
    for away in (_AWAY, 2 * _AWAY):
        for right, up in _DIRECTIONS:
            left = x + right * away - width * (1 - right) / 2
            low = y + up * (away + 1) - _SIZE / 2
            yield _Box(left, low, left + width, low + _SIZE)


def _around(x: float, y: float, half: float) -> _Box:
    return _Box(x - half, y - half, x + half, y + half)


def plain_ticks(axis: Any) -> None:
    """Ticks of a logarithmic axis at 1, 2 and 5 times a power of ten, as plain numbers."""
    low, high = axis.get_view_interval()
    steps = [digit * 10.0**power for power in range(-6, 9) for digit in (1, 2, 5)]
    ticks = [tick for tick in steps if low <= tick <= high]
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_ticks([], minor=True)
