"""Where a call's NumPy arrays are for the device: in their own memory, or copied."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from irattn.runtime.arrays import aligned_empty, can_import
from irattn.runtime.memory import Device
from irattn.runtime.transfer_counts import count
from irattn.tensors import TensorType

# Up to here it costs less to copy an array than to make its memory known to the runtime.
_SMALL_BYTES = 32 * 1024


class Staging:
    """Memory that the arrays of one call at a time are copied into.

    It is kept for the next call: fresh memory costs several times as much as copying. `overwritten`
    are the inputs that the function writes to.
    """

    def __init__(
        self, device: Device, inputs: Sequence[TensorType], overwritten: Collection[str]
    ) -> None:
        self._device, self._inputs = device, inputs
        self._is_overwritten = [tensor.name in overwritten for tensor in inputs]
        self._places: list[Any] = [(None, None)] * len(inputs)

    def views(self, arrays: Sequence[np.ndarray]) -> list[Any]:
        """The arrays' own memory where the device can use it, else copies; overwritten ones too."""
        if not self._device.is_host:
            pairs = zip(arrays, self._inputs, strict=True)
            return [self._device.upload(array, tensor.dtype) for array, tensor in pairs]
        views, copied = [], []
        for i, array in enumerate(arrays):
            num_bytes = array.nbytes
            is_own = num_bytes > _SMALL_BYTES and not self._is_overwritten[i] and can_import(array)
            if is_own:
                views.append(self._device.imported(array, self._inputs[i].dtype))
            else:
                views.append(self._copied(i, array))
                copied.append(num_bytes)
        count("to_device", sum(copied), len(copied))
        return views

    def _copied(self, i: int, array: np.ndarray) -> Any:
        staged, view = self._places[i]
        if staged is None or staged.shape != array.shape:
            staged = aligned_empty(array.shape, array.dtype)
            view = self._device.imported(staged, self._inputs[i].dtype)
            self._places[i] = staged, view
        staged[...] = array
        return view
