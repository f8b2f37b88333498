"""PyTorch's tensors: its caching allocator, and the stream that is current."""

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name, dtype_name
from irattn.core.errors import ArgumentError
from irattn.runtime.direct.arrays import Described
from irattn.runtime.direct.torch_memory import TorchMemory


def is_tensor(array: Any) -> bool:
    """Whether an array is PyTorch's; imports nothing."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


class TorchArrays(TorchMemory):
    """Tensors of PyTorch as the launcher reads and makes them."""

    convert = ".to(torch.{})"

    def __init__(self) -> None:
        super().__init__()
        self._torch = torch = sys.modules["torch"]
        self._bits = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}

    def taken(self, names: Sequence[str], arrays: Sequence[Any], stream: int) -> list[Any]:
        for name, array in zip(names, arrays, strict=True):
            if not isinstance(array, self._torch.Tensor | np.ndarray):
                raise ArgumentError(
                    f"{name}: expected a tensor of PyTorch's, as another input is one, got "
                    f"{type(array).__name__}"
                )
        return list(arrays)

    def describe(self, name: str, array: Any) -> Described:
        if array.layout is not self._torch.strided:
            raise ArgumentError(f"{name}: expected a dense tensor, got one of {array.layout}")
        kind, number = array.__dlpack_device__()
        return Described(
            tuple(array.shape),
            any_name(array.dtype),
            array.is_contiguous(),
            (int(kind), int(number)),
        )

    def upload(self, array: np.ndarray, number: int, stream: int) -> Any:
        made = self.empty(array.shape, dtype_name(array.dtype), number, stream)
        # PyTorch takes no bf16 of NumPy's.
        bits = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
        made.view(self._bits[array.dtype.itemsize]).copy_(self._torch.from_numpy(bits))
        return made

    def download(self, array: Any, stream: int) -> np.ndarray:
        copied: np.ndarray = array.cpu().numpy()
        return copied

    def on_stream(self, number: int, named: int | None) -> AbstractContextManager[None]:
        if named is None or not self.has_streams:
            return nullcontext()
        cuda = self._torch.cuda
        context: AbstractContextManager[None] = cuda.stream(
            cuda.ExternalStream(named, device=self.device(number))
        )
        return context
