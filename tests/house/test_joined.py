"""Graphs that are compiled together: what fails for all of them is told, and the rest is raised."""

import pytest

from irattn import ShortConvolutionSpec
from irattn.compiling.compiler import DiagnosticsError
from support import joined

TIMEOUT = DiagnosticsError("not done after 1 s, and stopped\n", "not done after 1 s", None)


def failing(monkeypatch, channels, error):
    """A graph of a group, not that of another test, whose compilation raises an error."""

    def raising(*given, **named):
        raise error

    monkeypatch.setattr(joined, "compiled_once", raising)
    return joined.together([ShortConvolutionSpec(channels=channels, q_len=1)])[0]


def test_a_group_that_does_not_compile_is_compiled_one_by_one_and_says_so(monkeypatch):
    graph = failing(monkeypatch, 2, TIMEOUT)
    monkeypatch.setattr(joined.build, "build", lambda request: request.spec)
    with pytest.warns(UserWarning, match="1 graphs, short_convolution first.*not done after"):
        assert graph.artifact() == graph.graph.spec


def test_no_other_error_is_taken_for_that(monkeypatch):
    with pytest.raises(AttributeError, match="no such thing"):
        failing(monkeypatch, 3, AttributeError("no such thing")).artifact()
