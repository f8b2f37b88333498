"""What device arrays are of: device, shape and element type."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from irattn.dtypes import dtype
from irattn.runtime.memory import Device


# Compared by identity: looking up what is known of a call's types takes part in every call.
@dataclass(frozen=True, eq=False)
class ArrayType:
    """Device, shape and element type (irattn's name) of device arrays."""

    device: Device
    shape: tuple[int, ...]
    dtype_name: str

    def __str__(self) -> str:
        return f"{self.dtype_name} [{', '.join(map(str, self.shape))}]"

    @property
    def dtype(self) -> np.dtype:
        """The element type as NumPy's."""
        return dtype(self.dtype_name).numpy


@lru_cache(maxsize=4096)
def _array_type(hal: Any, device: Device, shape: tuple[int, ...], dtype_name: str) -> ArrayType:
    return ArrayType(device, shape, dtype_name)


def array_type(device: Device, shape: tuple[int, ...], dtype_name: str) -> ArrayType:
    """The one object for a type, as long as it is in use."""
    # Devices of one name are equal as text.
    return _array_type(device._hal, device, shape, dtype_name)
