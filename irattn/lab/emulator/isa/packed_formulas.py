"""The arithmetic of packed instructions, done twice: for low and for high halves."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.lab.emulator.isa import extremes, fused
from irattn.lab.emulator.isa.formulas import Formula
from irattn.lab.emulator.isa.kinds import F16, I16, U16, Kind
from irattn.lab.emulator.isa.vector_formulas import VECTOR_FORMULAS

PACKED_FORMULAS: dict[str, Formula] = {}


def _add(kind: Kind, count: int, **functions: Callable[..., Any]) -> None:
    for name, compute in functions.items():
        exact = compute if name in ("add", "sub", "mad") and not kind.is_float else None
        formula = Formula(compute, kind, (kind,) * count, exact=exact)
        PACKED_FORMULAS[f"v_pk_{name}_{kind.name}"] = formula


_add(F16, 2, add=np.add, mul=np.multiply, minimum=extremes.minimum, maximum=extremes.maximum)
for _name in ("min", "max"):
    PACKED_FORMULAS[f"v_pk_{_name}_f16"] = VECTOR_FORMULAS[f"v_{_name}_f16"]
_add(F16, 3, fma=fused.fma16)
for _kind in (I16, U16):
    _add(_kind, 2, add=np.add, sub=np.subtract, max=np.maximum, min=np.minimum)
    _add(_kind, 3, mad=lambda a, b, c: a * b + c)
_add(U16, 2, mul_lo=np.multiply)
_add(I16, 2, ashrrev=lambda a, b: b >> (a & 15))
PACKED_FORMULAS["v_pk_lshlrev_b16"] = Formula(lambda a, b: b << (a & 15), U16, (U16, U16))
PACKED_FORMULAS["v_pk_lshrrev_b16"] = Formula(lambda a, b: b >> (a & 15), U16, (U16, U16))
