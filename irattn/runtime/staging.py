"""Give a device the arrays of a NumPy call: in their own memory, or copied."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from irattn.core.tensors import TensorType
from irattn.runtime.arrays import aligned_copy, aligned_empty, can_import
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.memory import Device
from irattn.runtime.transfer_counts import count

# Up to here it costs less to copy an array than to make its memory known to the runtime.
_SMALL_BYTES = 32 * 1024


class Staging:
    """Memory that the arrays of one call at a time are copied into.

    It is kept for the next call: fresh memory costs several times as much as copying. `overwritten`
    are the inputs that the function writes to; `listed` makes a list of arguments.
    `updated` are the large ones of these, by position, in memory that is no other call's: who calls
    is given it, and takes them out.
    """

    def __init__(
        self,
        device: Device,
        inputs: Sequence[TensorType],
        overwritten: Collection[str],
        listed: Callable[[list[Any]], Any],
    ) -> None:
        self._device, self._inputs, self._listed = device, inputs, listed
        self._is_overwritten = [tensor.name in overwritten for tensor in inputs]
        self._staged: list[Any] = [None] * len(inputs)
        self._memory: list[Any] = [None] * len(inputs)
        # What the function is given where nothing but the contents is new.
        self._same: Any = None
        self.updated: dict[int, np.ndarray] = {}

    def arguments(self, arrays: Sequence[Any]) -> Any:
        """The arrays' own memory where the device can use it, else copies; overwritten ones too.

        As `listed` makes it, for one call that is done when it returns. Device arrays are
        those that a kernel has bound.
        """
        if not self._device.is_host:
            return self._listed([self._uploaded(i, array) for i, array in enumerate(arrays)])
        self.updated, own, num_copied = {}, {}, 0
        for i, array in enumerate(arrays):
            if type(array) is DeviceArray:
                own[i] = self._bound(i, array)
                continue
            num_bytes = array.nbytes
            if num_bytes > _SMALL_BYTES and (memory := self._own(i, array)):
                own[i] = memory
                continue
            staged = self._staged[i]
            if staged is None or staged.shape != array.shape:
                staged = self._place(i, array)
            staged[...] = array
            num_copied += num_bytes
        if own:
            made = self.updated.values()
            num_copied += sum([array.nbytes for array in made])
            count("to_device", num_copied, len(arrays) - len(own) + len(made))
            return self._listed([own.get(i, one) for i, one in enumerate(self._memory)])
        count("to_device", num_copied, len(arrays))
        if self._same is None:
            self._same = self._listed(self._memory)
        return self._same

    def _uploaded(self, i: int, array: Any) -> Any:
        """An array's memory on a GPU."""
        if type(array) is DeviceArray:
            return self._bound(i, array)
        return self._device.upload(array, self._inputs[i].dtype)

    def _bound(self, i: int, array: DeviceArray) -> Any:
        """A device array's memory, where its contents are; of a copy if it is written to."""
        array._join(None)
        memory = array._memory(self._inputs[i].name)
        if not self._is_overwritten[i]:
            return memory
        copy = self._device.empty(array.shape, self._inputs[i].dtype)
        if launched := self._device.copy(self._device.view_of(memory), copy):
            launched.wait()
        return copy

    def _own(self, i: int, array: np.ndarray) -> Any:
        """For a large array, memory that is not kept: its own, or a copy if it is written to."""
        if self._is_overwritten[i]:
            # From kept memory it would be copied a second time, for the caller.
            array = self.updated[i] = aligned_copy(array)
        elif not can_import(array):
            return None
        return self._device.imported(array, self._inputs[i].dtype).ref

    def _place(self, i: int, array: np.ndarray) -> np.ndarray:
        """Memory for arrays like this one."""
        self._staged[i] = staged = aligned_empty(array.shape, array.dtype)
        self._memory[i] = self._device.imported(staged, self._inputs[i].dtype).ref
        self._same = None
        return staged
