"""Call a GPU's driver: the functions that HIP and CUDA have alike."""

import ctypes
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_void_p
from typing import Any, ClassVar, TypeAlias

from irattn.core.errors import DeviceError

# A function of the library: gives the driver's error, 0 for none.
Function: TypeAlias = Callable[..., int]

_OUT = ctypes.POINTER(c_void_p)
_NUMBER = ctypes.POINTER(c_int)

# By our words: the arguments. Addresses are pointers, and lengths are in bytes or in elements.
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "init": (c_uint,),
    "count": (_NUMBER,),
    "load": (_OUT, c_void_p),
    "find": (_OUT, c_void_p, c_char_p),
    "fill1": (c_void_p, ctypes.c_ubyte, c_size_t, c_void_p),
    "fill2": (c_void_p, ctypes.c_ushort, c_size_t, c_void_p),
    "fill4": (c_void_p, c_uint, c_size_t, c_void_p),
    "copy": (c_void_p, c_void_p, c_size_t, c_void_p),
    "upload": (c_void_p, c_void_p, c_size_t, c_void_p),
    "download": (c_void_p, c_void_p, c_size_t, c_void_p),
    "allocate": (_OUT, c_size_t),
    "free": (c_void_p,),
    "wait": (c_void_p,),
    "is_capturing": (c_void_p, _NUMBER),
}


class Room(threading.local):
    """A thread's place for what the driver tells of it; to make one takes longer than to ask."""

    def __init__(self, kind: Callable[[], Any]) -> None:
        self.told = kind()
        self.place = ctypes.byref(self.told)


class Driver(ABC):
    """A driver's library in this process; `name` is `hip` or `cuda`.

    `dlpack_type` is DLPack's number for memory of its devices, `first` the device that arrays of
    the host go to. Methods raise DeviceError with the driver's own name of an error; functions of
    `f` give its number, for `refuse` to tell.
    """

    name: ClassVar[str]
    dlpack_type: ClassVar[int]
    first = 0
    # The library's names for our words; those that are of the driver alone come with arguments.
    names: ClassVar[dict[str, str]]
    own_signatures: ClassVar[dict[str, tuple[Any, ...]]]

    def __init__(self, library: ctypes.CDLL) -> None:
        self.f: dict[str, Function] = {}
        for word, arguments in {**_SIGNATURES, **self.own_signatures}.items():
            try:
                function = getattr(library, self.names[word])
            except AttributeError as error:
                raise DeviceError(
                    f"device {self.name}: its library has no {self.names[word]}: {error}"
                ) from error
            function.argtypes, function.restype = arguments, c_int
            self.f[word] = function
        # Sizes as Python's numbers, pointers as those of ctypes: without types to be converted to,
        # a launch takes half the time.
        self.launch: Function = library[self.names["launch"]]
        self.call("init", 0)

    def call(self, word: str, *arguments: Any) -> None:
        """Call a function; DeviceError where the driver gives an error."""
        if error := self.f[word](*arguments):
            self.refuse(error, self.names[word])

    def refuse(self, error: int, what: str) -> None:
        """Raise DeviceError for an error of the driver's, by its name."""
        raise DeviceError(f"{what} on device {self.name}: {self.error_text(error)}")

    @property
    def num_devices(self) -> int:
        """How many devices there are."""
        count = c_int()
        self.call("count", ctypes.byref(count))
        return count.value

    def place_of(self, number: int) -> tuple[int, int]:
        """DLPack's type and number of a device."""
        return self.dlpack_type, number

    def number_of(self, place: tuple[int, int]) -> int:
        """The number of the device that DLPack calls so."""
        return place[1]

    @abstractmethod
    def arch(self, number: int) -> str:
        """The architecture of a device as the driver names it: `gfx1100`, `sm_90`."""

    @abstractmethod
    def enter(self, number: int) -> Any:
        """Make a device current in this thread; gives what `leave` takes, None where it was."""

    @abstractmethod
    def leave(self, before: Any) -> None:
        """Make current again what was so before `enter`, which gave this."""

    @abstractmethod
    def error_text(self, error: int) -> str:
        """The driver's name of an error and what it says of it."""

    @abstractmethod
    def copy_rows(
        self, target: int, target_pitch: int, source: int, source_pitch: int, *size_and_stream: Any
    ) -> int:
        """Copy rows that lie apart by a pitch, each of so many bytes, so many of them, on a stream;
        gives the driver's error."""

    def set_shared_memory(self, function: int, num_bytes: int) -> None:  # noqa: B027
        """Let a kernel be launched with so many bytes of dynamic shared memory, where it must be
        told."""

    @contextmanager
    def on(self, number: int) -> Iterator[None]:
        """A time in which a device is current in this thread."""
        before = self.enter(number)
        try:
            yield
        finally:
            if before is not None:
                self.leave(before)

    def handle(self, word: str, *arguments: Any) -> int:
        """The handle or address that a function gives in its first argument."""
        made = c_void_p()
        self.call(word, ctypes.byref(made), *arguments)
        return made.value or 0

    def captures(self, number: int, stream: int) -> bool:
        """Whether what is launched on a stream of a device is being captured into a graph.

        A thread that asks may have made no device current yet.
        """
        status = c_int()
        with self.on(number):
            self.call("is_capturing", stream, ctypes.byref(status))
        return status.value != 0
