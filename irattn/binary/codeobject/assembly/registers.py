"""The names of registers and constants in assembly."""

from irattn.core.errors import ArtifactError

_SINGLE = {
    106: "vcc_lo",
    107: "vcc_hi",
    126: "exec_lo",
    127: "exec_hi",
    235: "src_shared_base",
    236: "src_shared_limit",
    237: "src_private_base",
    238: "src_private_limit",
    239: "src_pops_exiting_wave_id",
    251: "src_vccz",
    252: "src_execz",
    253: "src_scc",
    254: "src_lds_direct",
}
# CDNA has less scalar registers of its own, and M0 where RDNA has the register that is always 0.
_RDNA = {124: "null", 125: "m0"}
_CDNA = {
    102: "flat_scratch_lo",
    103: "flat_scratch_hi",
    104: "xnack_mask_lo",
    105: "xnack_mask_hi",
    124: "m0",
    125: "null",
}
_NUMBERS = ("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0")
# The same numbers in the bits of f16.
_HALVES = (0x3800, 0xB800, 0x3C00, 0xBC00, 0x4000, 0xC000, 0x4400, 0xC400)
_INVERSE_OF_2_PI = {64: "0.15915494309189532"}
# The first numbers that are no general scalar registers.
_SCALARS_OF_RDNA, _SCALARS_OF_CDNA = 106, 102
_TRAP, _CONSTANTS, _NEGATIVE, _FLOATS, _LITERAL, _VECTOR = 108, 128, 192, 240, 255, 256


def register(number: int, words: int, is_rdna: bool) -> str:
    """A register, or `words` of them in a row, by the number of the first among all sources.

    ArtifactError for a number that stands for none.
    """
    if number >= _VECTOR:
        return _row("v", number - _VECTOR, words)
    names = _SINGLE | (_RDNA if is_rdna else _CDNA)
    if number in names:
        return names[number].removesuffix("_lo") if words > 1 else names[number]
    if _TRAP <= number < 124:
        return _row("ttmp", number - _TRAP, words)
    if number >= (_SCALARS_OF_RDNA if is_rdna else _SCALARS_OF_CDNA):
        raise ArtifactError(f"unknown register {number}")
    return _row("s", number, words)


def is_constant(number: int) -> bool:
    """Whether a source is a constant, in the instruction's own bits or after them."""
    return _CONSTANTS <= number <= 208 or _FLOATS <= number <= 248 or number == _LITERAL


def constant(number: int, bits: int, literal: int) -> str:
    """A constant as it is written, `literal` where that is what the number stands for."""
    if number == _LITERAL:
        return f"{literal & 0xFFFF if bits == 16 else literal:#x}"
    if number >= _FLOATS + len(_NUMBERS):
        return _INVERSE_OF_2_PI.get(bits, "0.15915494")
    if number >= _FLOATS:
        return _NUMBERS[number - _FLOATS]
    return str(number - _CONSTANTS if number <= _NEGATIVE else _NEGATIVE - number)


def half_constant(number: int) -> str:
    """A constant of floating point where an integer of 16 bits is expected: its bits."""
    return f"{_HALVES[number - _FLOATS]:#x}"


def accumulator(number: int, words: int) -> str:
    """A register of the matrix cores, by its number among all sources."""
    return _row("a", number - _VECTOR, words)


def _row(letter: str, first: int, words: int) -> str:
    many = f"[{first}:{first + words - 1}]"
    return f"{letter}{many if words > 1 else first}"
