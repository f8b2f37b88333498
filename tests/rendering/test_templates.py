"""Templates read as MLIR: lines that fit, macros that say what they read, and have two callers."""

import pytest
from jinja2 import meta

from irattn.rendering.environment import environment
from support.macro_calls import places_of_macros
from support.places import ROOT

TEMPLATES = ROOT / "templates"
ATTENTION = sorted(
    path for room in ("attention", "shared") for path in TEMPLATES.glob(f"{room}/*.j2")
)

KERNELS = sorted(
    path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.glob("attention/?pu_*")
)

# Macros that one place calls: kernels of products as wholes, and the largest steps of these. One
# text of them all would have a thousand lines, and no names for its parts. A new macro of one
# caller is said where it is called.
CALLED_ONCE = 18


@pytest.mark.parametrize("path", ATTENTION, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_lines_of_attention_fit(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 110] == []


def test_no_macro_reads_the_context_of_its_caller():
    found = [p.name for p in TEMPLATES.glob("**/*.j2") if "with context" in p.read_text("utf-8")]
    assert found == []


def test_a_macro_has_two_callers():
    """Else its text stands where it is called, and is read there."""
    counts = places_of_macros()
    once = sorted(f"{template}: {name}" for (template, name), n in counts.items() if n == 1)
    assert [macro for macro, n in counts.items() if n == 0] == []
    assert len(once) <= CALLED_ONCE, f"say one of these where it is called: {', '.join(once)}"


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_of_attention_is_read_in_four_files(kernel):
    """Besides the kernels that merge what its parts give."""
    merging = {"attention/merge.mlir.j2", "attention/merge_few.mlir.j2"}
    assert len(files_read(kernel) - merging) <= 4


def files_read(template):
    """A template, and all that it takes from others, and these from others."""
    read, left = set(), {template}
    while left:
        name = left.pop()
        read.add(name)
        tree = environment(None, False).parse((TEMPLATES / name).read_text(encoding="utf-8"))
        left |= set(meta.find_referenced_templates(tree)) - read
    return read
