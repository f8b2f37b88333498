"""Arrays in a device's memory as the launcher sees them, whatever library they are of."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.core.tensors import TensorType
from irattn.runtime.direct.addresses import ArrayMaker
from irattn.runtime.direct.driver import Driver
from irattn.runtime.direct.steps import Shape


@dataclass(frozen=True)
class Described:
    """An array's shape, element type (irattn's name, None for another), and whether its elements
    lie row by row; `device` is DLPack's type and number."""

    shape: Shape
    dtype: str | None
    is_dense: bool
    device: tuple[int, int]

    @property
    def stand_in(self) -> np.ndarray:
        """A NumPy array of this shape and type, with no memory of its own."""
        return np.broadcast_to(np.empty((), dtype(self.dtype or "f32").numpy), self.shape)


class Library(ArrayMaker, Protocol):
    """How the launcher reads and makes arrays of one library.

    `convert` says how its arrays are converted, with `{}` for the element type.
    """

    convert: str

    def taken(self, names: Sequence[str], arrays: Sequence[Any], stream: int) -> list[Any]:
        """Arrays as the other methods take them, those of NumPy as they are."""

    def key(self, arrays: Sequence[Any]) -> Any:
        """All that a call's layout depends on, of arrays of this library; to be looked up by.

        AttributeError where one is of another library.
        """

    def describe(self, name: str, array: Any) -> Described:
        """An array's description; ArgumentError for what has none."""

    def upload(self, array: np.ndarray, number: int, stream: int) -> Any:
        """A copy of an array of the host's."""

    def download(self, array: Any, stream: int) -> np.ndarray:
        """A copy of an array of integers or bools, which waits for what writes it."""

    def on_stream(self, number: int, named: int | None) -> AbstractContextManager[None]:
        """A time in which new arrays are for a stream that the caller names."""

    def stream(self, number: int) -> int:
        """The stream on which the library's own work on a device is launched now."""


def check_described(
    tensor: TensorType, given: Described, driver: Driver, number: int, convert: str
) -> None:
    """ArgumentError for an array of another shape or type, elsewhere, or not dense.

    `convert` says how arrays of a library are converted: `.to(torch.{})`.
    """
    name = tensor.name
    if given.dtype is None:
        raise ArgumentError(f"{name}: expected {tensor}, got an element type that irattn has not")
    tensor.check_type(given.stand_in)
    # Of int4, two numbers lie in a byte.
    if dtype(given.dtype).numpy != (wanted_type := dtype(tensor.dtype).numpy):
        raise ArgumentError(
            f"{name}: expected {tensor} on the device, got {given.dtype}; convert with "
            f"{name}{convert.format(wanted_type.name)}"
        )
    if given.device != (wanted := driver.place_of(number)):
        raise ArgumentError(
            f"{name}: expected an array on device {driver.name} {number} (DLPack's {wanted}), got "
            f"one on {given.device}; copy it there first"
        )
    if not given.is_dense:
        raise ArgumentError(
            f"{name}: expected elements that lie row by row, as the kernel takes no strides; give "
            f"{name}.contiguous()"
        )
