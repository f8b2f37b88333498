"""A call's arrays, NumPy's or of a device, in the sizes of an artifact that has more room."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.dtypes import dtype, dtype_name
from irattn.runtime.array_types import array_type
from irattn.runtime.arrays import aligned_empty
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.device_padding import resized
from irattn.runtime.padding import LENGTHS, filler
from irattn.specs import Spec
from irattn.tensors import TensorType


def fitted(tensor: TensorType, arrays: Mapping[str, Any], call: Spec) -> Any:
    """An input of the artifact: the call's own with padding, or lengths that the call implies.

    Tokens that are not there have zeros and no slot.
    """
    if tensor.name not in arrays:
        return _lengths(tensor, call)
    return in_shape(arrays[tensor.name], tensor.largest_shape, filler(tensor), tensor.name)


def in_shape(array: Any, shape: tuple[int, ...], fill: int = 0, name: str = "array") -> Any:
    """What an array has of another shape; where that is larger, `fill`, 0 or -1.

    A device array stays on its device.
    """
    if tuple(array.shape) == shape:
        return array
    if not isinstance(array, DeviceArray):
        made = aligned_empty(shape, array.dtype)
        made[...] = fill
        common = tuple(map(slice, map(min, array.shape, shape)))
        made[common] = array[common]
        return made
    element = dtype_name(array.dtype)
    is_shared = array._join(array.device.queue)
    view, launched = resized(array.device, array._live(name), array.shape, shape, element, fill)
    resized_array = DeviceArray(view.ref, array_type(array.device, shape, element))
    resized_array._written(launched)
    if is_shared:
        resized_array.synchronize()
    return resized_array


def _lengths(tensor: TensorType, call: Spec) -> np.ndarray:
    """The length that all sequences of a call have; what those see that are not there is cut."""
    # The lengths of a layer are its attention's.
    length = getattr(getattr(call, "attention", call), LENGTHS[tensor.role])
    return np.full(tensor.largest_shape, length, dtype(tensor.dtype).numpy)
