"""Read from the names of matrix instructions and dot products how long they take.

CDNA counts passes of four cycles: LLVM's schedules (`SISchedule.td`) have them for each shape.
AMD's matrix instruction calculator (github.com/ROCm/amd_matrix_instruction_calculator) says the
same in cycles, up to CDNA 3, and has RDNA's.
"""

import re

from irattn.lab.emulator.isa.families import CDNA2, CDNA4, Family

_SHAPE = re.compile(r"v_\w+?_[fi]\d\d_(\d+)x\d+x(\d+)_(\w+)")
# From this depth on, shapes of CDNA 3 and later take half as long.
_DEEP = 8
_PASS = 4
# Of CDNA 4, with factors of a byte: those of six and four bits alone take half as long, which no
# name tells.
_MIXED = "f8f6f4"

# The cycles of RDNA's by the bits of a factor: from the calculator.
_BITS = re.compile(r"\d+$")
_RDNA = {"rdna3": {16: 32, 8: 32, 4: 16}, "rdna4": {16: 16, 8: 8, 4: 8}}


def is_dot(name: str) -> bool:
    """Whether it is a dot product of vectors."""
    return name.startswith("v_dot")


def is_double(name: str) -> bool:
    """Whether matrices are of f64."""
    return name.startswith("v_mfma_f64")


def takes_singles(name: str) -> bool:
    """Whether factors are of f32, which another unit multiplies than shorter numbers."""
    return name.startswith("v_mfma_f32") and name.endswith("_f32") and "xf32" not in name


def cycles(name: str, family: Family) -> int:
    """For how many cycles a matrix instruction keeps the matrix unit, or the lanes, of its SIMD."""
    of_bits = _RDNA.get(family.isa)
    if of_bits is None:
        return _PASS * passes(name, family)
    bits = _BITS.search(name)
    return of_bits[int(bits[0])] if bits else max(of_bits.values())


def passes(name: str, family: Family) -> int:
    """How many passes a matrix instruction of CDNA takes."""
    shape = _SHAPE.match(name)
    if shape is None:
        return 16
    rows, depth, factors = int(shape[1]), int(shape[2]), shape[3]
    if is_double(name):
        return 4 if rows == 4 else 16 if family is CDNA4 else 8
    if rows == 4:
        return 2
    slow = {16: 8, 32: 16}[rows]
    if family is CDNA2 or factors == _MIXED:
        return slow
    is_deep = "smfmac" in name or depth >= _DEEP or factors == "xf32"
    return slow // 2 if is_deep else slow
