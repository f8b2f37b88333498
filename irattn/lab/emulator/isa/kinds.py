"""The kinds of numbers that instructions compute with."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Kind:
    """Unsigned, signed or floating-point numbers of some width; `numpy` is the type for arrays.

    There is one of each, so that they are compared and hashed as objects.
    """

    name: str
    numpy: Any
    bits: int
    is_float: bool = False


U16, I16 = Kind("u16", np.uint16, 16), Kind("i16", np.int16, 16)
U32, I32 = Kind("u32", np.uint32, 32), Kind("i32", np.int32, 32)
U64, I64 = Kind("u64", np.uint64, 64), Kind("i64", np.int64, 64)
F16, F32 = Kind("f16", np.float16, 16, is_float=True), Kind("f32", np.float32, 32, is_float=True)
F64 = Kind("f64", np.float64, 64, is_float=True)
# NumPy has no such type: arrays hold the bits.
BF16 = Kind("bf16", np.uint16, 16, is_float=True)

KINDS = {kind.name: kind for kind in (U16, I16, F16, U32, I32, F32, U64, I64, F64)}
