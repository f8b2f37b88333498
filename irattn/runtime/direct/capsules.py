"""DLPack's capsules: those of other libraries' arrays read, and one made of our own.

The layout is that of dlpack.h, version 0: `DLManagedTensor` behind the name `dltensor`.
"""

import ctypes
import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

_CAPSULE = b"dltensor"

# Codes and bits of DLDataType, by irattn's names.
_TYPES = {
    "i32": (0, 32),
    "i64": (0, 64),
    "f16": (2, 16),
    "f32": (2, 32),
    "bf16": (4, 16),
    "bool": (6, 8),
    "int4": (1, 8),
    "u8": (1, 8),
    "int8": (0, 8),
    "fp8_e4m3": (10, 8),
    "fp8_e4m3fnuz": (11, 8),
    "fp8_e5m2": (12, 8),
    "fp8_e5m2fnuz": (13, 8),
}
_NAMES = {code: name for name, code in _TYPES.items()}


def itemsize(element: str) -> int:
    """Bytes of an element of irattn's name."""
    return _TYPES[element][1] // 8


class _Tensor(ctypes.Structure):
    """DLTensor, and what DLManagedTensor has after it."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


class Contents(NamedTuple):
    """The array that a capsule tells of; `dtype` is irattn's name, None for another."""

    address: int
    shape: tuple[int, ...]
    dtype: str | None
    is_dense: bool


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
_new = ctypes.pythonapi.PyCapsule_New
_new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_new.restype = ctypes.py_object
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_int
_raw_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def read(capsule: Any) -> Contents:
    """The contents of a capsule, which stays whole: its owner frees the array with it."""
    tensor = _Tensor.from_address(_pointer(capsule, _CAPSULE))
    shape = tuple(tensor.shape[: tensor.ndim]) if tensor.ndim else ()
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides and tensor.ndim else None
    name = _NAMES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    address = (tensor.data or 0) + tensor.byte_offset
    return Contents(address, shape, name, strides is None or _is_dense(shape, strides))


def _is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements lie row by row; the stride of an axis of one is of no matter."""
    dense = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return all(
        size == 1 or stride == wanted
        for size, stride, wanted in zip(shape, strides, dense, strict=True)
    )


# What lives as long as somebody reads it.
_shared: dict[int, tuple[Any, ...]] = {}
_numbers = itertools.count(1)


def _let_go(address: int) -> None:
    _shared.pop(_Tensor.from_address(address).context, None)


def _let_go_unread(capsule: int) -> None:
    """Let go of what nobody took out of a capsule."""
    if _is_valid(capsule, _CAPSULE):
        _let_go(_raw_pointer(capsule, _CAPSULE))


_CALLED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_delete, _destroy = _CALLED(_let_go), _CALLED(_let_go_unread)


def made(
    owner: Any, address: int, shape: Sequence[int], element: str, device: tuple[int, int]
) -> Any:
    """A capsule of memory that `owner` keeps: the owner lives as long as somebody reads it."""
    number, (code, bits) = next(_numbers), _TYPES[element]
    sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor = _Tensor(
        address, *device, len(shape), code, bits, 1, sizes, None, 0, number,
        ctypes.cast(_delete, ctypes.c_void_p),
    )  # fmt: skip
    _shared[number] = (owner, sizes, tensor)
    return _new(ctypes.addressof(tensor), _CAPSULE, ctypes.cast(_destroy, ctypes.c_void_p))
