"""Tensors in other shapes to kernels, without an operation of PyTorch's."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from irattn.runtime.direct.steps import Shape
from irattn.runtime.direct.torch_memory import TORCH_NAMES, TorchMemory

torch: Any = import_module("torch")


class Shaped:
    """The memory of a contiguous tensor, from `offset` bytes on, in another shape and type."""

    def __init__(
        self, tensor: Any, shape: Sequence[int], dtype: Any = None, offset: int = 0
    ) -> None:
        self.tensor, self.shape, self.offset = tensor, tuple(shape), offset
        self.dtype = tensor.dtype if dtype is None else dtype

    @property
    def device(self) -> Any:
        """The device of the tensor."""
        return self.tensor.device

    def get_device(self) -> int:
        """The number of the device; -1 for the CPU."""
        number: int = self.tensor.get_device()
        return number

    def is_contiguous(self) -> bool:
        """Whether rows lie one after the other."""
        is_dense: bool = self.tensor.is_contiguous()
        return is_dense

    def data_ptr(self) -> int:
        """The address of the first element."""
        address: int = self.tensor.data_ptr()
        return address + self.offset

    def reshaped(self, *shape: int) -> "Shaped":
        """Memory of as many elements in one more shape."""
        return Shaped(self.tensor, shape, self.dtype, self.offset)


class ShapedParts(TorchMemory):
    """PyTorch's memory for a kernel whose outputs only other kernels take."""

    def part(self, array: Any, offset: int, shape: Shape, element: str) -> Shaped:
        return Shaped(array, shape, getattr(torch, TORCH_NAMES[element]), offset)
