"""Vector instructions: their operands in assembly's order."""

from irattn.binary.codeobject.assembly.fields import EncodedFields, Operand
from irattn.binary.codeobject.assembly.lanes import lanes, parts
from irattn.binary.codeobject.assembly.operands import changed, half, has_halves, plain, source
from irattn.binary.codeobject.assembly.registers import register

_VECTOR, _VCC = 256, 106
# The bit of `opsel` that chooses half of the destination.
_DESTINATION = 3
_SOURCES = ("src0", "vsrc0", "src1", "vsrc1", "src2")
_OUTPUT_FACTORS = ("", " mul:2", " mul:4", " div:2")
_32_BITS = Operand("FMT_NUM_B32", 32, "OPR_SRC")


def short(fields: EncodedFields) -> str:
    """VOP1, VOP2 and VOPC: destination, sources, and VCC where it takes part."""
    names = [name for name in _SOURCES if name in fields.operands]
    sources = [_short_source(fields, name, i) for i, name in enumerate(names)]
    words = [*_short_destinations(fields), *sources]
    if fields.name.startswith(("v_fmamk", "v_madmk")):
        words.insert(2, f"{fields['literal']:#x}")
    if fields.name.startswith(("v_fmaak", "v_madak")):
        words.append(f"{fields['literal']:#x}")
    if _reads_carry(fields):
        words.append(_vcc(fields))
    text = ", ".join(words)
    if fields.form.startswith("SDWA"):
        text += " clamp" * fields["clmp"] + _OUTPUT_FACTORS[fields["omod"]]
    return text + lanes(fields) + parts(fields, sources)


def _short_destinations(fields: EncodedFields) -> list[str]:
    if fields.encoding == "VOPC":
        return _compared(fields)
    if "vdst" not in fields.operands:
        return []
    told, number = fields.operands["vdst"], fields.source("vdst")
    if has_halves(fields, told):
        word = half(fields, _VECTOR + (number & 127), told, bool(number & 128))
    else:
        word = source(fields, number, told)
    return [word, _vcc(fields)] if "_co_" in fields.name else [word]


