"""The Python half of the stand-in: loads code objects, and launches their kernels.

The driver calls from threads of its own. ctypes takes the interpreter's lock for a call, and the
runtime's own functions let go of it while they wait.
"""

import atexit
import ctypes
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from irattn.binary.codeobject import CodeObject, KernelCode, read_code_object
from irattn.core.errors import DeviceError, IrattnError
from irattn.lab.emulator.hip.kernarg import given_sizes, pack
from irattn.targets import Target

_SUCCESS = 0
_INVALID_IMAGE = 200
_NO_BINARY_FOR_GPU = 209
_NOT_FOUND = 500
_LAUNCH_FAILURE = 719

_ELF_HEADER_BYTES = 64
_MOST_PARAMS = 256

_Pointer = ctypes.c_void_p
_Out = ctypes.POINTER(ctypes.c_void_p)
_Text = ctypes.POINTER(ctypes.c_char)
_Words = ctypes.POINTER(ctypes.c_uint32)
_LOAD = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, _Pointer, _Out, _Text, ctypes.c_size_t)
_FIND = ctypes.CFUNCTYPE(ctypes.c_int, _Pointer, ctypes.c_char_p, _Out, _Text, ctypes.c_size_t)
_LAUNCH = ctypes.CFUNCTYPE(
    *(ctypes.c_int, _Pointer, _Words, _Words, ctypes.c_uint32, _Out, _Pointer, ctypes.c_size_t),
    *(_Text, ctypes.c_size_t),
)
_UNLOAD = ctypes.CFUNCTYPE(None, _Pointer)


class Launcher(Protocol):
    """Runs one kernel to its end; an IrattnError says why it does not."""

    def __call__(
        self,
        code_object: CodeObject,
        kernel: KernelCode,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        kernarg: bytes,
        memory: Sequence[tuple[int, np.ndarray]],
    ) -> None:
        """`grid` counts workgroups; `memory` are addresses with the bytes that lie there."""


class _Function(ctypes.Structure):
    """A kernel as C knows it."""

    _fields_ = (
        ("number", ctypes.c_uint64),
        ("lds_bytes", ctypes.c_int),
        ("num_params", ctypes.c_int),
        ("param_bytes", ctypes.c_int * _MOST_PARAMS),
    )


@dataclass
class _Module:
    code_object: CodeObject
    functions: list[int] = field(default_factory=list)


