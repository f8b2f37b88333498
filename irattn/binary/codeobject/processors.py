"""AMD's processors by the number that the header of an ELF has for them.

From LLVM's AMDGPU usage guide, "AMDGPU `EF_AMDGPU_MACH` Values".
"""

_MACH = 0xFF
_BY_NUMBER = {
    0x02A: "gfx803",
    0x02C: "gfx900",
    0x02F: "gfx906",
    0x030: "gfx908",
    0x032: "gfx90c",
    0x033: "gfx1010",
    0x034: "gfx1011",
    0x035: "gfx1012",
    0x036: "gfx1030",
    0x037: "gfx1031",
    0x038: "gfx1032",
    0x039: "gfx1033",
    0x03D: "gfx1035",
    0x03E: "gfx1034",
    0x03F: "gfx90a",
    0x041: "gfx1100",
    0x043: "gfx1150",
    0x044: "gfx1103",
    0x046: "gfx1101",
    0x047: "gfx1102",
    0x048: "gfx1200",
    0x049: "gfx1250",
    0x04A: "gfx1151",
    0x04C: "gfx942",
    0x04E: "gfx1201",
    0x04F: "gfx950",
    0x055: "gfx1152",
    0x058: "gfx1153",
}


def processor_of(flags: int) -> str | None:
    """The gfx that an ELF's `e_flags` name; None for one that is not known."""
    return _BY_NUMBER.get(flags & _MACH)
