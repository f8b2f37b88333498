#!/usr/bin/env python3
"""Time the suite `bench` beside PyTorch, and write down what comes of it.

`python3 tools/speed.py` puts the table and the picture into `artifacts/`, and a few of the rows
into the README. `python3 tools/speed.py x86-64-v3` puts in the table of that target alone.
"""

import contextlib
import io
import re
import sys
from pathlib import Path

from irattn import targets
from irattn.cli.bench import print_report
from irattn.compiling import catalog
from irattn.lab.benchmark import Report, Row, bench_specs
from irattn.lab.benchmark.plot import check_plot, write_plot

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGE = ROOT / "artifacts" / "SPEED.md"
PICTURE = ROOT / "artifacts" / "speed.svg"

# The rows that the README shows.
SHOWN = (
    "causal_2048_f32",
    "causal_2048_f16",
    "causal_2048_bf16",
    "decode_4096_f32",
    "paged_decode_4x1024_f16",
    "tiny_32_f32",
)


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    check_plot(PICTURE)
    specs = {entry: catalog.get(entry) for entry in catalog.names([catalog.BENCH])}
    report = bench_specs(specs, targets.get(name), against="torch", tell=tell)
    if report.failed:
        sys.exit(f"{len(report.failed)} rows failed, nothing is written")
    write_between(PAGE, name, table(report))
    if name == "cpu":
        write_between(README, "speed", section(report))
        write_plot(report, PICTURE)


def tell(row: Row) -> None:
    print(row.name, row.failure or f"ratio {row.ratio:.2f}", file=sys.stderr)


def table(report: Report) -> str:
    """What `irattn bench` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print_report(report)
    return f"```text\n{printed.getvalue().rstrip()}\n```"


def section(report: Report) -> str:
    """The machine, the mean, the worst row, and the rows of `SHOWN` side by side."""
    assert report.worst
    machine, versions = report.machine, report.machine["versions"]
    shown = [row for row in report.rows if short(row.name) in SHOWN]
    lines = [
        ["", *(f"`{short(row.name)}`" for row in shown)],
        ["---"] * (1 + len(shown)),
        ["irattn, ms", *map(milliseconds, shown)],
        ["ratio", *(f"{row.ratio:.2f}" for row in shown)],
    ]
    words = (
        f"{machine['processor']} ({machine['vectors']}), {machine['threads']} threads, IREE "
        f"{versions['IREE']}, {machine['date']}: PyTorch {versions['PyTorch']} takes\n"
        f"{report.geometric_mean:.2f} times as long as irattn (geometric mean of "
        f"{len(report.ratios)} rows), in the worst row, `{short(report.worst)}`, "
        f"{report.ratios[report.worst]:.2f} times."
    )
    return "\n".join([words, "", *(f"| {' | '.join(cells)} |" for cells in lines)])


def short(name: str) -> str:
    return name.removesuffix("_bench")


def milliseconds(row: Row) -> str:
    assert row.own
    return f"{row.own.spread.median * 1e3:.3g}"


def write_between(file: Path, name: str, text: str) -> None:
    """Replace what lies between a page's marks of a name."""
    page = file.read_text(encoding="utf-8")
    marks = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
    changed, count = re.subn(
        marks, lambda marked: f"{marked[1]}{text}\n{marked[2]}", page, flags=re.S
    )
    if count != 1:
        sys.exit(f"{file}: expected the marks of {name} once, found them {count} times")
    file.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    main()
