"""Tensors of a call as rows, as kernels of lanes take them."""

from dataclasses import dataclass

from irattn.core.tensors import DynamicSize, TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value


@dataclass(frozen=True)
class FlatTensor:
    """A tensor of a call as rows, which the kernel takes, and the slice of a workgroup.

    `groups` are the axes that are joined, `offsets` and `sizes` those of the slice.
    """

    tensor: TensorType
    groups: list[list[int]]
    value: Value
    offsets: str
    tile: Value

    @property
    def name(self) -> str:
        """The tensor's own name."""
        return self.tensor.name

    @property
    def is_same(self) -> bool:
        """Whether the rows are the tensor as it is."""
        return self.value.name == self.name


@dataclass(frozen=True)
class RowCount:
    """How many rows tensors have: a product of a number and of sizes that a call chooses."""

    name: str
    factors: list[DynamicSize]
    number: int

    @property
    def value(self) -> int | str:
        """The number, or its name where a call chooses."""
        return self.name if self.factors else self.number

    @property
    def is_product(self) -> bool:
        """Whether it is none of the sizes themselves."""
        return [self.name] != [value_of(size) for size in self.factors]
