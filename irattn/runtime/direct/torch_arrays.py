"""PyTorch's tensors: its caching allocator, and the stream that is current."""

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name, dtype, dtype_name
from irattn.core.errors import ArgumentError
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.direct.arrays import Described
from irattn.runtime.direct.steps import Shape


def is_tensor(array: Any) -> bool:
    """Whether an array is PyTorch's; imports nothing."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


class TorchArrays:
    """Tensors of PyTorch as the launcher reads and makes them.

    New ones are of the caching allocator, in the pool of a graph while it is captured. What is
    dropped there is reused in the order of the current stream.
    """

    convert = ".to(torch.{})"

    def __init__(self) -> None:
        self._torch = torch = sys.modules["torch"]
        self._empty: Callable[..., Any] = torch.empty
        self._devices: dict[int, Any] = {}
        names = ("f32", "f16", "bf16", "i32", "i64", "bool")
        self._types = {name: getattr(torch, dtype(name).numpy.name) for name in names}
        self._types["bytes"] = torch.uint8
        self._bits = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}
        # What Triton and Inductor ask, too; the public way makes an object, in a microsecond.
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self.stream: Callable[[int], int] = raw if raw and torch.cuda.is_available() else _no_stream

    def taken(self, names: Sequence[str], arrays: Sequence[Any], stream: int) -> list[Any]:
        for name, array in zip(names, arrays, strict=True):
            if not isinstance(array, self._torch.Tensor | np.ndarray):
                raise ArgumentError(
                    f"{name}: expected a tensor of PyTorch's, as another input is one, got "
                    f"{type(array).__name__}"
                )
        return list(arrays)

    def own(self, array: Any) -> Any:
        return array

    def key(self, arrays: Sequence[Any]) -> Any:
        return tuple(
            [(a.shape, a.dtype, a.get_device(), a.is_contiguous()) for a in arrays],
        )

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

    def addresses(self, arrays: Sequence[Any]) -> list[int]:
        return [array.data_ptr() for array in arrays]

    def empty(self, shape: Shape, element: str, number: int, stream: int) -> Any:
        return self._empty(shape, dtype=self._types[element], device=self._device(number))

    def scratch(self, num_bytes: int, number: int, stream: int) -> Any:
        return self._empty(num_bytes, dtype=self._types["bytes"], device=self._device(number))

    def part(self, array: Any, offset: int, shape: Shape, element: str) -> Any:
        kind = self._types[element]
        return array.view(kind).as_strided(shape, _dense(shape), offset // kind.itemsize)

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
        if named is None or self.stream is _no_stream:
            return nullcontext()
        cuda = self._torch.cuda
        context: AbstractContextManager[None] = cuda.stream(
            cuda.ExternalStream(named, device=self._device(number))
        )
        return context

    def _device(self, number: int) -> Any:
        device = self._devices.get(number)
        if device is None:
            kind = "cuda" if self.stream is not _no_stream else "cpu"
            device = self._devices[number] = self._torch.device(kind, number)
        return device


@lru_cache(maxsize=MOST_REMEMBERED)
def _dense(shape: Shape) -> tuple[int, ...]:
    """The strides of an array whose elements lie row by row."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _no_stream(number: int) -> int:
    """The default stream, where PyTorch has none: its tensors on the CPU stand for a device's."""
    return 0
