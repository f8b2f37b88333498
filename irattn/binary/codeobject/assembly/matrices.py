"""Matrix instructions of CDNA: their operands in assembly's order."""

from irattn.binary.codeobject.assembly.fields import EncodedFields
from irattn.binary.codeobject.assembly.operands import matrix

_SOURCES = ("src0", "src1", "src2")
# By `cbsz` and `blgp`: the registers of 8, 6 and 4 bits an element.
_REGISTERS = (8, 8, 6, 6, 4)


def matrices(fields: EncodedFields) -> str:
    """VOP3P_MFMA and VOP3PX2: the sums, both factors, what is added, and scales."""
    names = [name for name in ("vdst", *_SOURCES) if name in fields.operands]
    words = [_operand(fields, name) for name in names]
    if "scale_src0" in fields.operands:
        words += [matrix(fields, f"scale_src{i}", False) for i in (0, 1)]
    return ", ".join(words) + _modifiers(fields)


def _operand(fields: EncodedFields, name: str) -> str:
    if "ACCVGPR" not in fields.operands[name].kind:
        return matrix(fields, name, False)
    bit = {"src0": fields["acc"] & 1, "src1": fields["acc"] >> 1}.get(name, fields["acc_cd"])
    return matrix(fields, name, bool(bit))


def _modifiers(fields: EncodedFields) -> str:
    names = [("cbsz", fields["cbsz"]), ("abid", fields["abid"])]
    text = "".join(f" {name}:{value}" for name, value in names if value)
    group = fields["blgp"]
    if group and "_f64_" in fields.name and fields.isa == "cdna3":
        return text + f" neg:[{','.join(str(group >> i & 1) for i in range(3))}]"
    return text + f" blgp:{group}" * bool(group)
