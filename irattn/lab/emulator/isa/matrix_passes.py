"""Read from the names of CDNA's matrix instructions and dot products how long they take.

A pass is four cycles. The figures are those of LLVM's schedules.
"""

import re

from irattn.lab.emulator.isa.families import CDNA2, Family

_SHAPE = re.compile(r"v_\w+?_[fi]\d\d_(\d+)x\d+x(\d+)_(\w+)")
# From this depth on, shapes of CDNA 3 and later take half as long.
_DEEP = 8


def is_dot(name: str) -> bool:
    """Whether it is a dot product of vectors."""
    return name.startswith("v_dot")


def is_double(name: str) -> bool:
    """Whether matrices are of f64."""
    return name.startswith("v_mfma_f64")


def takes_singles(name: str) -> bool:
    """Whether factors are of f32, which another unit multiplies than shorter numbers."""
    return name.startswith("v_mfma_f32") and name.endswith("_f32") and "xf32" not in name


def passes(name: str, family: Family) -> int:
    """How many passes a matrix instruction takes."""
    shape = _SHAPE.match(name)
    if shape is None:
        return 16
    rows, depth, factors = int(shape[1]), int(shape[2]), shape[3]
    if is_double(name):
        return 4 if rows == 4 else 8
    if rows == 4:
        return 2
    slow = {16: 8, 32: 16}[rows]
    if family is CDNA2:
        return slow
    is_deep = "smfmac" in name or depth >= _DEEP or factors == "xf32"
    return slow // 2 if is_deep else slow