def _compared(fields: EncodedFields) -> list[str]:
    """Where a comparison goes: VCC, or on RDNA to EXEC, which is not written down."""
    if fields.is_rdna and fields.name.startswith("v_cmpx"):
        return []
    if fields["sd"]:
        return [register(fields["sdst"], fields.lanes // 32, fields.is_rdna)]
    return [_vcc(fields)]


def _short_source(fields: EncodedFields, name: str, place: int) -> str:
    told, number = fields.operands[name], fields.source(name)
    if fields[f"s{place}"] and fields.form.startswith("SDWA"):
        number -= _VECTOR
    if has_halves(fields, told) and number >= _VECTOR:
        text = half(fields, _VECTOR + (number & 127), told, bool(number & 128))
    else:
        text = source(fields, number, told)
    if not told.is_integer:
        text = changed(text, number, fields[f"src{place}_neg"], fields[f"src{place}_abs"])
    return f"sext({text})" if fields[f"src{place}_sext"] else text


def _reads_carry(fields: EncodedFields) -> bool:
    return fields.name.startswith("v_cndmask") or any(
        word in fields.name for word in ("_co_ci_", "addc_co", "subb_co", "subbrev_co")
    )


def _vcc(fields: EncodedFields) -> str:
    return register(_VCC, fields.lanes // 32, fields.is_rdna)


def long(fields: EncodedFields) -> str:
    """VOP3 and VOP3SD: destinations, then sources with their signs."""
    names = [name for name in _SOURCES if name in fields.operands]
    destinations = _long_destinations(fields)
    if fields.name.startswith("v_bitop3"):
        return ", ".join([*destinations, *(plain(fields, name) for name in names)]) + _truth(fields)
    sources = [_long_source(fields, name, i) for i, name in enumerate(names)]
    text = ", ".join([*destinations, *sources])
    return text + _halves(fields, names) + _result(fields) + lanes(fields)


def _truth(fields: EncodedFields) -> str:
    """The truth table of `v_bitop3`, whose bits lie where others have signs and factors."""
    table = fields["omod"] << 6 | fields["abs"] << 3 | fields["neg"]
    return f" bitop3:{table:#x}" if table else ""


def _long_destinations(fields: EncodedFields) -> list[str]:
    if "vdst" not in fields.operands:
        return []
    told, number = fields.operands["vdst"], fields.source("vdst")
    if fields.is_rdna and fields.name.startswith("v_cmpx"):
        return []
    if has_halves(fields, told):
        words = [half(fields, number, told, bool(fields["opsel"] >> _DESTINATION))]
    else:
        words = [source(fields, number, told)]
    return [*words, plain(fields, "sdst")] if "sdst" in fields.operands else words


def _long_source(fields: EncodedFields, name: str, place: int) -> str:
    told, number = fields.operands[name], fields.source(name)
    if has_halves(fields, told) and number >= _VECTOR:
        text = half(fields, number, told, bool(fields["opsel"] >> place & 1))
    else:
        text = source(fields, number, told)
    if told.is_integer:
        return text
    return changed(text, number, fields["neg"] >> place & 1, fields["abs"] >> place & 1)


def _halves(fields: EncodedFields, names: list[str]) -> str:
    """Which halves are meant, where their registers do not say so."""
    if fields.name.startswith("v_permlane"):
        # Here they say what lanes that are off give, by two bits.
        names = names[:2]
        return f" op_sel:{_row([fields['opsel'] & 1, fields['opsel'] >> 1 & 1])}" * bool(
            fields["opsel"]
        )
    told = [fields.operands[name] for name in [*names, "vdst"] if name in fields.operands]
    bits = [fields["opsel"] >> i & 1 for i in range(len(names))]
    bits.append(fields["opsel"] >> _DESTINATION)
    if fields.is_rdna:
        bits = [b * (not has_halves(fields, t)) for b, t in zip(bits, told, strict=False)]
    return f" op_sel:{_row(bits)}" if any(bits) else ""


def _result(fields: EncodedFields) -> str:
    return " clamp" * fields["clmp"] + _OUTPUT_FACTORS[fields["omod"]]


def _row(bits: list[int]) -> str:
    return f"[{','.join(map(str, bits))}]"


def packed(fields: EncodedFields) -> str:
    """VOP3P: the destination, then sources with halves and signs for both results."""
    names = [name for name in _SOURCES if name in fields.operands]
    is_mixed = "_mix" in fields.name
    words = [plain(fields, "vdst")] if "vdst" in fields.operands else []
    for i, name in enumerate(names):
        negative, magnitude = fields["neg"] >> i & 1, fields["neg_hi"] >> i & 1
        text = plain(fields, name)
        number = fields.source(name)
        words.append(changed(text, number, negative, magnitude) if is_mixed else text)
    text = ", ".join(words) + _packed_halves(fields, len(names), 0 if is_mixed else 1)
    for name, field in () if is_mixed else (("neg_lo", "neg"), ("neg_hi", "neg_hi")):
        bits = [fields[field] >> i & 1 for i in range(len(names))]
        text += f" {name}:{_row(bits)}" if any(bits) else ""
    return text + " clamp" * fields["clmp"] + lanes(fields)


def _packed_halves(fields: EncodedFields, count: int, usual: int) -> str:
    low = [fields["opsel"] >> i & 1 for i in range(count)]
    high = [(fields["opsel_hi"] | fields["opsel_hi2"] << 2) >> i & 1 for i in range(count)]
    if "swmmac" in fields.name:
        return f" index_key:{fields['opsel']}" if fields["opsel"] else ""
    text = f" op_sel:{_row(low)}" if any(low) else ""
    return text + (f" op_sel_hi:{_row(high)}" if high != [usual] * count else "")


def dual(fields: EncodedFields) -> str:
    """VOPD: two instructions, each with its destination and sources."""
    names = tuple(_half_names(fields))
    halves = [_dual_half(fields, name, which) for name, which in zip(names, "xy", strict=True)]
    return " :: ".join(halves)


def _half_names(fields: EncodedFields) -> list[str]:
    head, _, tail = fields.name.partition("_v_dual_")
    return [head, f"v_dual_{tail}"]


def _dual_half(fields: EncodedFields, name: str, which: str) -> str:
    first = source(fields, fields.source(f"src{which}0"), _32_BITS)
    words = [source(fields, fields.source(f"vdst{which}"), _32_BITS), first]
    if not name.startswith("v_dual_mov"):
        words.append(source(fields, fields.source(f"vsrc{which}1"), _32_BITS))
    literal = f"{fields['literal']:#x}"
    if "fmamk" in name:
        words.insert(2, literal)
    if "fmaak" in name:
        words.append(literal)
    return f"{name} {', '.join(words)}"


def interpolated(fields: EncodedFields) -> str:
    """VINTERP: long, with what it waits for."""
    text = long(fields)
    return f"{text} wait_exp:{fields['waitexp']}"
