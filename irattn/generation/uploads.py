"""Integers for the device, which are not sent again while they are the same."""

import numpy as np

from irattn.runtime import DeviceArray
from irattn.runtime.memory import Device


class Uploads:
    """The last array of each name that went to a device.

    A block table changes when a sequence begins a block, and not with every token. What is on the
    device already was also checked there.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._last: dict[str, tuple[np.ndarray, DeviceArray]] = {}

    def there(self, name: str, array: np.ndarray) -> DeviceArray:
        """The array on the device; nobody may change it afterwards."""
        known = self._last.get(name)
        if known is None or not np.array_equal(known[0], array):
            known = self._last[name] = (array, DeviceArray.from_numpy(array, self._device))
        return known[1]
