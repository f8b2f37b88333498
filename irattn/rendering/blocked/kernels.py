"""Kernels as dispatches: what they read and write, and their grid of workgroups."""

from dataclasses import dataclass

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
class KernelResult:
    """What a workgroup writes of a result: a slice at `place`, with `sizes`.

    `kept` are the axes of the slice that are more than one element.
    """

    value: Value
    place: tuple[str, ...]
    sizes: tuple[int | str, ...]
    kept: tuple[int, ...]

    @property
    def slice(self) -> Value:
        """The slice, without its other axes."""
        sizes = tuple(self.sizes[axis] for axis in self.kept)
        return Value(f"{self.value.name}_slice", sizes, self.value.element)

    @property
    def where(self) -> str:
        """The slice as operations on the whole write it."""
        places, sizes = ", ".join(self.place), ", ".join(map(str, self.sizes))
        return f"[{places}] [{sizes}] [{self.value.strides}]"


@dataclass(frozen=True)
class PrefetchedMemory:
    """An argument of a dispatch as the memory that a prefetch names: `binding` is its number."""

    value: Value
    binding: int

    @property
    def name(self) -> str:
        """The argument's name."""
        return self.value.name

    @property
    def type(self) -> str:
        """Its MLIR type."""
        return memory_type(self.value.shape, self.value.element)

    @property
    def extent(self) -> str:
        """The sizes that a call chooses, as they follow the type."""
        return self.value.extent


@dataclass(frozen=True)
class BlockedKernel:
    """One dispatch: its arguments by value, its results, and the sizes that a call chooses.

    `sources` are the values that the function has for the arguments. `grid` are sequences, heads
    and tiles.
    """

    arguments: list[Value]
    sources: list[str]
    results: list[KernelResult]
    sizes: list[str]
    grid: tuple[str, str, str]
    constants: dict[str, int]

    @property
    def memories(self) -> list[PrefetchedMemory]:
        """Its arguments as memory."""
        return [PrefetchedMemory(value, number) for number, value in enumerate(self.arguments)]

    @property
    def bindings(self) -> str:
        """What they are bound as."""
        return ", ".join("#hal.pipeline.binding<storage_buffer>" for _ in self.arguments)
