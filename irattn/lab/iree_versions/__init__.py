"""Versions of IREE side by side: what each makes of the same graphs."""

from irattn.lab.iree_versions.changes import ASPECTS, first_changes, is_worse
from irattn.lab.iree_versions.outcomes import (
    RESOURCES,
    Comparing,
    MatrixEntry,
    Outcome,
    compare_versions,
)
from irattn.lab.iree_versions.toolchains import Toolchain, toolchain, version_order

__all__ = [
    "ASPECTS",
    "RESOURCES",
    "Comparing",
    "MatrixEntry",
    "Outcome",
    "Toolchain",
    "compare_versions",
    "first_changes",
    "is_worse",
    "toolchain",
    "version_order",
]
