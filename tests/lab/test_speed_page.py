"""What `tools/speed.py` writes into the pages; no test asserts a time."""

import re

import pytest
import speed

from irattn.compiling import catalog
from irattn.lab.benchmark.results import Measured, Report, Row
from irattn.lab.benchmark.work import Work
from support.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = speed.PAGE.read_text(encoding="utf-8")


def report(*ratios):
    """Rows of the suite with these ratios, irattn's call of 2 ms."""
    rows = [
        Row(name, catalog.get(name), Work(10, 10), 1.0, side(2e-3), side(2e-3 * ratio))
        for name, ratio in ratios
    ]
    versions = {"irattn": "0.1.0", "IREE": "3.13.0", "PyTorch": "2.13.0"}
    machine = {"processor": "P", "vectors": "AVX2", "threads": 2, "date": "d", "versions": versions}
    return Report(tuple(rows), "cpu", "cpu", "torch", "whole calls", machine, None)


def side(seconds):
    return Measured([[seconds]], "call", {}, 1000)


REPORT = report(("causal_2048_f32_bench", 4.0), ("full_512_f32_bench", 1.0))


def test_the_section_has_mean_worst_row_and_those_that_are_shown():
    words, shown = speed.section(REPORT).split("\n\n")
    assert "2.00 times as long as irattn (geometric mean of 2 rows)" in words
    assert "worst row, `full_512_f32`, 1.00 times" in words
    assert shown.splitlines() == [
        "|  | `causal_2048_f32` |", "| --- | --- |", "| irattn, ms | 2 |", "| ratio | 4.00 |"
    ]  # fmt: skip


def test_the_table_is_what_the_command_prints():
    lines = speed.table(REPORT).splitlines()
    assert (lines[0], lines[-1]) == ("```text", "```")
    assert any(re.match(r"4\.00 +causal_2048_f32_bench +f32 +2\.00", line) for line in lines)


@pytest.mark.parametrize("name", ["cpu", "x86-64-v3"])
def test_a_page_keeps_all_but_what_is_between_the_marks(tmp_path, name):
    file = tmp_path / "page.md"
    file.write_text(PAGE)
    speed.write_between(file, name, r"new \1")
    before, after = PAGE.split(f"<!-- {name} -->\n")[0], PAGE.split(f"<!-- end of {name} -->")[1]
    marks = f"<!-- {name} -->\nnew \\1\n<!-- end of {name} -->"
    assert file.read_text() == f"{before}{marks}{after}"
    with pytest.raises(SystemExit, match="expected the marks of nothing once, found them 0"):
        speed.write_between(file, "nothing", "new")


def test_pages_have_every_row_of_the_suite_and_a_small_picture():
    table = PAGE.split("<!-- cpu -->")[1].split("<!-- end of cpu -->")[0]
    later = PAGE.split("## Steps of engines")[1].split("## Memory")[0]
    for name in catalog.names([catalog.BENCH]):
        is_later = name.startswith("step_") or getattr(catalog.get(name), "cache_dtype", None)
        assert name in (later if is_later else table)
    assert speed.PICTURE.stat().st_size < 100_000
    shown = README.split("<!-- speed -->")[1].split("<!-- end of speed -->")[0]
    assert all(f"`{name}`" in shown for name in speed.SHOWN)
