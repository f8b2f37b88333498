"""The types of device arrays: device, shape, element type, and checks that contents have passed."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.runtime.memory import Device

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
