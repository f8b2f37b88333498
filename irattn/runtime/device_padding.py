"""Pad a call's arrays to the compiled sizes, and cut its outputs back, on the device."""

from typing import Any

from irattn.dtypes import dtype
from irattn.runtime.memory import Device
from irattn.runtime.padding import common_parts, filler, lengths_of, padded_shape
from irattn.runtime.queue import Launched
from irattn.specs import Spec


class DevicePadding:
    """What `padding` does for NumPy arrays, for the memory of calls of the same sizes.

    The lengths that the compiled function asks for go to the device once.
    """

    def __init__(self, device: Device, compiled: Spec, call: Spec) -> None:
        self._device = device
        given = {tensor.name: (i, tensor) for i, tensor in enumerate(call.inputs)}
        # By input of the function: the memory of a call and what `resized` takes, or lengths.
        self._inputs: list[tuple[int | None, Any]] = []
        for tensor in compiled.inputs:
            if tensor.name in given:
                i, own = given[tensor.name]
                old, new = own.largest_shape, padded_shape(own.largest_shape, tensor)
                how = None if old == new else (old, new, tensor.dtype, filler(tensor))
                self._inputs.append((i, how))
            else:
                lengths = device.upload(lengths_of(tensor, call), tensor.dtype)
                self._inputs.append((None, lengths))
        self._outputs = [(tensor.largest_shape, tensor.dtype) for tensor in call.outputs]

    def pad(self, views: list[Any]) -> list[Any]:
        """The memory that the compiled function takes, filled up where it is larger."""
        return [
            how if i is None else resized(self._device, views[i], *how)[0] if how else views[i]
            for i, how in self._inputs
        ]

    def cut(self, views: list[Any], launched: Launched | None) -> tuple[list[Any], Launched | None]:
        """The outputs without their padding, and what is launched last of them."""
        made = []
        for view, (shape, element) in zip(views, self._outputs, strict=True):
            view, copy = resized(self._device, view, tuple(view.shape), shape, element)
            made.append(view)
            launched = copy or launched
        return made, launched


def resized(
    device: Device,
    view: Any,
    old: tuple[int, ...],
    new: tuple[int, ...],
    dtype_name: str,
    fill: int = 0,
) -> tuple[Any, Launched | None]:
    """Memory of another shape with what both have in common, and 0 or -1 where it is larger.

    And what makes that, where it may not be done yet.
    """
    if old == new:
        return view, None
    is_larger = any(map(int.__gt__, new, old))
    made = device.empty(new, dtype_name)
    if is_larger:
        device.set_all(made, fill)
    width = dtype(dtype_name).numpy.itemsize
    parts = [(width * a, width * b, width * n) for a, b, n in common_parts(old, new)]
    return made, device.copy_parts(view, made, parts)
