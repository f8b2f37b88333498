"""What differs between families of AMD GPUs: special registers, rules, and what things are called.

The emulator knows instructions by their RDNA3 names. A family's `plain` gives that name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

NO_REGISTER = -1

_MOVED = {
    "byte": "b8",
    "ubyte": "u8",
    "sbyte": "i8",
    "short": "b16",
    "ushort": "u16",
    "sshort": "i16",
    "dword": "b32",
    "dwordx2": "b64",
    "dwordx3": "b96",
    "dwordx4": "b128",
    "dwordx8": "b256",
    "dwordx16": "b512",
}
_MEMORY = re.compile(
    r"(?P<where>(?:global|buffer|scratch|s)_(?:load|store)_)(?P<what>[a-z]+(?:x\d+)?)"
    r"(?P<half>_d16)?(?P<high>_hi)?$"
)
_LDS = re.compile(r"ds_(?P<way>read|write)(?P<two>2(?P<far>st64)?)?_(?P<what>\w+)$")

# GFX9's names of what RDNA3 calls otherwise.
_GFX9: dict[str, str] = {
    "s_andn2_saveexec_b64": "s_and_not1_saveexec_b64",
    "s_orn2_saveexec_b64": "s_or_not1_saveexec_b64",
    "s_andn1_saveexec_b64": "s_and_not0_saveexec_b64",
    "s_orn1_saveexec_b64": "s_or_not0_saveexec_b64",
    "s_ff1_i32_b32": "s_ctz_i32_b32",
    "s_flbit_i32_b32": "s_clz_i32_u32",
    "v_ffbh_u32": "v_clz_i32_u32",
    "v_ffbl_b32": "v_ctz_i32_b32",
    "v_cvt_pkrtz_f16_f32": "v_cvt_pk_rtz_f16_f32",
    "v_cvt_rpi_i32_f32": "v_cvt_nearest_i32_f32",
    "v_cvt_flr_i32_f32": "v_cvt_floor_i32_f32",
    "v_addc_co_u32": "v_add_co_ci_u32",
    "v_subb_co_u32": "v_sub_co_ci_u32",
    "v_subbrev_co_u32": "v_subrev_co_ci_u32",
    "v_mad_legacy_u16": "v_mad_u16",
    "v_mad_legacy_i16": "v_mad_i16",
    "v_fma_legacy_f16": "v_fma_f16",
    "v_dot2c_f32_f16": "v_dot2acc_f32_f16",
}
for _bits in (32, 64):
    _GFX9 |= {
        f"s_andn2_b{_bits}": f"s_and_not1_b{_bits}",
        f"s_orn2_b{_bits}": f"s_or_not1_b{_bits}",
    }
for _kind in ("u32", "i32", "u16", "i16"):
    _GFX9 |= {f"v_{_name}_{_kind}": f"v_{_name}_nc_{_kind}" for _name in ("add", "sub", "subrev")}


@dataclass(frozen=True)
class Family:
    """One family.

    `null` is the scalar register that reads 0, `no_address` what stands for a missing scalar
    address. `halves_by_number`: register numbers from 128 on are high halves for 16-bit operands
    of short encodings. `clears_high_half`: a 16-bit result clears the other half, but for those of
    `keeps_high_half`. `writes_both_masks`: V_CMPX writes its mask besides exec.
    `raw_buffer`: bits of a buffer resource's last word, and what they are for raw memory.
    `scratch_by_buffer`: scratch is reached through a buffer resource, given to the kernel.
    """

    wave_size: int
    null: int
    no_address: int
    halves_by_number: bool = False
    clears_high_half: bool = False
    writes_both_masks: bool = False
    raw_buffer: tuple[int, int] = (0, 0)
    scratch_by_buffer: bool = False
    keeps_high_half: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict, hash=False, compare=False)

    def plain(self, name: str) -> str:
        """The RDNA3 name of an instruction, without the suffix of its encoding."""
        name = name.removesuffix("_e32").removesuffix("_e64")
        return _memory_name(self.names.get(name, name))


_KEEPS = frozenset(["v_mad_u16", "v_mad_i16", "v_fma_f16", "v_mad_f16", "v_div_fixup_f16"])
_RDNA3 = Family(
    wave_size=32, null=124, no_address=124, halves_by_number=True, raw_buffer=(3 << 28, 3 << 28)
)


def _cdna(*, scratch_by_buffer: bool) -> Family:
    return Family(
        wave_size=64,
        null=NO_REGISTER,
        no_address=127,
        clears_high_half=True,
        writes_both_masks=True,
        raw_buffer=(1 << 23, 0),
        scratch_by_buffer=scratch_by_buffer,
        keeps_high_half=_KEEPS,
        names=_GFX9,
    )


_FAMILIES = {
    "gfx11": _RDNA3,
    "gfx90a": _cdna(scratch_by_buffer=True),
    "gfx942": _cdna(scratch_by_buffer=False),
    "gfx950": _cdna(scratch_by_buffer=False),
}


def family_of(gfx: str) -> Family | None:
    """The family of a gfx; None where the emulator does not execute it."""
    return next((family for start, family in _FAMILIES.items() if gfx.startswith(start)), None)


def _memory_name(name: str) -> str:
    if found := _MEMORY.match(name):
        half = ("d16_" if found["half"] else "") + ("hi_" if found["high"] else "")
        return found["where"] + half + _MOVED.get(found["what"], found["what"])
    if found := _LDS.match(name):
        way = "load" if found["way"] == "read" else "store"
        two = ("2addr_" + ("stride64_" if found["far"] else "")) if found["two"] else ""
        return f"ds_{way}_{two}{found['what']}"
    return name
