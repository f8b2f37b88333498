"""Sizes of products on GPUs in whole tiles of matrix instructions.

Where IREE 3.13.0 fills a sum up to what an instruction takes, it loses the mask of an operand whose
sum is over rows: `create_mask` with sizes of 1 becomes all true as it is cast to fewer dimensions
(tests/compiling/compiler_bugs/unit_mask). What lies behind the last row is multiplied, then: by
what lies behind the other's, or by zero, and NaN by zero is NaN. A text that says the zeros itself
needs no mask.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value
from irattn.targets import Target

_TILE = 16


def tile_of(target: Target) -> int:
    """The elements of a tile along each dimension; 1 where nothing is filled up."""
    return _TILE if target.is_gpu else 1


def in_tiles(size: int, target: Target) -> int:
    """A size in whole tiles."""
    return -(-size // tile_of(target)) * tile_of(target)


@dataclass(frozen=True)
class TiledTensor:
    """A tensor in whole tiles: `more` zeros lie behind it along each axis."""

    given: Value
    value: Value
    more: list[int]

    @property
    def is_same(self) -> bool:
        """Whether it is in whole tiles as it is given."""
        return not any(self.more)


def tiled_tensor(tensor: TensorType, sizes: Mapping[int, int]) -> TiledTensor:
    """A tensor whose axes of these numbers have these sizes."""
    given = tuple(map(value_of, tensor.shape))
    shape = tuple(sizes.get(axis, size) for axis, size in enumerate(given))
    more = [sizes.get(axis, size) - size for axis, size in enumerate(tensor.largest_shape)]
    name = f"{tensor.name}_tiles" if any(more) else tensor.name
    element = dtype(tensor.dtype).mlir
    return TiledTensor(Value(tensor.name, given, element), Value(name, shape, element), more)
