"""The kernel from outside, as the texts of its call and of its head name it."""

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

    @property
    def symbol(self) -> str:
        """What a call names, with the sizes that the number of workgroups follows from."""
        sizes = f"[{self.size_values}]" if self.sizes else ""
        return f"@{self.name}::@{self.name}{sizes}"

    @property
    def size_values(self) -> str:
        """The sizes."""
        return ", ".join(size.value for size in self.sizes)

    @property
    def sizes_with_types(self) -> str:
        """The same with types."""
        return ", ".join(f"{size.value}: index" for size in self.sizes)

    @property
    def given(self) -> str:
        """All that goes in."""
        names = (f"%{value.name}" for value in self.operands)
        return ", ".join([*names, *(size.value for size in self.sizes)])

    @property
    def result_types(self) -> str:
        """The types of the results."""
        return ", ".join(result.value.type for result in self.results)

    @property
    def sized_results(self) -> str:
        """They with the sizes that a call chooses."""
        types = ", ".join(result.value.type + result.value.extent for result in self.results)
        return f"({types})" if len(self.results) > 1 else types

    @property
    def shared(self) -> str:
        """What all workgroups write to, and what it is before."""
        return ", ".join(f"%{r.name}_all = %{r.name}_empty" for r in self.results)

    def several(self, name: str) -> str:
        """A name for all results."""
        return f"%{name}:{len(self.results)}" if len(self.results) > 1 else f"%{name}"

    def one_of(self, name: str, number: int) -> str:
        """One of them, by number."""
        return f"%{name}#{number}" if len(self.results) > 1 else f"%{name}"
