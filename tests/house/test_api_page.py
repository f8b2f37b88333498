"""The page of the public names is what its tool writes."""

import re

import api_page
import pytest

import irattn


def test_the_page_is_what_the_tool_writes():
    written = api_page.PAGE.read_text(encoding="utf-8")
    assert written == api_page.page(), "run `python3 tools/api_page.py`"


def test_every_public_name_has_a_heading():
    headings = re.findall(r"^### `(\w+)`$", api_page.page(), re.MULTILINE)
    assert sorted(headings) == dir(irattn)


@pytest.mark.parametrize("name", dir(irattn))
def test_every_public_name_has_a_docstring_of_its_own(name):
    assert getattr(irattn, name).__doc__


def test_a_call_has_defaults_but_neither_types_nor_addresses():
    def lend(self, book: str, /, *, days: int = 14, tell=lambda: None) -> int:
        """Lend a book.

        For some days.
        """

    assert api_page.called("lend", lend) == "lend(book, *, days=14, tell=…) -> int"
    assert api_page.called("lend", lend, width=10).splitlines()[:2] == ["lend(", "    book,"]
    assert api_page.summary(lend) == "Lend a book."
