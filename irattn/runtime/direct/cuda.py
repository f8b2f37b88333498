"""NVIDIA's driver, CUDA."""

import ctypes
import sys
from ctypes import c_int, c_size_t, c_uint, c_void_p
from typing import Any, ClassVar

from irattn.runtime.direct.driver import Driver, Room
from irattn.runtime.direct.library import opened

# cuda.h: CUdevice_attribute, CUfunction_attribute.
_CAPABILITY = (75, 76)
_MAX_DYNAMIC_SHARED_BYTES = 8

# CUmemorytype.
_DEVICE_MEMORY = 2

_SIDE = (
    ("x", c_size_t),
    ("y", c_size_t),
    ("type", c_uint),
    ("host", c_void_p),
    ("device", c_void_p),
    ("array", c_void_p),
    ("pitch", c_size_t),
)

_OUT, _NUMBER = ctypes.POINTER(c_void_p), ctypes.POINTER(c_int)


class _Rows(ctypes.Structure):
    """CUDA_MEMCPY2D of cuda.h."""

    _fields_ = (
        *((f"source_{name}", kind) for name, kind in _SIDE),
        *((f"target_{name}", kind) for name, kind in _SIDE),
        ("width", c_size_t),
        ("height", c_size_t),
    )


class Cuda(Driver):
    """CUDA's library. A device's context is its primary one, which other libraries use too."""

    name = "cuda"
    dlpack_type = 2
    names: ClassVar[dict[str, str]] = {
        "init": "cuInit",
        "count": "cuDeviceGetCount",
        "load": "cuModuleLoadData",
        "find": "cuModuleGetFunction",
        "launch": "cuLaunchKernel",
        "fill1": "cuMemsetD8Async",
        "fill2": "cuMemsetD16Async",
        "fill4": "cuMemsetD32Async",
        "copy": "cuMemcpyDtoDAsync_v2",
        "upload": "cuMemcpyHtoDAsync_v2",
        "download": "cuMemcpyDtoHAsync_v2",
        "allocate": "cuMemAlloc_v2",
        "free": "cuMemFree_v2",
        "wait": "cuStreamSynchronize",
        "is_capturing": "cuStreamIsCapturing",
        "copy_rows": "cuMemcpy2DAsync_v2",
        "attribute": "cuDeviceGetAttribute",
        "retain": "cuDevicePrimaryCtxRetain",
        "current": "cuCtxGetCurrent",
        "push": "cuCtxPushCurrent_v2",
        "pop": "cuCtxPopCurrent_v2",
        "set_attribute": "cuFuncSetAttribute",
    }
    own_signatures: ClassVar[dict[str, tuple[Any, ...]]] = {
        "copy_rows": (ctypes.POINTER(_Rows), c_void_p),
        "attribute": (_NUMBER, c_int, c_int),
        "retain": (_OUT, c_int),
        "current": (_OUT,),
        "push": (c_void_p,),
        "pop": (_OUT,),
        "set_attribute": (c_void_p, c_int, c_int),
    }

    def __init__(self) -> None:
        names = ["nvcuda.dll"] if sys.platform == "win32" else ["libcuda.so", "libcuda.so.1"]
        self._library = opened(self.name, names)
        self._contexts: dict[int, int] = {}
        super().__init__(self._library)
        self._room, self._current = Room(c_void_p), self.f["current"]

    def arch(self, number: int) -> str:
        major, minor = (self._attribute(which, number) for which in _CAPABILITY)
        return f"sm_{major}{minor}"

    def enter(self, number: int) -> bool | None:
        context = self._contexts.get(number) or self._retained(number)
        room = self._room
        self._current(room.place)
        current = room.told.value
        if current == context:
            return None
        self.call("push", context)
        return True

    def leave(self, before: bool) -> None:
        self.handle("pop")

    def copy_rows(
        self, target: int, target_pitch: int, source: int, source_pitch: int, *size_and_stream: Any
    ) -> int:
        width, height, stream = size_and_stream
        rows = _Rows(
            source_type=_DEVICE_MEMORY,
            source_device=source,
            source_pitch=source_pitch,
            target_type=_DEVICE_MEMORY,
            target_device=target,
            target_pitch=target_pitch,
            width=width,
            height=height,
        )
        return self.f["copy_rows"](ctypes.byref(rows), stream)

    def error_text(self, error: int) -> str:
        texts = []
        for function in (self._library.cuGetErrorName, self._library.cuGetErrorString):
            text = ctypes.c_char_p()
            function(error, ctypes.byref(text))
            texts.append((text.value or b"").decode(errors="replace"))
        return ": ".join(filter(None, texts)) or f"error {error}"

    def set_shared_memory(self, function: int, num_bytes: int) -> None:
        self.call("set_attribute", function, _MAX_DYNAMIC_SHARED_BYTES, num_bytes)

    def _attribute(self, which: int, number: int) -> int:
        value = c_int()
        self.call("attribute", ctypes.byref(value), which, number)
        return value.value

    def _retained(self, number: int) -> int:
        """The primary context of a device, which the process keeps."""
        context = self._contexts[number] = self.handle("retain", number)
        return context
