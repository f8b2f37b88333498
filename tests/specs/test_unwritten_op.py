"""An op whose author has written its spec alone, so far."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from irattn import targets
from irattn.core.errors import RenderError, UsageError
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.specs.base import Spec


@dataclass(frozen=True, kw_only=True)
class UnwrittenSpec(Spec):
    op: ClassVar[str] = "unwritten"
    inputs: ClassVar[tuple] = ()
    outputs: ClassVar[tuple] = ()


def test_the_template_that_is_missing_is_named_once():
    message = (
        r"^unwritten: expected a template templates/linalg/unwritten\.mlir\.j2, and there is none$"
    )
    with pytest.raises(RenderError, match=message):
        render(GraphRequest(UnwrittenSpec(), targets.get("gfx1100")))


@pytest.mark.parametrize("file", ["unwritten", "rms_norm"])
def test_the_function_of_the_reference_that_is_missing_is_named(monkeypatch, file):
    """Whether its file is missing or has no such function."""
    monkeypatch.setattr(UnwrittenSpec, "__module__", f"irattn.specs.{file}")
    message = rf"`unwritten\(spec, tensors\)` in irattn/reference/{file}\.py, .* there is none$"
    with pytest.raises(UsageError, match=message):
        reference(UnwrittenSpec(), {})


def test_what_a_file_of_the_reference_cannot_import_is_told_as_it_is(monkeypatch):
    def failing(name):
        raise ModuleNotFoundError("No module named 'gone'", name="gone")

    monkeypatch.setattr("importlib.import_module", failing)
    with pytest.raises(ModuleNotFoundError, match="gone"):
        reference(UnwrittenSpec(), {})
