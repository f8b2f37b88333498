"""The hazards of each family, but for those of its matrix instructions."""

from collections.abc import Callable

from irattn.lab.emulator.isa.families import CDNA2, CDNA4, RDNA3, RDNA3_5, RDNA4, Family
from irattn.lab.emulator.machine.underway import scalar_key
from irattn.lab.emulator.machine.waves import EXEC, VCC
from irattn.lab.emulator.waits.hazards import Rule
from irattn.lab.emulator.waits.matrix_rules import matrix_rules
from irattn.lab.emulator.waits.sites import Site
from irattn.lab.emulator.waits.touched import Keys, vector_operand

_NONE: Keys = frozenset()
_EXEC = frozenset((scalar_key(EXEC), scalar_key(EXEC + 1)))
_VCC = frozenset((scalar_key(VCC), scalar_key(VCC + 1)))
# Of GFX9.
_M0 = frozenset((scalar_key(CDNA2.m0),))
# Hardware registers, as S_SETREG and S_GETREG name them, count from here.
_HARDWARE = 1 << 16
_LANES_BY_NUMBER = ("v_readlane_b32", "v_writelane_b32")
_FROM_LANES = ("v_readlane_b32", "v_readfirstlane_b32")
_LANES = (*_LANES_BY_NUMBER, "v_readfirstlane_b32")
_PERMUTES = frozenset(
    f"v_{name}_b32"
    for name in ("permlane16", "permlanex16", "permlane64", "permlane16_var", "permlanex16_var")
)

_SETS = ("s_setreg_b32", "s_setreg_imm32_b32")
# Copies to LDS, and accesses by the number of the lane.
_LDS_BY_M0 = frozenset(
    (
        *(f"global_load_lds_{kind}" for kind in ("ubyte", "sbyte", "ushort", "sshort")),
        *(f"global_load_lds_dword{count}" for count in ("", "x3", "x4")),
        *(f"ds_{verb}_addtid_b32" for verb in ("read", "write", "load", "store")),
    )
)


def rules_of(family: Family) -> tuple[Rule, ...]:
    """The hazards of a family."""
    if family in (RDNA3, RDNA3_5, RDNA4):
        slow = (_TRANSCENDENTAL_USE,) if family is RDNA3 else ()
        return (_PERMUTE_AFTER_COMPARISON, _MATRIX_AFTER_MATRIX, *slow)
    newer = () if family is CDNA2 else _GFX940
    newest = _GFX950 if family is CDNA4 else ()
    return (*_GFX9, *newer, *newest, _wide_stores(family), *matrix_rules(family))


def _scalars(keys: Keys) -> Keys:
    return frozenset(key for key in keys if key < 0)


def _vectors(keys: Keys) -> Keys:
    return frozenset(key for key in keys if key >= 0)


def _vector_to_scalars(site: Site) -> Keys:
    return _scalars(site.writes) if site.is_vector else _NONE


def _vector_to_vectors(site: Site) -> Keys:
    return _vectors(site.writes) if site.is_plain_vector else _NONE


def _named(*names: str, keys: Keys | None = None) -> Callable[[Site], Keys]:
    """The reads of instructions of some names: these registers, or all their vector registers."""

    def read(site: Site) -> Keys:
        if site.ops.name not in names:
            return _NONE
        return _vectors(site.reads) if keys is None else keys

    return read


# GFX9.


def _lane_number(site: Site) -> Keys:
    if site.ops.name not in _LANES_BY_NUMBER or site.ops.field("src1") >= 128:
        return _NONE
    return frozenset((scalar_key(site.ops.field("src1")),))


def _hardware_register(site: Site) -> Keys:
    if site.ops.name not in (*_SETS, "s_getreg_b32"):
        return _NONE
    return frozenset((_HARDWARE + (site.ops.field("simm16") & 63),))


def _set_hardware_register(site: Site) -> Keys:
    return _hardware_register(site) if site.ops.name in _SETS else _NONE


def _reads_m0(site: Site) -> Keys:
    by_lds = site.is_memory and site.ops.field("lds")
    is_reader = by_lds or "message" in site.begins or site.ops.name in _LDS_BY_M0
    return _M0 if is_reader else _NONE


def _scalar_unit_writes(site: Site) -> Keys:
    return _scalars(site.writes) if site.is_scalar_unit else _NONE


_GFX9 = (
    Rule(
        "a scalar register written by the vector unit, read by an access to memory",
        _vector_to_scalars,
        lambda site: _scalars(site.reads) if site.is_memory else _NONE,
        5,
    ),
    Rule(
        "a vector register written, read through DPP",
        _vector_to_vectors,
        lambda site: _vectors(site.reads) if site.ops.is_dpp else _NONE,
        2,
    ),
    Rule(
        "exec written by the vector unit, before DPP",
        _vector_to_scalars,
        lambda site: _EXEC if site.ops.is_dpp else _NONE,
        5,
    ),
    Rule(
        "VCC written by the vector unit, read by v_div_fmas",
        _vector_to_scalars,
        _named("v_div_fmas_f32", "v_div_fmas_f64", keys=_VCC),
        4,
    ),
    Rule("the number of a lane, written by the vector unit", _vector_to_scalars, _lane_number, 4),
    Rule("a hardware register set", _set_hardware_register, _hardware_register, 2),
    Rule("M0 written by the scalar unit", _scalar_unit_writes, _reads_m0, 1),
)


