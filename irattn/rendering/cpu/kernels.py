"""Kernels of CPUs as dispatches: what they read and write."""

from dataclasses import dataclass, field

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value, memory_type


def whole(tensor: TensorType) -> Value:
    """All of a tensor, under its own name.

    Flags come as bytes: the compiler does not make bytes of vectors of them.
    """
    shape = tuple(map(value_of, tensor.shape))
    if tensor.dtype == "bool":
        return Value(f"{tensor.name}_bytes", shape, "i8")
    return Value(tensor.name, shape, dtype(tensor.dtype).mlir)


@dataclass(frozen=True)
class PrefetchedMemory:
    """An argument of a dispatch as the memory that a prefetch names: `binding` is its number."""

    value: Value
    binding: int

    @property
    def type(self) -> str:
        """The MLIR type of the memory."""
        return memory_type(self.value.shape, self.value.element)


@dataclass(frozen=True, kw_only=True)
class CpuKernel:
    """One dispatch: its arguments by value, its results, and the sizes that a call chooses.

    `sources` are the names that the function has for the arguments, `constants` numbers that the
    kernel knows by name. `completed` are the arguments whose memory the results take over, one for
    each; none where results have memory of their own.
    """

    arguments: list[Value]
    sources: list[str]
    results: list[Value]
    sizes: list[str]
    constants: dict[str, int]
    completed: list[Value] = field(default_factory=list)

    @property
    def starts(self) -> dict[str, str]:
        """What each result is before anything is written, by name."""
        empty = [f"{result.name}_empty" for result in self.results]
        before = [value.name for value in self.completed] or empty
        return dict(zip((result.name for result in self.results), before, strict=True))

    def memory(self, name: str) -> PrefetchedMemory:
        """An argument as memory."""
        names = [value.name for value in self.arguments]
        return PrefetchedMemory(self.arguments[names.index(name)], names.index(name))
