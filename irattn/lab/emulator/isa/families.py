"""How the families of instruction sets differ; all else is the same for all of them.

The other files speak RDNA3's language. Another family says here which of its mnemonics and fields
are RDNA3's under another name, which registers are special, and where its waves find what they
start with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.names import GFX9_NAMES, RDNA4_NAMES, without_length

NO_REGISTER = -1


# There is one object for each; many caches have it in their keys.
@dataclass(frozen=True, eq=False)
class Family:
    """What one family has of its own.

    `renamed` and `fields` go from its names to RDNA3's. `null` is the scalar register that reads 0,
    `no_address` what stands for a missing scalar address. A buffer access names the first of the
    four registers of its resource divided by `resource_unit`; `raw_buffer` are bits of the
    resource's last word, and what they are for raw memory. `ids_in_trap_registers` says that waves
    find the place of their workgroup in TTMP7 and TTMP9, not behind the user SGPRs.
    `halves_by_number`: register numbers from 128 on are high halves for 16-bit operands of short
    encodings. `clears_high_half`: a 16-bit result clears the other half, but for those of
    `keeps_high_half`. `writes_both_masks`: V_CMPX writes its mask besides exec. `has_accumulators`:
    vector registers from some number on are for accumulation. `scratch_by_buffer`: scratch is
    reached through a buffer resource, given to the kernel. `has_sve`: a bit says that a scratch
    instruction adds the lane's address; without such a bit it has that address unless it has a
    scalar one. `has_nan_bit`: the mode says whether a clamp makes NaN a 0. `has_ieee_bit`: it says
    whether signalling NaN are those of IEEE 754, and factors of outputs count. `flushes_products`:
    products of 16-bit matrices and V_DOT2 take denormal numbers as zeros, and give none.
    `has_ocp_bytes`: floats of one byte are those of the OCP. `has_cdna4_lds`: more than a word
    of a lane may be loaded from memory right into LDS, and matrices from there transposed.
    """

    name: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    wave_size: int = 32
    null: int = 124
    no_address: int = 124
    resource_unit: int = 4
    raw_buffer: tuple[int, int] = (0xF0E00000, 3 << 28)
    ids_in_trap_registers: bool = False
    halves_by_number: bool = True
    clears_high_half: bool = False
    keeps_high_half: frozenset[str] = frozenset()
    writes_both_masks: bool = False
    has_accumulators: bool = False
    scratch_by_buffer: bool = False
    has_sve: bool = True
    has_nan_bit: bool = True
    has_ieee_bit: bool = True
    flushes_products: bool = False
    has_ocp_bytes: bool = True
    has_cdna4_lds: bool = False

    def usual_name(self, mnemonic: str) -> str:
        """RDNA3's name of a mnemonic, without the suffix that says how long it is."""
        name = without_length(mnemonic)
        return self.renamed.get(name, name)


_KEEP_HIGH_HALF = frozenset(
    ("v_mad_u16", "v_mad_i16", "v_fma_f16", "v_mad_f16", "v_div_fixup_f16", "v_sat_pk_u8_i16")
)


def _cdna(name: str, *, scratch_by_buffer: bool, flushes_products: bool) -> Family:
    return Family(
        name,
        renamed=GFX9_NAMES,
        wave_size=64,
        null=NO_REGISTER,
        no_address=127,
        raw_buffer=(1 << 23, 0),
        halves_by_number=False,
        clears_high_half=True,
        keeps_high_half=frozenset(
            [
                "v_mad_u16",
                "v_mad_i16",
                "v_fma_f16",
                "v_mad_f16",
                "v_div_fixup_f16",
                "v_sat_pk_u8_i16",
            ]
        ),
        writes_both_masks=True,
        has_accumulators=True,
        scratch_by_buffer=scratch_by_buffer,
        has_sve=not scratch_by_buffer,
        flushes_products=flushes_products,
        has_ocp_bytes=False,
    )


RDNA3 = Family("rdna3")
RDNA4 = Family(
    "rdna4",
    renamed=RDNA4_NAMES,
    fields={"ioffset": "offset", "vaddr": "addr", "vsrc": "data", "rsrc": "srsrc"},
    resource_unit=1,
    ids_in_trap_registers=True,
    has_nan_bit=False,
    has_ieee_bit=False,
)
CDNA2 = _cdna("cdna2", scratch_by_buffer=True, flushes_products=True)
CDNA3 = _cdna("cdna3", scratch_by_buffer=False, flushes_products=False)

# By what the name of a gfx begins with. There are tables for more: gfx908 has no test here.
_FAMILIES = {
    "gfx11": RDNA3,
    "gfx120": RDNA4,
    "gfx90a": CDNA2,
    "gfx942": CDNA3,
    "gfx950": replace(CDNA3, has_ocp_bytes=True, has_cdna4_lds=True),
}


def known_family(gfx: str) -> Family | None:
    """The family of a gfx; None where it cannot be executed."""
    return next((family for start, family in _FAMILIES.items() if gfx.startswith(start)), None)


def family(gfx: str) -> Family:
    """The family of a gfx; EmulatorError where it cannot be executed."""
    known = known_family(gfx)
    if known is None:
        raise EmulatorError(
            f"{gfx}: the emulator executes RDNA3, RDNA4, CDNA2 and CDNA3, "
            f"that is {', '.join(_FAMILIES)}"
        )
    return known
