"""What other versions of IREE make of the same graphs, side by side."""

from irattn.matrix.changes import ASPECTS, first_changes, is_worse
from irattn.matrix.outcomes import (
    RESOURCES,
    Comparing,
    MatrixEntry,
    Outcome,
    compare_versions,
)
from irattn.matrix.toolchains import Toolchain, toolchain, version_order

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
