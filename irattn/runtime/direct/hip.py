"""AMD's driver, HIP."""

import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path
from typing import Any, ClassVar

from irattn.runtime.direct.driver import Driver, Room
from irattn.runtime.direct.library import opened

# The library's own symbol for the properties of today, where they are, and how large; before ROCm 6
# they were smaller. (hip_runtime_api.h: hipDeviceProp_tR0600; hip_deprecated.h: R0000.)
_PROPERTIES = {"hipGetDevicePropertiesR0600": (1160, 1472), "hipGetDeviceProperties": (396, 792)}
_ROOM = 4096
# hipMemcpyKind.
_DEVICE_TO_DEVICE = 3


class Hip(Driver):
    """HIP's library, that of the process where it has one; `library` is the path of another."""

    name = "hip"
    dlpack_type = 10
    names: ClassVar[dict[str, str]] = {
        "init": "hipInit",
        "count": "hipGetDeviceCount",
        "load": "hipModuleLoadData",
        "find": "hipModuleGetFunction",
        "launch": "hipModuleLaunchKernel",
        "fill1": "hipMemsetD8Async",
        "fill2": "hipMemsetD16Async",
        "fill4": "hipMemsetD32Async",
        "copy": "hipMemcpyDtoDAsync",
        "upload": "hipMemcpyHtoDAsync",
        "download": "hipMemcpyDtoHAsync",
        "allocate": "hipMalloc",
        "free": "hipFree",
        "wait": "hipStreamSynchronize",
        "is_capturing": "hipStreamIsCapturing",
        "copy_rows": "hipMemcpy2DAsync",
        "current": "hipGetDevice",
        "set_current": "hipSetDevice",
    }
    own_signatures: ClassVar[dict[str, tuple[Any, ...]]] = {
        "copy_rows": (c_void_p, c_size_t, c_void_p, *(c_size_t,) * 3, c_int, c_void_p),
        "current": (ctypes.POINTER(c_int),),
        "set_current": (c_int,),
    }

    def __init__(self, library: Path | None = None) -> None:
        names = [str(library)] if library else ["libamdhip64.so", *_versions(7, 6, 5)]
        self._library = ctypes.CDLL(names[0]) if library else opened(self.name, names)
        super().__init__(self._library)
        self._room, self._current = Room(c_int), self.f["current"]
        for function in (self._library.hipGetErrorName, self._library.hipGetErrorString):
            function.argtypes, function.restype = (c_int,), c_char_p

    def arch(self, number: int) -> str:
        symbol = next(name for name in _PROPERTIES if hasattr(self._library, name))
        offset, size = _PROPERTIES[symbol]
        properties = ctypes.create_string_buffer(max(size, _ROOM))
        function = getattr(self._library, symbol)
        function.argtypes = (c_void_p, c_int)
        if error := function(properties, number):
            self.refuse(error, symbol)
        return properties.raw[offset : offset + 256].partition(b"\0")[0].decode()

    def enter(self, number: int) -> int | None:
        room = self._room
        self._current(room.place)
        current = room.told.value
        if current == number:
            return None
        self.call("set_current", number)
        return int(current)

    def leave(self, before: int) -> None:
        self.call("set_current", before)

    def copy_rows(
        self, target: int, target_pitch: int, source: int, source_pitch: int, *size_and_stream: Any
    ) -> int:
        *size, stream = size_and_stream
        pitches = (target, target_pitch, source, source_pitch)
        return self.f["copy_rows"](*pitches, *size, _DEVICE_TO_DEVICE, stream)

    def error_text(self, error: int) -> str:
        name = self._library.hipGetErrorName(error).decode()
        said = self._library.hipGetErrorString(error).decode(errors="replace")
        return f"{name}: {said}" if said and said != name else name


def _versions(*numbers: int) -> list[str]:
    return [f"libamdhip64.so.{number}" for number in numbers]
