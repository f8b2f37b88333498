"""A call's arrays, NumPy's or of a device, in the sizes of an artifact that has more room."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.dtypes import dtype, dtype_name
from irattn.errors import ArgumentError
from irattn.runtime.arrays import aligned_empty
from irattn.runtime.device_array import DeviceArray, array_type
from irattn.runtime.device_padding import resized
from irattn.runtime.padding import LENGTHS
from irattn.specs import Spec
from irattn.tensors import Role, TensorType

# The slot of a token that is not there.
_NO_SLOT = -1


def fitted(tensor: TensorType, arrays: Mapping[str, Any], call: Spec) -> Any:
    """An input of the artifact: the call's own with padding, or lengths that the call implies.

    Tokens that are not there have zeros and no slot.
    """
    if tensor.name not in arrays:
        return _lengths(tensor, call)
    fill = _NO_SLOT if tensor.role == Role.SLOTS else 0
    return in_shape(arrays[tensor.name], tensor.largest_shape, tensor.name, fill)


def in_shape(array: Any, shape: tuple[int, ...], name: str = "", fill: int = 0) -> Any:
    """What an array has of another shape; where that is larger, `fill`.

    A device array stays on its device. ArgumentError for one that would be filled with a number
    that is not 0.
    """
    if tuple(array.shape) == shape:
        return array
    if not isinstance(array, DeviceArray):
        made = aligned_empty(shape, array.dtype)
        made[...] = fill
        common = tuple(map(slice, map(min, array.shape, shape)))
        made[common] = array[common]
        return made
    if fill:
        raise ArgumentError(
            f"{name}: expected a NumPy array, or a device array of the bucket's "
            f"{list(shape)}, got one of {list(array.shape)}"
        )
    element = dtype_name(array.dtype)
    view = resized(array.device, array._live(name), array.shape, shape, element)
    return DeviceArray(view, array_type(array.device, shape, element))


def _lengths(tensor: TensorType, call: Spec) -> np.ndarray:
    """The length that all sequences of a call have; what those see that are not there is cut."""
    # The lengths of a layer are its attention's.
    length = getattr(getattr(call, "attention", call), LENGTHS[tensor.role])
    return np.full(tensor.largest_shape, length, dtype(tensor.dtype).numpy)
