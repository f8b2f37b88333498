"""Tensors of other libraries as memory of a device, without a copy: the DLPack protocol."""

from functools import cache
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import ArgumentError
from irattn.runtime.memory import Device, element_type

# From dlpack.h: kDLCPU, kDLCUDA and kDLROCM.
_CPU, _CUDA, _ROCM = 1, 2, 10
_DRIVERS = {_CPU: "cpu", _CUDA: "cuda", _ROCM: "hip"}
_CODES = {"cuda": _CUDA, "hip": _ROCM}

_NAMES = ("f32", "f16", "bf16", "i32", "i64", "bool")


def driver_of(tensor: Any) -> str:
    """The driver whose memory a tensor lies in; ArgumentError where irattn has none for it."""
    code, _ = _device_of(tensor)
    if code not in _DRIVERS:
        raise ArgumentError(
            f"tensor: expected one on a CPU, CUDA or ROCm device, got DLPack's device type {code}; "
            "copy it to the CPU first"
        )
    return _DRIVERS[code]


def device_code(device: Device) -> tuple[int, int]:
    """DLPack's type and number of a device; BufferError where other libraries have none such."""
    code = _code(device)
    if code is None:
        raise BufferError(f"no other library reads memory of device {device}; to_numpy() copies")
    return code


def exported(view: Any, device: Device) -> Any:
    """A capsule of a view's memory; RuntimeError where the driver shares no such memory."""
    return device.hal.create_dlpack_capsule(view, *device_code(device))


def is_view(owner: Any) -> bool:
    """Whether what owns an array's memory is a view of another library's, as `imported` gives."""
    from iree.runtime import HalBufferView

    return isinstance(owner, HalBufferView)


def imported(tensor: Any, device: Device) -> tuple[Any, str]:
    """A view of a tensor's memory and its element type; None for a view that needs a copy.

    ArgumentError where the memory is not the device's, as a driver takes any address.
    """
    there, here = _device_of(tensor), _code(device)
    if there != here:
        raise ArgumentError(
            f"tensor: expected one on device {device} (DLPack's {here}), got one on {there}; "
            "copy it there first"
        )
    if hasattr(tensor, "is_neg") and tensor.is_neg():
        # PyTorch would share the numbers as they are before they are negated.
        raise ArgumentError(
            "tensor: expected one with numbers of its own, got a view that negates others; give "
            "tensor.resolve_neg()"
        )
    try:
        view = device.hal.from_dlpack_capsule(tensor.__dlpack__())
    except IndexError:
        # The runtime's OUT_OF_RANGE: an address that is no multiple of 64.
        return None, ""
    except (BufferError, RuntimeError, ValueError) as error:
        raise _refused(error) from error
    name = _names().get(view.element_type)
    if name is None:
        raise ArgumentError(
            f"tensor: expected an element type of {', '.join(_NAMES)}, got "
            f"{getattr(tensor, 'dtype', 'another')}"
        )
    return view, name


@cache
def _names() -> dict[Any, str]:
    """The element types that other libraries share, by IREE's numbers for them."""
    return {element_type(name): name for name in _NAMES}


def as_numpy(tensor: Any, device: Device) -> np.ndarray:
    """A CPU tensor as an array, for a copy."""
    if isinstance(tensor, np.ndarray):
        return tensor
    if any_name(getattr(tensor, "dtype", None)) != "bf16":
        return np.from_dlpack(tensor)
    try:
        # NumPy takes no bf16 from others: this is a copy of theirs, at an address of its own.
        view = device.hal.from_dlpack_capsule(tensor.__dlpack__(copy=True))
    except (BufferError, IndexError, TypeError) as error:
        raise ArgumentError(
            "tensor: expected bf16 at an address that is a multiple of 64, or a library that "
            f"copies it to one: {error}; copy it yourself: tensor.clone()"
        ) from error
    # The memory is the view's, and ends with it.
    return device.mapped(view, tuple(view.shape), "bf16").copy()


def _code(device: Device) -> tuple[int, int] | None:
    if device.is_host:
        return _CPU, 0
    # What opens a driver opens its first device.
    return (_CODES[device], 0) if device in _CODES else None


def _device_of(tensor: Any) -> tuple[int, int]:
    if not hasattr(tensor, "__dlpack_device__"):
        raise ArgumentError(
            "tensor: expected one that other libraries can read (with __dlpack__), got "
            f"{type(tensor).__name__}"
        )
    try:
        code, number = tensor.__dlpack_device__()
    except (BufferError, RuntimeError, ValueError) as error:
        raise ArgumentError(
            f"tensor: expected one in memory that other libraries can read: {error}"
        ) from error
    return int(code), int(number)


def _refused(error: Exception) -> ArgumentError:
    return ArgumentError(
        "tensor: expected a dense row-major tensor that may be written to, of an element type of "
        f"{', '.join(_NAMES)}: {error}; make it contiguous, or use DeviceArray.from_numpy"
    )