class Bridge:
    """The loaded library, told of its devices, with its calls answered.

    The library keeps no copy of the callbacks: the bridge lives as long as the process. `failures`
    counts launches that failed.
    """

    def __init__(self, library: Path, targets: Sequence[Target], launcher: Launcher) -> None:
        self._library = ctypes.CDLL(str(library))
        self._library.irattn_hip_ranges.restype = ctypes.c_size_t
        self.targets = tuple(targets)
        self.launcher = launcher
        self.failures = 0
        self._numbers = itertools.count(1)
        self._modules: dict[int, _Module] = {}
        self._functions: dict[int, tuple[_Function, CodeObject, KernelCode]] = {}
        self._lock = threading.Lock()
        for target in self.targets:
            self._library.irattn_hip_add_device(
                target.name.encode(), target.wave_size, target.lds_bytes
            )
        self._callbacks = (
            _LOAD(self._load),
            _FIND(self._find),
            _LAUNCH(self._launch),
            _UNLOAD(self._unload),
        )
        self._library.irattn_hip_set_functions(*self._callbacks)
        # What is still loaded when the interpreter ends is unloaded when there is no Python left.
        atexit.register(self._library.irattn_hip_set_functions, None, None, None, None)

    def memory(self) -> list[tuple[int, np.ndarray]]:
        """Every range that a kernel may touch: address, and its bytes without a copy."""
        return [
            (start, np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(start)))
            for start, size in self._ranges()
            if size
        ]

    def _ranges(self) -> Iterator[tuple[int, int]]:
        capacity = 64
        while True:
            starts, sizes = (ctypes.c_uint64 * capacity)(), (ctypes.c_uint64 * capacity)()
            count = self._library.irattn_hip_ranges(ctypes.c_size_t(capacity), starts, sizes)
            if count <= capacity:
                return zip(starts[:count], sizes[:count], strict=True)
            capacity = 2 * count

    def _load(self, device: int, image: int, module: Any, problem: Any, capacity: int) -> int:
        def load() -> int:
            code_object = read_code_object(_elf_at(image))
            expected = self.targets[device].name
            if code_object.gfx != expected:
                _say(f"the code is for {code_object.gfx}, the device is {expected}", *report)
                return _NO_BINARY_FOR_GPU
            number = next(self._numbers)
            self._modules[number] = _Module(code_object)
            module[0] = number
            return _SUCCESS

        report = (problem, capacity)
        return _answer(load, _INVALID_IMAGE, *report)

    def _find(self, module: int, name: bytes, function: Any, problem: Any, capacity: int) -> int:
        def find() -> int:
            code_object = self._modules[module].code_object
            kernels = {kernel.name: kernel for kernel in code_object.kernels}
            kernel = kernels[name.decode()]
            number = next(self._numbers)
            sizes = given_sizes(kernel)
            handle = _Function(
                number,
                kernel.number(".group_segment_fixed_size"),
                len(sizes),
                (ctypes.c_int * _MOST_PARAMS)(*sizes),
            )
            self._functions[number] = (handle, code_object, kernel)
            self._modules[module].functions.append(number)
            function[0] = ctypes.addressof(handle)
            return _SUCCESS

        return _answer(find, _NOT_FOUND, problem, capacity)

    def _launch(
        self,
        function: int,
        grid: Any,
        block: Any,
        lds_bytes: int,
        params: Any,
        packed: int | None,
        packed_bytes: int,
        problem: Any,
        capacity: int,
    ) -> int:
        def launch() -> int:
            number = _Function.from_address(function).number
            _, code_object, kernel = self._functions[number]
            if lds_bytes:
                raise DeviceError(f"{kernel.name}: dynamic LDS ({lds_bytes} bytes) is not emulated")
            groups, threads = tuple(grid[:3]), tuple(block[:3])
            if packed:
                kernarg = ctypes.string_at(packed, packed_bytes)
            else:
                sizes = given_sizes(kernel)
                given = [ctypes.string_at(params[i], size) for i, size in enumerate(sizes)]
                kernarg = pack(kernel, given)
            with self._lock:
                self.launcher(code_object, kernel, groups, threads, kernarg, self.memory())
            return _SUCCESS

        error = _answer(launch, _LAUNCH_FAILURE, problem, capacity)
        self.failures += error != _SUCCESS
        return error

    def _unload(self, module: int) -> None:
        for number in self._modules.pop(module).functions:
            del self._functions[number]


def _answer(action: Callable[[], int], code: int, problem: Any, capacity: int) -> int:
    """The answer of an action, or an error code with its text: C knows no exceptions."""
    try:
        return action()
    except IrattnError as error:
        _say(str(error), problem, capacity)
    except Exception as error:
        _say(f"{type(error).__name__}: {error}", problem, capacity)
    return code


def _say(text: str, problem: Any, capacity: int) -> None:
    # Cut between characters: the driver's text is read as UTF-8.
    cut = text.encode()[: capacity - 1].decode(errors="ignore")
    raw = cut.encode() + b"\0"
    ctypes.memmove(problem, raw, len(raw))


def _elf_at(image: int) -> bytes:
    """The bytes of an ELF of which only the start is known: its section table is its end."""
    header = ctypes.string_at(image, _ELF_HEADER_BYTES)
    table = int.from_bytes(header[40:48], "little")
    entry_bytes, entries = (int.from_bytes(header[at : at + 2], "little") for at in (58, 60))
    if header[:4] != b"\x7fELF":
        return header
    return ctypes.string_at(image, table + entry_bytes * entries)
