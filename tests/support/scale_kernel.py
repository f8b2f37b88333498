"""A kernel of another compiler: `out[i] = factor * in[i]`, for some elements a workgroup."""

from typing import Any

from tinygrad.renderer.amd.dsl import NULL, s, v

from support.code_object import assembled
from support.emulator.machine import TABLES

BUFFERS = [("global_buffer", 8), ("global_buffer", 8), ("by_value", 4)]
_BYTES = 4


def scale_instructions(gfx: str, workgroup: int = 32) -> list[Any]:
    """The instructions of the kernel for a gfx, without the end."""
    shift = (workgroup * _BYTES).bit_length() - 1
    return _cdna(shift) if gfx.startswith("gfx9") else _rdna(shift)


def scale_code(gfx: str, workgroup: int = 32) -> bytes:
    """The code object of the kernel."""
    return assembled("scale", gfx, scale_instructions(gfx, workgroup), BUFFERS)


def _rdna(shift: int) -> list[Any]:
    g11 = TABLES["gfx1100"]
    return [
        g11.s_load_b128(s[4:7], s[0:1], soffset=NULL),
        g11.s_load_b32(s[8], s[0:1], offset=16, soffset=NULL),
        g11.s_lshl_b32(s[9], s[2], shift),
        g11.v_lshl_add_u32(v[1], v[0], 2, s[9]),
        g11.s_waitcnt(0xFC07),
        g11.global_load_b32(v[2], v[1], saddr=s[6:7]),
        g11.s_waitcnt(0x03F7),
        g11.v_mul_f32_e32(v[2], s[8], v[2]),
        g11.global_store_b32(addr=v[1], data=v[2], saddr=s[4:5]),
    ]


def _cdna(shift: int) -> list[Any]:
    g9 = TABLES["gfx942"]
    return [
        g9.s_load_dwordx4(s[4:7], s[0:1], imm=1),
        g9.s_load_dword(s[8], s[0:1], offset=16, imm=1),
        g9.s_lshl_b32(s[9], s[2], shift),
        g9.v_lshl_add_u32_e64(v[1], v[0], 2, s[9]),
        g9.s_waitcnt(0xC07F),
        g9.global_load_dword(v[2], v[1], saddr=s[6:7]),
        g9.s_waitcnt(0x0F70),
        g9.v_mul_f32_e32(v[2], s[8], v[2]),
        g9.global_store_dword(addr=v[1], data=v[2], saddr=s[4:5]),
    ]
