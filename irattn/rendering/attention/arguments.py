"""How a kernel sees the function's tensors: as matrices of rows, whatever their dimensions mean."""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True)
class Size:
    """A size that a call chooses, times a number.

    `factors` are values; there are none where the function itself learns the size.
    """

    name: str
    number: int = 1
    factors: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Flat:
    """A tensor as a matrix with `columns` columns, or, where that is None, as one row of elements.

    Arguments are made flat before the kernel, results get their shape back after it: neither costs
    anything.
    """

    tensor: TensorType
    # What the function has for the tensor: of a cache that it has written, what is left.
    source: str
    name: str
    columns: int | None
    # Whether the tensor is flat already, and whether a row of it is several rows of the matrix.
    is_same: bool
    is_split: bool
    # Rows of the matrix, or elements of the row.
    length: Size | int
    # The flat value, and all elements in one row.
    value: Value
    row: Value
    # The sizes of the tensor, and its dimensions that become each one of the flat value.
    real_sizes: list[int | str]
    groups: list[list[int]]


def flat_of(
    tensor: TensorType, columns: int | None = None, leading: int = -1, source: str = ""
) -> Flat:
    """A tensor made flat: `leading` dimensions become its rows, by default all but the last."""
    is_same = len(tensor.shape) == 1 if columns is None else tensor.shape[1:] == (columns,)
    name = tensor.name if is_same else f"{tensor.name}_rows"
    is_split = columns is not None and columns < math.prod(tensor.largest_shape[leading:])
    dims, element = list(range(len(tensor.shape))), dtype(tensor.dtype).mlir
    of_all = product_of(tensor.shape, f"{name}_count")
    size = Size(of_all.name, of_all.number // (columns or 1), of_all.factors)
    length = size if size.factors else size.number
    rows = f"%{size.name}" if size.factors else size.number
    elements = "?" if size.factors else tensor.elements
    return Flat(
        tensor=tensor,
        source=source or tensor.name,
        name=name,
        columns=columns,
        is_same=is_same,
        is_split=is_split,
        length=length,
        value=Value(name, (rows,) if columns is None else (rows, columns), element),
        row=Value(f"{tensor.name}_elements", (elements,), element),
        real_sizes=[value_of(size) for size in tensor.shape],
        groups=[dims] if columns is None or is_split else [dims[:leading], dims[leading:]],
    )


def product_of(sizes: tuple[AnySize, ...], name: str = "") -> Size:
    """The product of some sizes, which may be known, and then has no factors."""
    number = math.prod(size for size in sizes if not isinstance(size, DynamicSize))
    factors = tuple(str(value_of(size)) for size in sizes if isinstance(size, DynamicSize))
    return Size(name, number, factors)


def storage_of(spec: AttentionFeatures, *roles: Role) -> str:
    """The element type in which a call stores the first tensor that has one of the roles."""
    return next(tensor.dtype for tensor in spec.inputs if tensor.role in roles)
