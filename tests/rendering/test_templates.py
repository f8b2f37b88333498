"""Templates read as MLIR: short pieces, lines that fit, and macros that say what they read."""

import pytest

from support.places import ROOT

TEMPLATES = ROOT / "templates"
PIECES = sorted(
    path for room in ("fused", "blocked") for path in TEMPLATES.glob(f"*/{room}/**/*.j2")
)
# A kernel is read from top to bottom, in one file.
KERNELS = sorted(
    path for room in ("attention", "shared") for path in TEMPLATES.glob(f"{room}/*.j2")
)


@pytest.mark.parametrize("path", PIECES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_pieces_of_attention_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_kernels_have_a_readable_length(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450


@pytest.mark.parametrize(
    "path", PIECES + KERNELS, ids=lambda path: str(path.relative_to(TEMPLATES))
)
def test_lines_fit(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 110] == []


def test_no_macro_reads_the_context_of_its_caller():
    found = [p.name for p in TEMPLATES.glob("**/*.j2") if "with context" in p.read_text("utf-8")]
    assert found == []
