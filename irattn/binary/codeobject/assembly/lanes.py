"""Write what DPP and SDWA choose: the lane or part of a register that an instruction reads."""

from irattn.binary.codeobject.assembly.fields import EncodedFields

_QUADS = 0x100
_MOVES = {0x10: "row_shl", 0x11: "row_shr", 0x12: "row_ror", 0x16: "row_xmask"}
_WHOLE = {
    0x130: "wave_shl:1",
    0x134: "wave_rol:1",
    0x138: "wave_shr:1",
    0x13C: "wave_ror:1",
    0x140: "row_mirror",
    0x141: "row_half_mirror",
    0x142: "row_bcast:15",
    0x143: "row_bcast:31",
}
_SHARE = 0x15
_FETCH_INACTIVE = 234
_PARTS = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "7")
_UNUSED = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "3")


def lanes(fields: EncodedFields) -> str:
    """The modifiers of DPP, each after a space; empty for other instructions."""
    if fields.form == "DPP8":
        chosen = ",".join(str(fields[f"lane_sel_{i}"]) for i in range(8))
        return f" dpp8:[{chosen}]" + " fi:1" * (fields["src0"] == _FETCH_INACTIVE)
    if fields.form != "DPP16":
        return ""
    masks = f" row_mask:{fields['row_mask']:#x} bank_mask:{fields['bank_mask']:#x}"
    return f" {_control(fields)}{masks}" + " bound_ctrl:1" * fields["bc"] + " fi:1" * fields["fi"]


def _control(fields: EncodedFields) -> str:
    control = fields["dpp"]
    if control < _QUADS:
        return f"quad_perm:[{','.join(str(control >> 2 * i & 3) for i in range(4))}]"
    if control in _WHOLE:
        return _WHOLE[control]
    move, count = control >> 4, control & 15
    if move == _SHARE:
        return f"row_{'share' if fields.is_rdna else 'newbcast'}:{count}"
    return f"{_MOVES[move]}:{count}" if move in _MOVES else f"dpp_ctrl:{control:#x}"


def parts(fields: EncodedFields, sources: list[str]) -> str:
    """The modifiers of SDWA, each after a space; empty for other instructions."""
    if not fields.form.startswith("SDWA"):
        return ""
    text = ""
    if "dst_sel" in fields:
        text += f" dst_sel:{_PARTS[fields['dst_sel']]} dst_unused:{_UNUSED[fields['dst_unused']]}"
    words = [f" src{i}_sel:{_PARTS[fields[f'src{i}_sel']]}" for i in range(len(sources))]
    return text + "".join(words)
