"""Scalar instructions: their operands in assembly's order."""

from irattn.binary.codeobject.assembly import waits
from irattn.binary.codeobject.assembly.caching import cache_policy
from irattn.binary.codeobject.assembly.fields import EncodedFields
from irattn.binary.codeobject.assembly.messages import hardware_register, index_modes, message
from irattn.binary.codeobject.assembly.operands import plain
from irattn.binary.codeobject.assembly.registers import register

# Immediates that assembly writes in hexadecimal however small.
_HEXADECIMAL = ("s_clause", "s_wait_", "s_round_mode", "s_set_inst_prefetch", "s_ttracedata_imm")
_INLINE = range(-16, 65)
_NULL = 124


def scalar(fields: EncodedFields) -> str:
    """SOP1, SOP2 and SOPC: the destination, then the sources."""
    names = [name for name in ("sdst", "ssrc0", "ssrc1") if name in fields.operands]
    words = [_operand(fields, name) for name in names]
    literal = f"{fields['literal']:#x}"
    if fields.name.startswith("s_fmamk"):
        words.insert(2, literal)
    if fields.name.startswith("s_fmaak"):
        words.append(literal)
    return ", ".join(words)


def _operand(fields: EncodedFields, name: str) -> str:
    if "SENDMSG" in fields.operands[name].kind:
        return message(fields[name], fields.isa)
    if name == "ssrc1" and fields.name == "s_set_gpr_idx_on":
        return index_modes(fields[name])
    return plain(fields, name)


def with_immediate(fields: EncodedFields) -> str:
    """SOPK: the register, then the immediate; `s_setreg` writes them the other way round."""
    registers = [plain(fields, "sdst")] if "sdst" in fields.operands else []
    number, kind = fields["simm16"], _kind_of_immediate(fields)
    if kind == "OPR_LABEL":
        immediate = _target(fields)
    elif kind == "OPR_HWREG":
        immediate = hardware_register(number, fields.isa)
    else:
        immediate = f"{number:#x}"
    if fields.name.startswith("s_setreg"):
        return ", ".join([immediate, *(registers or [_inline(fields["literal"], 32)])])
    return ", ".join([*registers, immediate])


def program(fields: EncodedFields) -> str:
    """SOPP: an immediate, in words where its bits are fields."""
    name, number = fields.name, fields["simm16"]
    if _kind_of_immediate(fields) == "OPR_LABEL":
        return _target(fields)
    if name == "s_endpgm":
        return str(number) if number else ""
    if name == "s_waitcnt":
        return waits.counters(number, fields.is_rdna)
    if name in ("s_waitcnt_depctr", "s_wait_alu"):
        return waits.dependencies(number)
    if name == "s_delay_alu":
        return waits.delay(number)
    if name.startswith("s_sendmsg"):
        return message(number, fields.isa)
    if name == "s_set_gpr_idx_mode":
        return index_modes(number)
    if "simm16" not in fields.operands:
        return ""
    if name == "s_barrier_wait":
        return str(fields.signed("simm16"))
    return f"{number:#x}" if name.startswith(_HEXADECIMAL) or number > _INLINE[-1] else str(number)


def _kind_of_immediate(fields: EncodedFields) -> str | None:
    told = fields.operands.get("simm16")
    return told.kind if told else None


def _target(fields: EncodedFields) -> str:
    """Where a branch goes, from the start of the code."""
    its = fields.instruction
    return f"{its.at + its.size + 4 * fields.signed('simm16'):#06x}"


def _inline(number: int, bits: int) -> str:
    """An immediate: in decimal where it is one of the constants that instructions hold."""
    signed = number - (1 << bits) if number >> bits - 1 else number
    return str(signed) if signed in _INLINE else f"{number:#x}"


def memory(fields: EncodedFields) -> str:
    """SMEM: the data, the address, and the offset: a register, a number, or both."""
    if fields.name.startswith("s_prefetch"):
        return _prefetch(fields)
    names = [name for name in ("sdata", "sbase") if name in fields.operands]
    words = [plain(fields, name) for name in names]
    if "sbase" in fields.operands:
        words.append(_offset(fields))
    return ", ".join(words) + cache_policy(fields)


def _prefetch(fields: EncodedFields) -> str:
    """The address, and how many lines: a register's and those of `sdata`."""
    words = [] if "_pc_rel" in fields.name else [register(fields.source("sbase"), 2, True)]
    number = fields.signed("ioffset")
    words.append(f"{'-' * (number < 0)}{abs(number):#x}")
    return ", ".join([*words, register(fields["soffset"], 1, True), str(fields["sdata"])])


def _offset(fields: EncodedFields) -> str:
    number = fields.signed("ioffset" if "ioffset" in fields else "offset")
    offset = f"{'-' * (number < 0)}{abs(number):#x}"
    if "imm" in fields and not fields["imm"]:
        which = fields["soffset"] if fields["soffset_en"] else fields["offset"] & 127
        return register(which, 1, False)
    has_register = fields["soffset_en"] if "imm" in fields else fields["soffset"] != _NULL
    if not has_register:
        return offset
    word = register(fields["soffset"], 1, fields.is_rdna)
    return f"{word} offset:{offset}" if number or fields.isa == "rdna4" else word
