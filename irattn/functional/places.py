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
    kind, number = array.__dlpack_device__()
    driver = _DRIVERS.get(int(kind))
    if driver is None:
        return None
    target = launched_target(driver, int(number))
    if target is None:
        raise ArgumentError(f"device {driver} {number}: expected a GPU that irattn compiles for")
    return GpuPlace(driver, target)
