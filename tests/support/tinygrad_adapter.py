"""A plugin of pytest: tinygrad's tests of AMD opcodes run their code on irattn's emulator.

They were checked on an RX 7900, an MI355X and an RX 9070. Each puts the registers that a few
instructions leave into memory; `run_asm` is how they ask an emulator for that. What irattn's does
not execute, or forms of it, is skipped with the reason.
"""

import ctypes
import importlib
import os
import struct
import sys
import types
import unittest
from typing import Any

# Before the checkout is on the path: irattn goes with the tables of the package, not with those.
import tinygrad.runtime.autogen.amd.cdna.ins
import tinygrad.runtime.autogen.amd.rdna3.ins
import tinygrad.runtime.autogen.amd.rdna4.ins  # noqa: F401

from irattn.binary.codeobject import CodeObject, KernelCode
from irattn.core.errors import EmulatorError
from irattn.lab.emulator import Memory, launch
from irattn.lab.emulator.faults import UnknownInstructionError

ROOT = "IRATTN_TINYGRAD"
_CHIPS = {"rdna3": "gfx1100", "rdna4": "gfx1201", "cdna": "gfx950"}
# Denormal f32 numbers are flushed, others are not; on RDNA3 and CDNA clamps make NaN 0, and the
# mode is that of IEEE 754. The kernel is given the address of its arguments, and waves of 32.
_DENORMALS, _CLAMP_AND_IEEE = 3 << 18, 1 << 21 | 1 << 23
_KERNARG, _WAVE32 = 1 << 3, 1 << 10
_MEMORY_BYTES = 1 << 16

# How much memory the program that runs now stores to; by default a word of each lane.
_bytes: int | None = None


def run_asm(
    code: int,
    code_bytes: int,
    *sizes_and_arguments: int,
    arch: str = "rdna3",
) -> int:
    """Run machine code at an address of this process: 0 where it ran to its end.

    The numbers are the grid and the workgroup, x, y and z, the address of the arguments, which is
    that of one pointer, and what only other emulators look at.
    """
    grid, block = sizes_and_arguments[:3], sizes_and_arguments[3:6]
    if arch == "rdna3" and _bytes is None:
        raise unittest.SkipTest("waves of 64 lanes on RDNA3")
    out = ctypes.c_uint64.from_address(sizes_and_arguments[6]).value
    size = _bytes or 4 * block[0]
    memory = Memory()
    place = memory.allocate("out", size, ctypes.string_at(out, size))
    kernel = _kernel(ctypes.string_at(code, code_bytes), arch)
    code_object = CodeObject(_CHIPS[arch], (kernel,), ((0, kernel.code),))
    try:
        launch(code_object, kernel.name, grid, block, struct.pack("<Q", place), memory)  # type: ignore[arg-type]
    except EmulatorError as error:
        if isinstance(error.__cause__, UnknownInstructionError):
            raise unittest.SkipTest(str(error)) from error
        raise
    ctypes.memmove(out, memory.get(place, size).tobytes(), size)
    return 0


def _kernel(code: bytes, arch: str) -> KernelCode:
    modes = _DENORMALS | (0 if arch == "rdna4" else _CLAMP_AND_IEEE)
    properties = _KERNARG | (0 if arch == "cdna" else _WAVE32)
    descriptor = struct.pack("<44xIIIHH4x", 63, modes, 2 << 1, properties, 0)
    needs = {
        ".vgpr_count": 256,
        ".group_segment_fixed_size": _MEMORY_BYTES,
        ".private_segment_fixed_size": _MEMORY_BYTES,
    }
    return KernelCode("test", 0, code, descriptor, needs)


def pytest_configure(config: Any) -> None:
    """Let the tests find this in place of tinygrad's own emulator."""
    for name in ("test.mockgpu", "test.mockgpu.amd", "test.mockgpu.amd.emu"):
        sys.modules[name] = module = types.ModuleType(name)
        module.__path__ = []
    sys.modules["test.mockgpu.amd.emu"].run_asm = run_asm  # type: ignore[attr-defined]
    # Python has a package of that name too.
    for name in [name for name in sys.modules if name == "test"]:
        del sys.modules[name]
    sys.path.insert(0, os.environ[ROOT])
    helpers: Any = importlib.import_module("test.amd.hw.helpers")
    own = helpers.run_program_emu

    def run_program(instructions: list[Any], n_lanes: int = 1) -> Any:
        global _bytes
        _bytes = helpers._out_bytes(n_lanes)
        try:
            return own(instructions, n_lanes)
        finally:
            _bytes = None

    helpers.run_program_emu = run_program
