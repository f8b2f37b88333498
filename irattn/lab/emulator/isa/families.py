"""How the families of instruction sets differ; all else is the same for all of them.

The other files speak RDNA3's language. Another family says here which of its mnemonics and fields
are RDNA3's under another name, which registers are special, and where its waves find what they
start with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.names import GFX9_NAMES, RDNA4_NAMES, without_length
from irattn.targets import families
from irattn.targets.chips import family_of
from irattn.targets.families import ChipFamily

NO_REGISTER = -1


# There is one object for each; many caches have it in their keys.
@dataclass(frozen=True, eq=False)
class Family:
    """The ways of one family's code; `chips` has the facts of its hardware.

    `renamed` and `fields` go from its names to RDNA3's. `null` is the scalar register that reads 0,
    `m0` the one that some instructions take besides their operands, `no_address` what stands for a
    missing scalar address. A buffer access names the first of the four registers of its resource
    divided by `resource_unit`; `raw_buffer` are bits of the resource's last word, and what they are
    for raw memory. `ids_in_trap_registers` says that waves find the place of their workgroup in
    TTMP7 and TTMP9, not behind the user SGPRs. `halves_by_number`: register numbers from 128 on are
    high halves for 16-bit operands of short encodings. `clears_high_half`: a 16-bit result clears
    the other half, but for those of `keeps_high_half`. `writes_both_masks`: V_CMPX writes its mask
    besides exec. `has_accumulators`: vector registers from some number on are for accumulation.
    `scratch_by_buffer`: scratch is reached through a buffer resource, given to the kernel.
    `has_sve`: a bit says that a scratch instruction adds the lane's address; without such a bit it
    has that address unless it has a scalar one. `has_nan_bit`: the mode says whether a clamp makes
    NaN a 0. `has_ieee_bit`: it says whether signalling NaN are those of IEEE 754, and factors of
    outputs count. `flushes_products`: products of 16-bit matrices and V_DOT2 take denormal numbers
    as zeros, and give none. `has_ocp_bytes`: floats of one byte are those of the OCP.
    `has_cdna4_lds`: more than a word of a lane may be loaded from memory right into LDS, and
    matrices from there transposed.
    """

    chips: ChipFamily
    renamed: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    null: int = 124
    m0: int = 125
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

    @property
    def name(self) -> str:
        """The name of the family: `rdna3`, `cdna4`."""
        return self.chips.name

    @property
    def isa(self) -> str:
        """The instruction set, which several families may have: `rdna3`, `cdna3`."""
        return self.chips.isa or self.name

    @property
    def wave_size(self) -> int:
        """The lanes of a wave."""
        return self.chips.wave_size

    def usual_name(self, mnemonic: str) -> str:
        """RDNA3's name of a mnemonic, without the suffix that says how long it is."""
        name = without_length(mnemonic)
        return self.renamed.get(name, name)


_KEEP_HIGH_HALF = frozenset(
    ("v_mad_u16", "v_mad_i16", "v_fma_f16", "v_mad_f16", "v_div_fixup_f16", "v_sat_pk_u8_i16")
)


def _cdna(chips: ChipFamily, *, scratch_by_buffer: bool, flushes_products: bool) -> Family:
    return Family(
        chips,
        renamed=GFX9_NAMES,
        null=NO_REGISTER,
        m0=124,
        no_address=127,
        raw_buffer=(1 << 23, 0),
        halves_by_number=False,
        clears_high_half=True,
        keeps_high_half=_KEEP_HIGH_HALF,
        writes_both_masks=True,
        has_accumulators=True,
        scratch_by_buffer=scratch_by_buffer,
        has_sve=not scratch_by_buffer,
        flushes_products=flushes_products,
        has_ocp_bytes=False,
    )


RDNA3 = Family(families.RDNA3)
RDNA3_5 = Family(families.RDNA3_5)
RDNA4 = Family(
    families.RDNA4,
    renamed=RDNA4_NAMES,
    fields={"ioffset": "offset", "vaddr": "addr", "vsrc": "data", "rsrc": "srsrc"},
    resource_unit=1,
    ids_in_trap_registers=True,
    has_nan_bit=False,
    has_ieee_bit=False,
)
CDNA2 = _cdna(families.CDNA2, scratch_by_buffer=True, flushes_products=True)
CDNA3 = _cdna(families.CDNA3, scratch_by_buffer=False, flushes_products=False)

CDNA4 = replace(CDNA3, chips=families.CDNA4, has_ocp_bytes=True, has_cdna4_lds=True)

# There are instruction tables for more: CDNA 1 has no test here.
_FAMILIES = {own.name: own for own in (RDNA3, RDNA3_5, RDNA4, CDNA2, CDNA3, CDNA4)}


def known_family(gfx: str) -> Family | None:
    """The family of a gfx; None where it cannot be executed."""
    chips = family_of(gfx)
    return _FAMILIES.get(chips.name) if chips else None


def family(gfx: str) -> Family:
    """The family of a gfx; EmulatorError where it cannot be executed."""
    known = known_family(gfx)
    if known is None:
        raise EmulatorError(f"{gfx}: the emulator executes {', '.join(_FAMILIES)} only")
    return known
