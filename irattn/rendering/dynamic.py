"""How a graph says sizes known only at run time: `?` in types, `%<name>_dim` as a value."""

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
    return ", ".join(str(value_of(size)) for size in sizes if isinstance(size, DynamicSize))


def extent(sizes: Iterable[AnySize]) -> str:
    """The sizes in braces that follow a type where an op takes their values."""
    values = dynamic_values(sizes)
    return f"{{{values}}}" if values else ""


def sizes(sizes: Iterable[AnySize]) -> str:
    """A list of sizes, as slices and reshapes take them."""
    return f"[{', '.join(str(value_of(size)) for size in sizes)}]"


def value_of(size: AnySize) -> int | str:
    """A size as templates write it."""
    return f"%{size.name}_dim" if isinstance(size, DynamicSize) else size
