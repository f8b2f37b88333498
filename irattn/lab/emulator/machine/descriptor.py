"""Reads a kernel's descriptor: what registers hold at the start, and how floats behave."""

import struct
from dataclasses import dataclass

from irattn.binary.codeobject import KernelCode
from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.machine.denormals import FLUSH, KEEP
from irattn.lab.emulator.machine.hidden_arguments import check_hidden

# User SGPRs in the order in which the hardware gives them: bit of the properties, registers.
_USER_SGPRS = ((0, 4), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 1))
_SCRATCH_BUFFER_BIT, _KERNARG_BIT = 0, 3


@dataclass(frozen=True)
class Descriptor:
    """A kernel's descriptor: its registers at the start, and its mode for floats."""

    user_sgprs: int
    kernarg_sgpr: int | None
    workgroup_ids: tuple[bool, bool, bool]
    denormals: int
    wave_size: int
    has_scratch_buffer: bool
    scratch_offset: bool
    preloaded: range
    accumulators: int
    # Whether the kernel is given the work-item's y and z besides x.
    has_item_y: bool
    has_item_z: bool
    # Whether NaN are those of IEEE 754, and outputs have no factor.
    ieee: bool
    # Whether NaN go through a clamp, which makes 0 of them otherwise.
    keeps_nan: bool


def read_descriptor(kernel: KernelCode, gfx: str) -> Descriptor:
    """The kernel descriptor, as LLVM's AMDGPU usage guide lays it out.

    EmulatorError where the kernel wants what is not emulated: modes, waves, hidden arguments.
    """
    check_hidden(kernel)
    rsrc3, rsrc1, rsrc2, properties, preload = struct.unpack_from("<IIIHH", kernel.descriptor, 44)
    lanes = 32 if properties >> 10 & 1 else 64
    _refuse_modes(kernel, gfx, rsrc1, lanes)
    return Descriptor(
        user_sgprs=rsrc2 >> 1 & 31,
        kernarg_sgpr=_kernarg_sgpr(properties),
        workgroup_ids=(bool(rsrc2 >> 7 & 1), bool(rsrc2 >> 8 & 1), bool(rsrc2 >> 9 & 1)),
        denormals=_denormals(rsrc1),
        wave_size=lanes,
        has_scratch_buffer=bool(properties >> _SCRATCH_BUFFER_BIT & 1),
        scratch_offset=bool(rsrc2 & 1),
        preloaded=range(preload >> 7, (preload >> 7) + (preload & 127)),
        accumulators=4 * (rsrc3 & 63) + 4,
        has_item_y=rsrc2 >> 11 & 3 >= 1,
        has_item_z=rsrc2 >> 11 & 3 >= 2,
        ieee=is_ieee(kernel, gfx),
        keeps_nan=keeps_nan(kernel, gfx),
    )


def is_ieee(kernel: KernelCode, gfx: str) -> bool:
    """Whether a kernel's waves are in the mode of IEEE 754."""
    (rsrc1,) = struct.unpack_from("<I", kernel.descriptor, 48)
    return family(gfx).has_ieee_bit and bool(rsrc1 >> 23 & 1)


def keeps_nan(kernel: KernelCode, gfx: str) -> bool:
    """Whether clamps leave NaN alone: DX10_CLAMP is off."""
    (rsrc1,) = struct.unpack_from("<I", kernel.descriptor, 48)
    return family(gfx).has_nan_bit and not rsrc1 >> 21 & 1


def _denormals(rsrc1: int) -> int:
    """The denormal mode for f32."""
    return rsrc1 >> 16 & 3


def _refuse_modes(kernel: KernelCode, gfx: str, rsrc1: int, lanes: int) -> None:
    """EmulatorError for modes and waves that are not emulated."""
    denormals, own = _denormals(rsrc1), family(gfx)
    wrong = {
        "a rounding mode other than to nearest": rsrc1 >> 12 & 15,
        "flushing denormal f16 numbers": rsrc1 >> 18 & 3 != KEEP,
        f"denormal mode {denormals} for f32": denormals not in (FLUSH, KEEP),
        "f16 numbers that do not overflow": rsrc1 >> 26 & 1,
        f"a wave of {lanes} lanes on {gfx}": lanes != own.wave_size,
    }
    for what, is_wanted in wrong.items():
        if is_wanted:
            raise EmulatorError(f"kernel {kernel.name}: {what} is not emulated")


def _kernarg_sgpr(properties: int) -> int | None:
    """The first scalar register of the address of the arguments; None where it is not wanted."""
    register, kernarg = 0, None
    for bit, count in _USER_SGPRS:
        if properties >> bit & 1:
            kernarg = register if bit == _KERNARG_BIT else kernarg
            register += count
    return kernarg
