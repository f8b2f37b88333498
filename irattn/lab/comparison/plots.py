"""Plots of a comparison as shapes with coordinates, which the page draws as SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irattn.binary.inspection.figures import INSTRUCTION_CLASSES, KernelFigures
from irattn.lab.comparison.differences import kernel_numbers
from irattn.lab.comparison.executions import Execution
from irattn.lab.comparison.results import Entry
from irattn.lab.comparison.subjects import Subject
from irattn.lab.comparison.verdicts import number
from irattn.lab.comparison.vocabulary import METRICS

WIDTH = 860
_BAR = 9


@dataclass(frozen=True)
class Rect:
    """A bar; `style` names its colour, `title` is what the pointer shows."""

    x: float
    y: float
    width: float
    height: float
    style: str
    title: str


@dataclass(frozen=True)
class Label:
    """A text; `anchor` is start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = ""


@dataclass(frozen=True)
class Plot:
    """Shapes on a canvas, and what it says in words for those who do not see it."""

    title: str
    width: float
    height: float
    rects: Sequence[Rect]
    labels: Sequence[Label]


# The worst kernel of an artifact stands for it.
_RESOURCES = {
    "vgprs": max,
    "sgprs": max,
    "lds_bytes": max,
    "vgpr_spills": max,
    "waves_per_simd": min,
    "code_bytes": max,
}


def resources(entries: Sequence[Entry]) -> Plot | None:
    """The resources of one artifact for each target: a panel for each figure."""
    rows = [
        (entry.target, side, _resources(subject))
        for entry in entries
        for side, subject in (("baseline", entry.baseline), ("candidate", entry.candidate))
        if subject and subject.module.kernels
    ]
    if not rows:
        return None
    panel = (WIDTH - 80) / len(_RESOURCES)
    rects, labels = [], []
    for column, name in enumerate(_RESOURCES):
        left = 80 + column * panel
        labels.append(Label(left, 12, METRICS[name].words))
        most = max(row[2][name] for row in rows) or 1
        for index, (target, side, figures) in enumerate(rows):
            y = 22 + index * (_BAR + 3) + 8 * _groups_before(rows, index)
            width = (panel - 70) * figures[name] / most
            words = f"{target}, {side}: {figures[name]:,.0f} {METRICS[name].words}"
            rects.append(Rect(left, y, max(width, 1), _BAR, side, words))
            labels.append(Label(left + width + 5, y + _BAR - 1, f"{figures[name]:,.0f}"))
            if column == 0 and (index == 0 or rows[index - 1][0] != target):
                labels.append(Label(0, y + _BAR - 1, target))
    height = 30 + len(rows) * (_BAR + 3) + 8 * _groups_before(rows, len(rows) - 1)
    return Plot("Resources by target, of the worst kernel", WIDTH, height, rects, labels)


def _groups_before(rows: Sequence[tuple[str, str, object]], index: int) -> int:
    return sum(rows[at][0] != rows[at - 1][0] for at in range(1, index + 1))


def _resources(subject: Subject) -> dict[str, float]:
    kernels = [kernel_numbers(kernel) for kernel in subject.module.kernels]
    return {
        name: worst(kernel[name] or 0 for kernel in kernels) for name, worst in _RESOURCES.items()
    }


def estimated_times(execution: Execution) -> Plot | None:
    """For each unit, how long it is busy on either side, and above the estimate for the whole."""
    if execution.baseline is None or execution.candidate is None or not execution.numbers:
        return None
    sides = {"baseline": execution.baseline, "candidate": execution.candidate}
    totals = [numbers["estimated_time"] for numbers in execution.numbers]
    if None in totals:
        return None
    rows = {"in all": totals}
    for unit in sides["baseline"].busy:
        rows[unit] = [side.busy[unit] for side in sides.values()]
    scale = (WIDTH - 80 - 70) / max(totals)
    rects, labels, y = [], [], 4.0
    for words, times in rows.items():
        labels.append(Label(0, y + _BAR + 4, words))
        for side, time in zip(sides, times, strict=True):
            told = f"{words}, {side}: {time:.2f} us"
            rects.append(Rect(80, y, max(time * scale, 1), _BAR, side, told))
            labels.append(Label(86 + time * scale, y + _BAR - 1, f"{time:.2f}"))
            y += _BAR + 3
        y += 8
    title = (
        "Estimated microseconds (a model): in all, and for how long each unit is busy; the rest "
        "is launches and compute units without waves"
    )
    return Plot(title, WIDTH, y, rects, labels)


def instruction_mix(before: KernelFigures, after: KernelFigures) -> Plot | None:
    """The instructions of a kernel by class, of both sides."""
    sides: dict[str, Mapping[str, int]] = {
        name: kernel.instructions
        for name, kernel in (("baseline", before), ("candidate", after))
        if kernel.instructions
    }
    if not sides:
        return None
    most = max(sum(counts.values()) for counts in sides.values()) or 1
    scale = (WIDTH - 80 - 70) / most
    rects, labels = [], []
    for row, (side, counts) in enumerate(sides.items()):
        y, x = 4 + row * 20, 80.0
        labels.append(Label(0, y + 11, side))
        for kind in INSTRUCTION_CLASSES:
            count = counts.get(kind, 0)
            rects.append(Rect(x, y, count * scale, 14, kind, f"{side}: {count:,} {kind}"))
            if count * scale > 34:
                middle = x + count * scale / 2
                labels.append(Label(middle, y + 11, number(count), "middle", "inside"))
            x += count * scale
        labels.append(Label(x + 6, y + 11, f"{sum(counts.values()):,}"))
    return Plot("Instructions by class", WIDTH, 6 + 20 * len(sides), rects, labels)
