"""What other versions of IREE make of the same graphs, side by side."""

from irattn.upgrades.changes import ASPECTS, first_changes, is_worse
from irattn.upgrades.toolchains import Toolchain, toolchain, version_order
from irattn.upgrades.trying import RESOURCES, Comparison, Outcome, compare_versions

__all__ = [
    "ASPECTS",
    "RESOURCES",
    "Comparison",
    "Outcome",
    "Toolchain",
    "compare_versions",
    "first_changes",
    "is_worse",
    "toolchain",
    "version_order",
]
