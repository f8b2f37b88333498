"""Vector memory instructions: their operands in assembly's order."""

from dataclasses import replace

from irattn.binary.codeobject.assembly.caching import cache_policy, returns
from irattn.binary.codeobject.assembly.fields import EncodedFields, Operand
from irattn.binary.codeobject.assembly.operands import matrix, plain
from irattn.binary.codeobject.assembly.registers import register

_TWO_PLACES = ("2addr", "read2", "write2", "2st64", "wrxchg2")
_ABSENT = {"rdna": 124, "cdna": 127}
_SWIZZLE_QUADS = 0x8000


def lds(fields: EncodedFields) -> str:
    """DS: what comes back, the address, then the data."""
    names = [name for name in ("vdst", "addr", "data0", "data1") if name in fields.operands]
    words = [plain(fields, n) if n == "addr" else _data(fields, n) for n in names]
    text = ", ".join(words) + _lds_offset(fields)
    return text + " gds" * fields["gds"]


def _lds_offset(fields: EncodedFields) -> str:
    first, second = fields["offset0"], fields["offset1"]
    if any(word in fields.name for word in _TWO_PLACES):
        return f" offset0:{first}" * bool(first) + f" offset1:{second}" * bool(second)
    offset = second << 8 | first
    if fields.name == "ds_swizzle_b32" and offset:
        return f" offset:{_swizzle(offset)}"
    return f" offset:{offset}" * bool(offset)


def _swizzle(offset: int) -> str:
    """Which lanes `ds_swizzle_b32` reads."""
    if offset & 0xFF00 == _SWIZZLE_QUADS:
        lanes = ",".join(str(offset >> 2 * i & 3) for i in range(4))
        return f"swizzle(QUAD_PERM,{lanes})"
    keep, set_, turn = offset & 31, offset >> 5 & 31, offset >> 10 & 31
    if offset & 0x8000 or (keep == 31 and not set_ and not turn):
        return str(offset)
    if (keep, set_) == (31, 0) and turn & turn - 1 == 0:
        return f"swizzle(SWAP,{turn})"
    if (keep, set_) == (31, 0) and turn & turn + 1 == 0:
        return f"swizzle(REVERSE,{turn + 1})"
    group = 32 - keep
    if turn == 0 and group & group - 1 == 0 and set_ < group and group > 1:
        return f"swizzle(BROADCAST,{group},{set_})"
    bits = (_mask_bit(keep >> i & 1, set_ >> i & 1, turn >> i & 1) for i in (4, 3, 2, 1, 0))
    return f'swizzle(BITMASK_PERM,"{"".join(bits)}")'


def _mask_bit(keep: int, set_: int, turn: int) -> str:
    if keep:
        return "i" if turn else "p"
    return "1" if set_ ^ turn else "0"


def flat(fields: EncodedFields) -> str:
    """FLAT, global and scratch: what comes back, the address, the data, the scalar address."""
    base, address = fields.encoding.removeprefix("V"), _address_field(fields)
    words = []
    if "vdst" in fields.operands and _comes_back(fields):
        words.append(_flat_result(fields))
    words.append(_flat_address(fields, base, address))
    words += [_data(fields, name) for name in ("data", "vsrc") if name in fields.operands]
    if base != "FLAT":
        words.append(_scalar_address(fields, base))
    name = "ioffset" if "ioffset" in fields else "offset"
    number = fields["offset"] if fields.encoding == "FLAT" else fields.signed(name)
    return (
        ", ".join(word for word in words if word)
        + f" offset:{number}" * bool(number)
        + (cache_policy(fields))
    )


def _flat_result(fields: EncodedFields) -> str:
    told, bits = fields.operands["vdst"], fields.operands["vdst"].bits
    if "cmpswap" in fields.name:
        # What is compared and what is stored lie side by side; one of them comes back.
        bits = fields.operands["vsrc" if "vsrc" in fields else "data"].bits // 2
    return _registers(fields, "vdst", replace(told, bits=bits))


def _comes_back(fields: EncodedFields) -> bool:
    if "_atomic_" in fields.name:
        return returns(fields)
    return "_lds_" not in fields.name


def _address_field(fields: EncodedFields) -> str:
    return "vaddr" if "vaddr" in fields else "addr"


def _has_scalar_address(fields: EncodedFields) -> bool:
    return fields["saddr"] not in (_ABSENT[fields.isa[:4]], 127)


def _flat_address(fields: EncodedFields, base: str, name: str) -> str:
    if name not in fields.operands:
        return ""
    if base == "SCRATCH" and not _has_vector_address(fields):
        return "off"
    is_wide = base == "FLAT" or (base == "GLOBAL" and not _has_scalar_address(fields))
    return register(fields.source(name), 2 if is_wide else 1, fields.is_rdna)


def _has_vector_address(fields: EncodedFields) -> bool:
    if fields.isa == "cdna2":
        return not _has_scalar_address(fields)
    return bool(fields["sve"])


def _scalar_address(fields: EncodedFields, base: str) -> str:
    if not _has_scalar_address(fields):
        return "off"
    return register(fields["saddr"], 2 if base == "GLOBAL" else 1, fields.is_rdna)


def buffer(fields: EncodedFields) -> str:
    """MUBUF and VBUFFER: the data, the address, the descriptor, the scalar offset."""
    if "srsrc" not in fields.operands and "rsrc" not in fields.operands:
        return cache_policy(fields).lstrip()
    words = [_buffer_data(fields)] if "vdata" in fields.operands and not fields["lds"] else []
    words.append(_buffer_address(fields))
    descriptor = fields.source("srsrc") if "srsrc" in fields else fields["rsrc"]
    words += [register(descriptor, 4, fields.is_rdna), plain(fields, "soffset")]
    text = ", ".join(word for word in words if word)
    text += " idxen" * fields["idxen"] + " offen" * fields["offen"]
    offset = fields.signed("ioffset") if "ioffset" in fields else fields["offset"]
    text += f" offset:{offset}" * bool(offset) + cache_policy(fields)
    return text + " tfe" * fields["tfe"] + " lds" * fields["lds"]


def _buffer_address(fields: EncodedFields) -> str:
    count = fields["offen"] + fields["idxen"]
    return register(fields.source("vaddr"), count, fields.is_rdna) if count else "off"


def _buffer_data(fields: EncodedFields) -> str:
    told = fields.operands["vdata"]
    wider = replace(told, bits=max(told.bits, 32) + 32 * fields["tfe"])
    return _registers(fields, "vdata", wider)


def _data(fields: EncodedFields, name: str) -> str:
    return _registers(fields, name, fields.operands[name])


def _registers(fields: EncodedFields, name: str, told: Operand) -> str:
    """Data, which CDNA also takes from and brings to the registers of its matrix cores."""
    return matrix(fields, name, bool(fields["acc"]), told)
