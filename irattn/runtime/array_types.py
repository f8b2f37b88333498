"""The types of device arrays: device, shape, element type, and checks that contents have passed."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name, dtype
from irattn.core.errors import ArgumentError, shown
from irattn.runtime.devices import memory_of
from irattn.runtime.memory import Device

# IREE's runtime counts bytes in an int64.
_MOST_ELEMENTS = 2**60

# What is known of calls by the shapes and types of their arrays is remembered up to so many of
# each; then it begins anew.
MOST_REMEMBERED = 1024


# Compared by identity: looking up what is known of a call's types takes part in every call.
@dataclass(frozen=True, eq=False)
class ArrayType:
    """Device, shape and element type (irattn's name) of device arrays.

    `passed` are the checks that the contents have passed; None where others may change them.
    """

    device: Device
    shape: tuple[int, ...]
    dtype_name: str
    passed: frozenset[Any] | None = frozenset()

    def __str__(self) -> str:
        return f"{self.dtype_name} [{', '.join(map(str, self.shape))}]"

    @property
    def dtype(self) -> np.dtype:
        """The element type as NumPy's."""
        return dtype(self.dtype_name).numpy

    def having_passed(self, checks: frozenset[Any] | None) -> "ArrayType":
        """The type of arrays whose contents have passed exactly these."""
        return array_type(self.device, self.shape, self.dtype_name, checks)


@lru_cache(maxsize=4096)
def _array_type(hal: Any, device: Device, *what: Any) -> ArrayType:
    return ArrayType(device, *what)


def array_type(
    device: Device,
    shape: tuple[int, ...],
    dtype_name: str,
    passed: frozenset[Any] | None = frozenset(),
) -> ArrayType:
    """The one object for a type, as long as it is in use."""
    # Devices of one name are equal as text.
    return _array_type(device._hal, device, shape, dtype_name, passed)


def new_type(what: str, shape: Any, dtype: Any, device: str) -> ArrayType:
    """The type of a new array; ArgumentError names what is wrong."""
    name = any_name(dtype)
    if name is None:
        raise ArgumentError(
            f"{what}: expected an element type of f32, f16, bf16, i32, i64 or bool, got {dtype}"
        )
    if not isinstance(shape, Iterable):
        raise ArgumentError(f"{what}: expected a shape, as ({shown(shape)},), got {shown(shape)}")
    sizes = tuple(shape)
    for size in sizes:
        if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 1:
            raise ArgumentError(
                f"{what}: expected a shape of whole numbers from 1, got {shown(shape)}"
            )
    numbers = tuple(map(int, sizes))
    if math.prod(numbers) > _MOST_ELEMENTS:
        raise ArgumentError(f"{what}: expected at most 2**60 elements, got {list(numbers)}")
    return array_type(memory_of(device), numbers, name)