def _transcendental(site: Site) -> Keys:
    return _vectors(site.writes) if site.is_transcendental else _NONE


def _part_written(site: Site) -> Keys:
    """The instructions that write a part of a register."""
    part = site.ops.field("dst_sel", 6) != 6 if site.ops.is_sdwa else site.ops.field("opsel") & 8
    return _vectors(site.writes) if site.is_plain_vector and part else _NONE


_GFX940 = (
    Rule(
        "a scalar register written and read by the vector unit",
        _vector_to_scalars,
        lambda site: _scalars(site.reads) - _EXEC if site.is_vector else _NONE,
        2,
    ),
    Rule(
        "exec written by the vector unit, before lanes are read or written",
        _vector_to_scalars,
        _named(*_LANES, keys=_EXEC),
        4,
    ),
    Rule(
        "a vector register written, a lane of it read", _vector_to_vectors, _named(*_FROM_LANES), 1
    ),
    Rule(
        "the result of a transcendental instruction, read by another kind",
        _transcendental,
        lambda site: (
            _vectors(site.reads) if site.is_plain_vector and not site.is_transcendental else _NONE
        ),
        1,
    ),
    Rule(
        "a part of a register written, the register read",
        _part_written,
        lambda site: _vectors(site.reads) if site.is_vector else _NONE,
        1,
    ),
)

_SWAPS = ("v_permlane16_swap_b32", "v_permlane32_swap_b32")
_GFX950 = (
    Rule("a register written, swapped between lanes", _vector_to_vectors, _named(*_SWAPS), 2),
    Rule(
        "exec written by the vector unit, before lanes are swapped",
        _vector_to_scalars,
        _named(*_SWAPS, keys=_EXEC),
        4,
    ),
)


def _wide_stores(family: Family) -> Rule:
    """Stores of more than two registers read them late."""
    return Rule(
        "the data of a wide store overwritten",
        _wide_data,
        _vector_to_vectors,
        1 if family is CDNA2 else 2,
    )


def _wide_data(site: Site) -> Keys:
    if "store" not in site.begins or site.ops.encoding.startswith("DS"):
        return _NONE
    # Buffers do it only where they have no scalar offset.
    is_buffer = site.ops.has("srsrc")
    if is_buffer and site.ops.field("soffset") < 128:
        return _NONE
    data = vector_operand(
        site.ops, "vdata" if is_buffer else "data", is_accumulator=bool(site.ops.field("acc"))
    )
    return data if len(data) > 2 else _NONE


# RDNA.


def _vector_count(site: Site) -> int:
    return int(site.is_vector and site.ops.name != "v_nop")


_PERMUTE_AFTER_COMPARISON = Rule(
    "exec written by v_cmpx, before lanes are permuted",
    lambda site: _EXEC & site.writes if site.ops.encoding.startswith(("VOPC", "VOP3")) else _NONE,
    _named(*_PERMUTES, keys=_EXEC),
    1,
    counts=_vector_count,
    remedy="another vector instruction, not v_nop,",
)


def _factors(site: Site) -> Keys:
    return site.matrices["src0"] | site.matrices["src1"] if site.is_matrix else _NONE


_MATRIX_AFTER_MATRIX = Rule(
    "the result of a matrix instruction, a factor of the next",
    lambda site: site.matrices["vdst"] if site.is_matrix else _NONE,
    _factors,
    1,
    counts=lambda site: int(site.is_vector),
    remedy="a vector instruction, as v_nop,",
)


class _SlowResult(Rule):
    """A result that comes after five more vector instructions, or two transcendental ones."""

    _TWO = 2 * 64

    def lacks(self, needed: int, between: int) -> int:
        return 0 if between >= self._TWO else needed - between % 64


def _waits_for_results(site: Site) -> bool:
    """Whether a site lets all results of the vector unit arrive."""
    waits = site.ops.name == "s_waitcnt_depctr" and site.ops.field("simm16") >> 12 == 0
    return waits or site.is_access


_TRANSCENDENTAL_USE = _SlowResult(
    "the result of a transcendental instruction",
    _transcendental,
    lambda site: _vectors(site.reads) if site.is_vector else _NONE,
    6,
    counts=lambda site: site.is_vector + 64 * site.is_transcendental,
    ends=_waits_for_results,
    remedy="s_waitcnt_depctr va_vdst(0), or {} more vector instructions,",
)
