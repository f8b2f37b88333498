"""How a kernel sees the function's tensors: as matrices of rows, whatever their dimensions mean."""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import DynamicSize, TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value


@dataclass(frozen=True)
class Size:
    """A size that a call chooses, times a number: the value `%<name>` of the graph.

    `factors` are values; there are none where the function itself learns the size.
    """

    name: str
    number: int = 1
    factors: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        """The value."""
        return f"%{self.name}"


@dataclass(frozen=True)
class Flat:
    """A tensor as a matrix with `columns` columns, or, where that is None, as one row of elements.

    `leading` dimensions of the tensor become its rows: by default all but the last.

    Arguments are made flat before the kernel, results get their shape back after it: neither costs
    anything.
    """

    tensor: TensorType
    columns: int | None = None
    leading: int = -1

    @property
    def is_same(self) -> bool:
        """Whether the tensor is flat already."""
        shape = self.tensor.shape
        return len(shape) == 1 if self.columns is None else shape[1:] == (self.columns,)

    @property
    def is_split(self) -> bool:
        """Whether a row of the tensor is several rows of the matrix."""
        row = self.tensor.largest_shape[self.leading :]
        return self.columns is not None and self.columns < math.prod(row)

    @property
    def name(self) -> str:
        """The name of the flat value."""
        return self.tensor.name if self.is_same else f"{self.tensor.name}_rows"

    @property
    def length(self) -> Size | int:
        """Rows of the matrix, or elements of the row."""
        sizes = self.tensor.shape
        number = math.prod(size for size in sizes if not isinstance(size, DynamicSize))
        factors = tuple(str(value_of(size)) for size in sizes if isinstance(size, DynamicSize))
        number //= self.columns or 1
        return Size(f"{self.name}_count", number, factors) if factors else number

    @property
    def elements(self) -> Size | int:
        """All elements."""
        return Flat(self.tensor).length

    @property
    def value(self) -> Value:
        """The flat value."""
        length = self.length if isinstance(self.length, int) else self.length.value
        columns = () if self.columns is None else (self.columns,)
        return Value(self.name, (length, *columns), dtype(self.tensor.dtype).mlir)

    @property
    def row(self) -> Value:
        """All elements in one row."""
        length = "?" if isinstance(self.length, Size) else self.tensor.elements
        return Value(f"{self.tensor.name}_elements", (length,), dtype(self.tensor.dtype).mlir)

    @property
    def real_sizes(self) -> list[int | str]:
        """The sizes of the tensor."""
        return [value_of(size) for size in self.tensor.shape]

    @property
    def groups(self) -> list[list[int]]:
        """The dimensions of the tensor that become each one of the flat value."""
        rank = len(self.tensor.shape)
        if self.columns is None or self.is_split:
            return [list(range(rank))]
        dims = list(range(rank))
        return [dims[: self.leading], dims[self.leading :]]
