"""Comparison of artifacts: what changed, layer by layer, and whether that is good."""

from irattn.comparison.baseline import update_baseline
from irattn.comparison.html import to_html
from irattn.comparison.markdown import to_markdown
from irattn.comparison.pairing import compare_sources
from irattn.comparison.results import Comparison, Entry
from irattn.comparison.text import to_text

__all__ = [
    "Comparison",
    "Entry",
    "compare_sources",
    "to_html",
    "to_markdown",
    "to_text",
    "update_baseline",
]
