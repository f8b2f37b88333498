"""Tensors as rows, as kernels that take the gradient of attention in lanes read them."""

from collections.abc import Sequence
from math import prod

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.flat_tensors import RowCount
from irattn.rendering.values import Value


def row_count(sizes: Sequence[AnySize]) -> RowCount:
    """How many rows axes of these sizes are."""
    factors = [size for size in sizes if isinstance(size, DynamicSize)]
    number = prod(size for size in sizes if isinstance(size, int))
    names = [size.name for size in factors] + ([f"by_{number}"] if number > 1 else [])
    return RowCount(f"{'_'.join(names)}_dim", factors, number)


def axes_of_rows(tensor: TensorType) -> tuple[AnySize, ...]:
    """The axes that become rows: all but the last one of a tensor that has columns."""
    whole = tensor.role in (Role.LSE, Role.KEEP_MASK, Role.BIAS) or len(tensor.shape) == 1
    return tensor.shape if whole else tensor.shape[:-1]


def in_one_row(tensor: TensorType, name: str, element: str) -> Value:
    """All elements of a tensor, one after the other."""
    return Value(name, (row_count(tensor.shape).value,), element)


def as_rows(tensor: TensorType) -> Value:
    """A tensor as rows: its last axis is columns, and all others are one."""
    axes = axes_of_rows(tensor)
    columns = tensor.largest_shape[len(axes) :]
    name = tensor.name if len(tensor.shape) == 1 else f"{tensor.name}_rows"
    return Value(name, (row_count(axes).value, *columns), dtype(tensor.dtype).mlir)
