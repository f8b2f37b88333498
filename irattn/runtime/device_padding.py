"""Pad a call's arrays to the compiled sizes, and cut its outputs back, on the device."""

from typing import Any

from irattn.dtypes import dtype
from irattn.runtime.arguments import Form
from irattn.runtime.memory import Device
from irattn.runtime.padding import common_parts, filler, lengths_of, padded_shape
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

    def cut(self, views: list[Any]) -> list[Any]:
        """The outputs without their padding."""
        return [
            resized(self._device, view, tuple(view.shape), tensor.largest_shape, tensor.dtype)
            for view, tensor in zip(views, self._outputs, strict=True)
        ]

    def _padded(self, views: list[Any], tensor: TensorType) -> Any:
        i, given = self._given[tensor.name]
        shape = padded_shape(given.largest_shape, tensor)
        old, element = given.largest_shape, tensor.dtype
        return resized(self._device, views[i], old, shape, element, filler(tensor))


def resized(
    device: Device,
    view: Any,
    old: tuple[int, ...],
    new: tuple[int, ...],
    dtype_name: str,
    fill: int = 0,
) -> Any:
    """Memory of another shape with what both have in common, and 0 or -1 where it is larger."""
    if old == new:
        return view
    is_larger = any(map(int.__gt__, new, old))
    made = device.filled(new, dtype_name, fill) if is_larger else device.empty(new, dtype_name)
    width = dtype(dtype_name).numpy.itemsize
    parts = [(width * a, width * b, width * n) for a, b, n in common_parts(old, new)]
    device.copy_parts(view, made, parts)
    return made
