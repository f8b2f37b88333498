"""Tables fit the terminal that they are printed on, and are whole everywhere else."""

import pytest
from tabulate import tabulate

from irattn.cli.tables import cut, table
from support.terminal import Terminal

HEADERS = ["kernel", "waves per SIMD", "code bytes", "limited by"]
ROWS = [["first", 16, 1234567, "LDS"], ["second", None, 2, ""]]


def test_a_table_that_fits_is_what_it_always_was():
    whole = tabulate(ROWS, headers=HEADERS, disable_numparse=True)
    for width in (None, max(map(len, whole.splitlines())), 1000):
        assert table(ROWS, HEADERS, width) == whole
    assert table([], HEADERS, 1000) == tabulate([], headers=HEADERS)


def test_columns_move_together_before_they_go_on_below():
    assert table(ROWS, HEADERS, 46).splitlines() == [
        "kernel  waves per SIMD  code bytes  limited by",
        "------  --------------  ----------  ----------",
        "first   16              1234567     LDS",
        "second                  2",
    ]
    assert table(ROWS, HEADERS, 45).splitlines() == [
        "kernel  waves per SIMD  code bytes",
        "------  --------------  ----------",
        "first   16              1234567",
        "second                  2",
        "",
        "kernel  limited by",
        "------  ----------",
        "first   LDS",
        "second",
    ]


@pytest.mark.parametrize("width", range(1, 60))
def test_every_cell_is_there_at_any_width(width):
    text = table(ROWS, HEADERS, width)
    for cell in (*HEADERS, "first", "16", "1234567", "LDS", "second"):
        assert cell in text
    if width >= len("kernel  waves per SIMD"):
        assert max(map(len, text.splitlines())) <= width


def test_a_cell_that_is_too_wide_takes_some_lines():
    rows = [["gfx942", "mi300a, mi300x, mi308x"], ["cpu", ""]]
    assert table(rows, ["target", "also known as"], 25).splitlines() == [
        "target  also known as",
        "------  ---------------",
        "gfx942  mi300a, mi300x,",
        "        mi308x",
        "cpu",
    ]


def test_the_targets_fit_a_narrow_terminal():
    terminal = Terminal("targets", columns=40)
    assert terminal.end() == (0, "")
    assert max(map(len, terminal.screen)) <= 40
    assert "gfx1100    rx7900xtx, rx7900xt," in terminal.screen


def test_a_line_is_cut_with_a_sign():
    assert cut("abcdef", None) == cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 5) == "abcd…"


def test_the_catalogue_fits_a_terminal():
    terminal = Terminal("list", "--size", "base", columns=80)
    assert terminal.end() == (0, "")
    lines = [line for line in terminal.screen if line]
    assert max(map(len, lines)) == 80
    assert lines[2].endswith("…")


@pytest.mark.slow
def test_other_tables_show_all_on_a_narrow_terminal():
    terminal = Terminal("targets", columns=60)
    assert terminal.end() == (0, "")
    heads = [line.split() for line in terminal.screen if line.startswith("target ")]
    assert len(heads) > 1
    assert "rx7900xtx" in terminal.drawn
