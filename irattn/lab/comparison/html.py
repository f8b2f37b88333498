"""A comparison as one page of HTML that needs nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2

from irattn.binary.inspection.figures import INSTRUCTION_CLASSES
from irattn.lab.comparison.alignment import kernel_pairs
from irattn.lab.comparison.error_plot import errors
from irattn.lab.comparison.markdown import NUMERICS_HEADS, main_reasons, numerics_rows
from irattn.lab.comparison.plots import (
    Plot,
    estimated_times,
    instruction_mix,
    resources,
)
from irattn.lab.comparison.results import Comparison, Entry
from irattn.lab.comparison.verdicts import number, ordered
from irattn.lab.comparison.vocabulary import METRICS


@dataclass(frozen=True)
class _Group:
    """The changed entries of one name that both sides have, whatever their target."""

    name: str
    entries: tuple[Entry, ...]

    @property
    def resources(self) -> Plot | None:
        return resources(self.entries)


def to_html(comparison: Comparison) -> str:
    """Summary, overview, and for each artifact its reasons, figures, plots and errors."""
    compared = [entry for entry in comparison.changed if not entry.is_lone]
    groups = [
        _Group(name, tuple(entry for entry in compared if entry.name == name))
        for name in dict.fromkeys(entry.name for entry in compared)
    ]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    return environment.get_template("report.html.j2").render(
        comparison=comparison,
        groups=groups,
        metrics=METRICS,
        classes=INSTRUCTION_CLASSES,
        mixes=_mixes,
        errors=errors,
        reasons=main_reasons,
        ordered=ordered,
        estimated_times=estimated_times,
        numerics_heads=NUMERICS_HEADS,
        numerics_rows=numerics_rows,
    )


def _mixes(entry: Entry) -> Iterator[tuple[str, str, Plot]]:
    """Short name, the compiler's, and a plot for each kernel whose known instructions changed."""
    assert entry.baseline is not None
    assert entry.candidate is not None
    for old, new in kernel_pairs(entry.baseline, entry.candidate):
        if old.kernel and new.kernel and old.kernel.instructions != new.kernel.instructions:
            plot = instruction_mix(old.kernel, new.kernel)
            if plot:
                yield new.kernel_name, new.kernel.name, plot
