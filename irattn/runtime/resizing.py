"""Cut or fill arrays, NumPy's or of a device, to another shape."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype, dtype_name
from irattn.runtime.array_types import MOST_REMEMBERED, array_type
from irattn.runtime.arrays import aligned_empty
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.memory import Device
from irattn.runtime.queue import Launched

Shape = tuple[int, ...]
Part = tuple[int, int, int]


def in_shape(array: Any, shape: tuple[int, ...], fill: int = 0, name: str = "array") -> Any:
    """An array cut to another shape; where that is larger, `fill`, 0 or -1, fills it.

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


def resized(
    device: Device,
    view: Any,
    old: Shape,
    new: Shape,
    dtype_name: str,
    fill: int = 0,
) -> tuple[Any, Launched | None]:
    """Memory of another shape with what both have in common, and 0 or -1 where it is larger.

    And what makes that, where it may not be done yet.
    """
    is_larger, parts = _common_bytes(old, new, dtype_name)
    made = device.empty(new, dtype_name)
    if is_larger:
        device.set_all(made, fill)
    return made, device.copy_parts(view, made, parts)


@lru_cache(maxsize=MOST_REMEMBERED)
def _common_bytes(old: Shape, new: Shape, dtype_name: str) -> tuple[bool, list[Part]]:
    """Whether the new shape is larger anywhere, and `_common_parts` in bytes."""
    width = dtype(dtype_name).numpy.itemsize
    parts = [(width * a, width * b, width * n) for a, b, n in _common_parts(old, new)]
    return any(map(int.__gt__, new, old)), parts


def _common_parts(old: tuple[int, ...], new: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """The elements that two dense arrays have in common, as runs: where in each, and how many."""
    axis = max((i for i, sizes in enumerate(zip(old, new, strict=True)) if len({*sizes}) > 1))
    inner = math.prod(new[axis + 1 :])
    outer = tuple(map(min, old[:axis], new[:axis]))
    length = min(old[axis], new[axis]) * inner
    parts = []
    for index in np.ndindex(*outer):
        start, end = [
            int(np.ravel_multi_index(index, shape[:axis])) * shape[axis] * inner if axis else 0
            for shape in (old, new)
        ]
        parts.append((start, end, length))
    return parts
