"""Pad a call's arrays to the compiled sizes, and cut its outputs back, on the device."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from irattn.core.tensors import TensorType
from irattn.runtime.memory import Device
from irattn.runtime.padding import filler, lengths_of, padded_shape
from irattn.runtime.queue import Launched
from irattn.runtime.resizing import Shape, resized
from irattn.specs import Spec


class DevicePadding:
    """Padding of calls of the same sizes in a device's memory, as `padding` does for NumPy arrays.

    Memory is what the virtual machine hands on for IREE's views. The lengths that the compiled
    function asks for go to the device once. `is_any` says whether it takes anything else at all.
    """

    def __init__(self, device: Device, compiled: Spec, call: Spec) -> None:
        self._device = device
        names = [tensor.name for tensor in call.inputs]
        implied = [tensor for tensor in compiled.inputs if tensor.name not in names]
        self._lengths = [device.upload(lengths_of(t, call), t.dtype).ref for t in implied]
        every = [*names, *(tensor.name for tensor in implied)]
        wanted = {tensor.name: tensor for tensor in compiled.inputs}
        # Positions, with what `resized` takes, of the inputs that are filled up.
        self._fills = [
            (i, (*resizing, filler(tensor)))
            for i, tensor in enumerate(call.inputs)
            for resizing in _resizings(tensor, wanted[tensor.name])
        ]
        self._in_order = itemgetter(*map(every.index, wanted))
        # The same of the outputs that are cut.
        self.cuts = [
            (i, (padded, shape, element))
            for i, tensors in enumerate(zip(call.outputs, compiled.outputs, strict=True))
            for shape, padded, element in _resizings(*tensors)
        ]
        self.is_any = bool(self._fills or self.cuts) or names != list(wanted)

    def pad(self, memory: Sequence[Any]) -> Sequence[Any]:
        """The memory that the compiled function takes, filled up where it is larger."""
        every = [*memory, *self._lengths]
        for i, how in self._fills:
            view, _ = resized(self._device, self._device.view_of(every[i]), *how)
            every[i] = view.ref
        in_order: Sequence[Any] = self._in_order(every)
        return in_order

    def cut(
        self, memory: list[Any], launched: Launched | None
    ) -> tuple[list[Any], Launched | None]:
        """The memory of outputs without their padding, and what is launched last of them."""
        for i, how in self.cuts:
            view, copy = resized(self._device, self._device.view_of(memory[i]), *how)
            memory[i], launched = view.ref, copy or launched
        return memory, launched


def _resizings(own: TensorType, compiled: TensorType) -> Iterator[tuple[Shape, Shape, str]]:
    """A call's shape, the compiled function's and the element type, where the shapes differ."""
    shape = own.largest_shape
    padded = padded_shape(shape, compiled)
    if shape != padded:
        yield shape, padded, own.dtype
