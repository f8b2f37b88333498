"""The mnemonics of instructions in assembly."""

from functools import cache

from irattn.binary.codeobject.assembly.fields import EncodedFields
from irattn.binary.codeobject.isa import mnemonics_of

_SHORT, _LONG = ("VOP1", "VOP2", "VOPC"), ("VOP3", "VOP3SD")
# Short and long forms that assembly does not tell apart.
_ONE_NAME = {
    "v_nop",
    "v_readfirstlane_b32",
    "v_permlane64_b32",
    "v_pipeflush",
    "v_swap_b32",
    "v_clrexcp",
    "v_accvgpr_mov_b32",
}
_RENAMED = {
    "v_mad_mix_f32": "v_fma_mix_f32",
    "v_mad_mixlo_f16": "v_fma_mixlo_f16",
    "v_mad_mixhi_f16": "v_fma_mixhi_f16",
    "v_accvgpr_read": "v_accvgpr_read_b32",
    "v_accvgpr_write": "v_accvgpr_write_b32",
}


def mnemonic(fields: EncodedFields) -> str:
    """The mnemonic, with the suffix that says which of an opcode's encodings it is."""
    stem = fields.name.removesuffix("_e32").removesuffix("_e64")
    if fields.name.startswith("v_mfma") and fields.isa == "cdna2":
        return _matrix_of_cdna2(stem)
    if fields.isa == "cdna2" and stem == "buffer_inv":
        return "buffer_invl2"
    return _RENAMED.get(stem, stem) + _suffix(fields, stem)


def _suffix(fields: EncodedFields, stem: str) -> str:
    is_short = fields.encoding in _SHORT
    if fields.form.startswith("DPP"):
        if not is_short:
            return "_e64_dpp"
        return "" if fields.encoding == "VOPC" else "_dpp"
    if fields.form.startswith("SDWA"):
        return "_sdwa"
    if not fields.encoding.startswith("VOP") or stem not in _in_both(fields.isa):
        return ""
    return "_e32" if is_short else "_e64"


@cache
def _in_both(isa: str) -> frozenset[str]:
    """Opcodes that have a short and a long encoding."""
    by_length = mnemonics_of(isa, _SHORT), mnemonics_of(isa, _LONG)
    short, long = (
        {name.removesuffix("_e32").removesuffix("_e64") for name in names} for names in by_length
    )
    return frozenset(short & long) - _ONE_NAME


def _matrix_of_cdna2(stem: str) -> str:
    """CDNA2's names have neither the count of blocks nor an underscore before the sources' type."""
    head, result, shape, *rest = stem.split("_")[1:]
    sources = [word for word in rest if not (word.endswith("b") and word[:-1].isdigit())]
    return "_".join(["v", head, result, shape + sources[0], *sources[1:]])
