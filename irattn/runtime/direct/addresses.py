"""The memory of a call: how arrays are made, where they begin, and where kernels can load from."""

from collections.abc import Sequence
from typing import Any, Protocol

from irattn.core.errors import ArgumentError
from irattn.runtime.direct.steps import Shape

# Loads of 16 bytes are the widest that GPUs have.
ALIGNMENT = 16


class ArrayMaker(Protocol):
    """A library of arrays as a call needs it: where arrays begin, and new ones."""

    def own(self, array: Any) -> Any:
        """The caller's own array, of one that another method gave."""

    def addresses(self, arrays: Sequence[Any]) -> list[int]:
        """Where arrays begin."""

    def empty(self, shape: Shape, element: str, number: int, stream: int) -> Any:
        """A new array on device `number`, for use on a stream; `element` may be `bytes`."""

    def scratch(self, num_bytes: int, number: int, stream: int) -> Any:
        """An array of bytes that is free when it is dropped, for what is launched later."""

    def part(self, array: Any, offset: int, shape: Shape, element: str) -> Any:
        """The array at an offset in an array of bytes."""


def check_aligned(names: Sequence[str], addresses: Sequence[int]) -> None:
    """ArgumentError for an array that begins at an address which kernels cannot load from."""
    for name, address in zip(names, addresses, strict=False):
        if address % ALIGNMENT:
            raise ArgumentError(
                f"{name}: expected an array at an address that is a multiple of {ALIGNMENT} bytes, "
                f"got one {address % ALIGNMENT} bytes past one; give a copy of it"
            )
