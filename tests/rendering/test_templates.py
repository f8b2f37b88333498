"""Templates read as MLIR: lines that fit, and macros that say what they read."""

import pytest

from support.places import ROOT

TEMPLATES = ROOT / "templates"
ATTENTION = sorted(
    path for room in ("attention", "shared") for path in TEMPLATES.glob(f"{room}/*.j2")
)


@pytest.mark.parametrize("path", ATTENTION, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_lines_of_attention_fit(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 110] == []


def test_no_macro_reads_the_context_of_its_caller():
    found = [p.name for p in TEMPLATES.glob("**/*.j2") if "with context" in p.read_text("utf-8")]
    assert found == []
