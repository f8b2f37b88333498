"""Memory of PyTorch's caching allocator, and the stream that is current."""

import math
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from irattn.runtime.direct.steps import Shape

# PyTorch's names of element types, by irattn's.
TORCH_NAMES = {
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "i32": "int32",
    "i64": "int64",
    "bool": "bool",
    "int8": "int8",
    "fp8_e4m3": "float8_e4m3fn",
    "fp8_e4m3fnuz": "float8_e4m3fnuz",
    "fp8_e5m2": "float8_e5m2",
    "fp8_e5m2fnuz": "float8_e5m2fnuz",
    "int4": "uint8",
    "u8": "uint8",
    "bytes": "uint8",
}


class TorchMemory:
    """Tensors of PyTorch as a call needs them.

    New ones are of the caching allocator, in the pool of a graph while it is captured. What is
    dropped there is reused in the order of the current stream.
    """

    def __init__(self) -> None:
        torch = sys.modules["torch"]
        self._empty: Callable[..., Any] = torch.empty
        self._make_device: Callable[..., Any] = torch.device
        self._devices: dict[int, Any] = {}
        self._types = {name: getattr(torch, theirs) for name, theirs in TORCH_NAMES.items()}
        # What Triton and Inductor ask, too; the public way makes an object, in a microsecond.
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self.has_streams = raw is not None and torch.cuda.is_available()
        self.stream: Callable[[int], int] = raw if raw and self.has_streams else _no_stream

    def key(self, arrays: Sequence[Any]) -> Any:
        """All that a call's layout depends on, of tensors; AttributeError where one is none."""
        return tuple([(a.shape, a.dtype, a.get_device(), a.is_contiguous()) for a in arrays])

    def own(self, array: Any) -> Any:
        return array

    def addresses(self, arrays: Sequence[Any]) -> list[int]:
        return [array.data_ptr() for array in arrays]

    def empty(self, shape: Shape, element: str, number: int, stream: int) -> Any:
        return self._empty(shape, dtype=self._types[element], device=self.device(number))

    def scratch(self, num_bytes: int, number: int, stream: int) -> Any:
        return self._empty(num_bytes, dtype=self._types["bytes"], device=self.device(number))

    def part(self, array: Any, offset: int, shape: Shape, element: str) -> Any:
        kind = self._types[element]
        return array.view(kind).as_strided(shape, _dense(shape), offset // kind.itemsize)

    def device(self, number: int) -> Any:
        """PyTorch's device of this number; the CPU, where its tensors stand for a device's."""
        device = self._devices.get(number)
        if device is None:
            kind = "cuda" if self.has_streams else "cpu"
            device = self._devices[number] = self._make_device(kind, number)
        return device


@lru_cache(maxsize=1024)
def _dense(shape: Shape) -> tuple[int, ...]:
    """The strides of an array whose elements lie row by row."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _no_stream(number: int) -> int:
    """The default stream, where PyTorch has none: its tensors on the CPU stand for a device's."""
    return 0
