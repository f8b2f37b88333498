"""Values of a graph, by name and type, as plans hand them to templates."""

from collections.abc import Iterable
from dataclasses import dataclass

from irattn.core.tensors import AnySize, DynamicSize
from irattn.rendering.dynamic import size_text


def tensor_type(shape: Iterable[AnySize | str], element: str) -> str:
    """A tensor type; sizes that a call chooses, and those given as text, are `?`."""
    return f"tensor<{_shaped(shape, element)}>"


def memory_type(shape: Iterable[int | str], element: str) -> str:
    """The type of the memory that has a tensor."""
    return f"memref<{_shaped(shape, element)}>"


def buffer_type(
    shape: Iterable[AnySize | str],
    element: str,
    space: str = "#hal.descriptor_type<storage_buffer>",
) -> str:
    """The type of the memory that has an argument, wherever rows begin, as IREE names it."""
    sizes = list(shape)
    layout = f"strided<[{', '.join([*('?' for _ in sizes[1:]), '1'])}], offset: ?>"
    return f"memref<{_shaped(sizes, element)}, {layout}, {space}>"


def _shaped(shape: Iterable[AnySize | str], element: str) -> str:
    sizes = ["?" if isinstance(size, DynamicSize | str) else str(size) for size in shape]
    return "x".join([*sizes, element])


def vector_type(shape: Iterable[int], element: str) -> str:
    """A vector type."""
    return f"vector<{'x'.join([*map(str, shape), element])}>"


@dataclass(frozen=True)
class Value:
    """A tensor that a graph names: sizes are numbers, or values by name where a call chooses.

    Names are without their sigils.
    """

    name: str
    shape: tuple[int | str, ...]
    element: str

    @property
    def type(self) -> str:
        """The MLIR type of the tensor."""
        return tensor_type(self.shape, self.element)

    @property
    def buffer_type(self) -> str:
        """The type of the memory that has the tensor, an argument."""
        return buffer_type(self.shape, self.element)

    @property
    def sizes(self) -> str:
        """The sizes of the tensor, as slices take them."""
        return ", ".join(map(size_text, self.shape))

    @property
    def offsets(self) -> str:
        """The offsets of all of it."""
        return ", ".join("0" for _ in self.shape)

    @property
    def strides(self) -> str:
        """The strides of all of it."""
        return ", ".join("1" for _ in self.shape)

    @property
    def chosen(self) -> list[str]:
        """The names of the sizes that a call chooses."""
        return [size for size in self.shape if isinstance(size, str)]

    @property
    def extent(self) -> str:
        """The sizes that a call chooses, as they follow a type."""
        return f"{{{', '.join(map(size_text, self.chosen))}}}" if self.chosen else ""
