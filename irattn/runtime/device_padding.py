"""Pad a call's arrays to the compiled sizes, and cut its outputs back, on the device."""

from typing import Any

from irattn.dtypes import dtype
from irattn.runtime.arguments import Form
from irattn.runtime.memory import Device
from irattn.runtime.padding import common_parts, filler, lengths_of, padded_shape
from irattn.runtime.queue import Launched
from irattn.specs import Spec
from irattn.tensors import TensorType


class DevicePadding:
    """What `padding` does for NumPy arrays, for the memory of calls of one form.

    The lengths that the compiled function asks for go to the device once.
    """

    def __init__(self, device: Device, compiled: Spec, form: Form) -> None:
        self._device = device
        self._given = {tensor.name: (i, tensor) for i, tensor in enumerate(form.inputs)}
        self._compiled = compiled.inputs
        self._outputs = form.outputs
        self._lengths = {
            tensor.name: device.upload(lengths_of(tensor, form.call), tensor.dtype)
            for tensor in self._compiled
            if tensor.name not in self._given
        }

    def pad(self, views: list[Any]) -> list[Any]:
        """The memory that the compiled function takes, filled up where it is larger."""
        return [
            self._lengths[tensor.name]
            if tensor.name in self._lengths
            else self._padded(views, tensor)
            for tensor in self._compiled
        ]

    def cut(self, views: list[Any], launched: Launched | None) -> tuple[list[Any], Launched | None]:
        """The outputs without their padding, and what is launched last of them."""
        made = []
        for view, tensor in zip(views, self._outputs, strict=True):
            old, new = tuple(view.shape), tensor.largest_shape
            view, copy = resized(self._device, view, old, new, tensor.dtype)
            made.append(view)
            launched = copy or launched
        return made, launched

    def _padded(self, views: list[Any], tensor: TensorType) -> Any:
        i, given = self._given[tensor.name]
        shape = padded_shape(given.largest_shape, tensor)
        old, element = given.largest_shape, tensor.dtype
        return resized(self._device, views[i], old, shape, element, filler(tensor))[0]


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
