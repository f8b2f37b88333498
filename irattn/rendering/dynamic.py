"""How a graph says sizes known only at run time: `?` in types, values by name elsewhere."""

from collections.abc import Iterable

from irattn.core.tensors import AnySize, DynamicSize, TensorType


def dynamic_sizes(tensors: Iterable[TensorType]) -> list[tuple[DynamicSize, TensorType, int]]:
    """Every dynamic size, with a tensor and the axis of it that has the size."""
    sizes: dict[str, tuple[DynamicSize, TensorType, int]] = {}
    for tensor in tensors:
        for axis, size in enumerate(tensor.shape):
            if isinstance(size, DynamicSize):
                sizes.setdefault(size.name, (size, tensor, axis))
    return list(sizes.values())


def has_dynamic(sizes: Iterable[AnySize]) -> bool:
    """Whether any of some sizes is known only at run time."""
    return any(isinstance(size, DynamicSize) for size in sizes)


def dynamic_values(sizes: Iterable[AnySize]) -> str:
    """The values of those sizes that are known only at run time, as `tensor.empty` takes them."""
    return ", ".join(size_text(size) for size in sizes if isinstance(size, DynamicSize))


def extent(sizes: Iterable[AnySize]) -> str:
    """The sizes in braces that follow a type where an op takes their values."""
    values = dynamic_values(sizes)
    return f"{{{values}}}" if values else ""


def sizes(sizes: Iterable[AnySize | str]) -> str:
    """A list of sizes, as slices and reshapes take them."""
    return f"[{', '.join(map(size_text, sizes))}]"


def size_text(size: AnySize | str) -> str:
    """A size as a graph says it: a number, or a value by its name."""
    named = value_of(size) if isinstance(size, DynamicSize) else size
    return f"%{named}" if isinstance(named, str) else str(named)


def value_of(size: AnySize) -> int | str:
    """A size as a number, or as the name of its value, without the sigil."""
    return f"{size.name}_dim" if isinstance(size, DynamicSize) else size
