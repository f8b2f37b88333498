"""Where an array of another library lies: on a GPU that the launcher reaches, or on the host."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.runtime import DeviceArray
from irattn.runtime.machine import launched_target

# DLPack's numbers of the devices that have a launcher.
_DRIVERS = {2: "cuda", 10: "hip"}


@dataclass(frozen=True)
class GpuPlace:
    """A GPU by its driver's name, and the target whose code it runs."""

    device: str
    target: str


def place_of(array: Any) -> GpuPlace | None:
    """The GPU that an array of another library lies on; None for all other arrays.

    ArgumentError where irattn compiles nothing for it.
    """
    if isinstance(array, np.ndarray | DeviceArray):
        return None
    try:
        kind, number = array.__dlpack_device__()
    except (BufferError, RuntimeError, ValueError):
        # Nobody shares it, which who takes it says by its name.
        return None
    driver = _DRIVERS.get(int(kind))
    if driver is None:
        return None
    target = launched_target(driver, int(number))
    if target is None:
        raise ArgumentError(f"device {driver} {number}: expected a GPU that irattn compiles for")
    return GpuPlace(driver, target)


def have_tokens_first(*arrays: Any) -> bool:
    """Whether arrays `[batch, heads, tokens, columns]` lie on a GPU with tokens before heads.

    PyTorch's are such views after `transpose(1, 2)`: kernels of that layout take them uncopied.
    """
    if not all(hasattr(array, "is_contiguous") for array in arrays):
        return False
    # Where an array lies is asked last, as the question costs most.
    return lie_tokens_first(*arrays) and all(place_of(array) for array in arrays)


def lie_tokens_first(*arrays: Any) -> bool:
    """Whether PyTorch's tensors `[batch, heads, tokens, columns]` lie with tokens before heads."""
    lie_so = all(array.transpose(1, 2).is_contiguous() for array in arrays)
    return lie_so and not all(array.is_contiguous() for array in arrays)
