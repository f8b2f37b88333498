"""What differs between the families of instruction sets; all else is the same for all of them.

The other files speak RDNA3's language. A later family says here which of its mnemonics and fields
are RDNA3's under another name, and where its waves find what they start with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

from irattn.codeobject import family_of
from irattn.errors import EmulatorError


@dataclass(frozen=True)
class Family:
    """What one family has of its own.

    `renamed` and `fields` go from its names to RDNA3's. A buffer access names the first of the four
    registers of its resource divided by `resource_unit`. `ids_in_trap_registers` says that waves
    find the place of their workgroup in TTMP7 and TTMP9, not behind the user SGPRs.
    """

    name: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    resource_unit: int = 4
    ids_in_trap_registers: bool = False

    def usual_name(self, mnemonic: str) -> str:
        """RDNA3's name of a mnemonic, without the suffix that says how long it is."""
        name = mnemonic.removesuffix("_e32").removesuffix("_e64")
        return self.renamed.get(name, name)


# The minimum and maximum that prefer numbers to NaN have `num` in their names on RDNA4.
_EXTREMES = {
    f"{prefix}_{word}_num_{kind}": f"{prefix}_{word}_{kind}"
    for prefix, word, kind in product(
        ("v", "s", "v_pk", "v_dual"),
        ("min", "max", "min3", "max3", "med3", "minmax", "maxmin"),
        ("f16", "f32", "f64"),
    )
}

RDNA3 = Family("rdna3")
RDNA4 = Family(
    "rdna4",
    renamed={
        **_EXTREMES,
        "s_add_co_u32": "s_add_u32",
        "s_add_co_i32": "s_add_i32",
        "s_add_co_ci_u32": "s_addc_u32",
        "s_addk_co_i32": "s_addk_i32",
        "s_sub_co_u32": "s_sub_u32",
        "s_sub_co_i32": "s_sub_i32",
        "s_sub_co_ci_u32": "s_subb_u32",
        "v_mad_co_u64_u32": "v_mad_u64_u32",
        "v_mad_co_i64_i32": "v_mad_i64_i32",
    },
    fields={"ioffset": "offset", "vaddr": "addr", "vsrc": "data", "rsrc": "srsrc"},
    resource_unit=1,
    ids_in_trap_registers=True,
)
FAMILIES = {family.name: family for family in (RDNA3, RDNA4)}


def family(gfx: str) -> Family:
    """The family of a gfx; EmulatorError where it cannot be executed."""
    found = FAMILIES.get(family_of(gfx) or "")
    if found is None:
        raise EmulatorError(
            f"{gfx}: the emulator executes RDNA3 and RDNA4, that is gfx11 and gfx12"
        )
    return found
