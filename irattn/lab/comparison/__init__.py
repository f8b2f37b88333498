"""Comparison of artifacts: what changed, layer by layer, and whether that is good."""

from irattn.lab.comparison.baseline import update_baseline
from irattn.lab.comparison.html import to_html
from irattn.lab.comparison.markdown import to_markdown
from irattn.lab.comparison.pairing import compare_sources
from irattn.lab.comparison.results import Comparison, Entry
from irattn.lab.comparison.text import to_text

__all__ = [
    "Comparison",
    "Entry",
    "compare_sources",
    "to_html",
    "to_markdown",
    "to_text",
    "update_baseline",
]
