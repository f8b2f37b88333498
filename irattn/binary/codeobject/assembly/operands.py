"""One operand as assembly writes it, halves, signs and magnitudes included."""

from irattn.binary.codeobject.assembly.fields import EncodedFields, Operand
from irattn.binary.codeobject.assembly.registers import (
    accumulator,
    constant,
    half_constant,
    is_constant,
    register,
)
from irattn.core.errors import ArtifactError

_LITERAL, _VECTOR = 255, 256
_FLOATS = range(240, 248)
_WORD, _HALF = 32, 16


def plain(fields: EncodedFields, name: str) -> str:
    """An operand without what changes it on its way."""
    told = fields.operands[name]
    return source(fields, fields.source(name), told)


def source(fields: EncodedFields, number: int, told: Operand) -> str:
    """A register or constant, of the kind and width that the tables tell."""
    if told.is_accumulator:
        return accumulator(number, words(fields, told))
    if told.is_scalar and number >= _VECTOR:
        # A field for vector registers that holds the number of a scalar one.
        number -= _VECTOR
    if is_constant(number):
        is_half = told.is_integer and told.bits == _HALF and fields.encoding.startswith("VOP")
        if is_half and number in _FLOATS:
            return half_constant(number)
        if number == _LITERAL and "literal" not in fields:
            raise ArtifactError("it has no literal")
        return constant(number, told.element_bits, fields["literal"])
    return register(number, words(fields, told), fields.is_rdna)


def words(fields: EncodedFields, told: Operand) -> int:
    """The registers that an operand takes."""
    bits = fields.lanes if told.is_mask else told.bits
    return max(1, bits // _WORD)


def has_halves(fields: EncodedFields, told: Operand) -> bool:
    """Whether an operand is half a register, which RDNA names."""
    return fields.is_rdna and told.bits == _HALF


def half(fields: EncodedFields, number: int, told: Operand, is_high: bool) -> str:
    """Half a vector register, or what else may stand there."""
    if number < _VECTOR:
        return source(fields, number, told)
    return f"{register(number, 1, True)}.{'h' if is_high else 'l'}"


def matrix(
    fields: EncodedFields, name: str, is_accumulator: bool, told: Operand | None = None
) -> str:
    """An operand in vector registers, or in those of the matrix cores."""
    number, told = fields.source(name), told or fields.operands[name]
    if is_accumulator and number >= _VECTOR:
        return accumulator(number, words(fields, told))
    return source(fields, number, told)


def changed(text: str, number: int, is_negative: int, is_magnitude: int) -> str:
    """An operand with its sign turned, or its magnitude taken."""
    if is_magnitude:
        text = f"|{text}|"
    if not is_negative:
        return text
    return f"neg({text})" if is_constant(number) and not is_magnitude else f"-{text}"
