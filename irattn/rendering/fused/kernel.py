"""The kernel from outside: what its launch and its head name."""

from dataclasses import dataclass

from irattn.rendering.fused.arguments import Size
from irattn.rendering.fused.results import Merged, RowResult
from irattn.rendering.values import Value


@dataclass(frozen=True)
class KernelInterface:
    """What goes in, sizes that the call chooses among it, and what comes out."""

    name: str
    operands: list[Value]
    sizes: list[Size]
    results: list[RowResult] | list[Merged]
