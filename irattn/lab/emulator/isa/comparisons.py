"""The comparisons of vector and of scalar instructions."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from irattn.lab.emulator.isa.arithmetic import is_of_class
from irattn.lab.emulator.isa.kinds import F16, F32, F64, I32, KINDS, U32, U64, Kind


class Relation(NamedTuple):
    """Whether something holds for two sources, and the kinds of these."""

    holds: Callable[[Any, Any], Any]
    sources: tuple[Kind, Kind]


_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": np.less,
    "eq": np.equal,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "ne": np.not_equal,
    "lg": lambda a, b: (a < b) | (a > b),
    "o": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "u": lambda a, b: np.isnan(a) | np.isnan(b),
    "nge": lambda a, b: ~(a >= b),
    "nlg": lambda a, b: ~((a < b) | (a > b)),
    "ngt": lambda a, b: ~(a > b),
    "nle": lambda a, b: ~(a <= b),
    "neq": lambda a, b: ~(a == b),
    "nlt": lambda a, b: ~(a < b),
    "f": lambda a, b: np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)), bool),
    "t": lambda a, b: np.ones(np.broadcast_shapes(np.shape(a), np.shape(b)), bool),
}

COMPARISONS: dict[str, Relation] = {
    f"{relation}_{kind}": Relation(holds, (KINDS[kind], KINDS[kind]))
    for kind in ("f16", "f32", "f64", "i16", "u16", "i32", "u32", "i64", "u64")
    for relation, holds in _RELATIONS.items()
}
for _kind in (F16, F32, F64):
    COMPARISONS[f"class_{_kind.name}"] = Relation(is_of_class, (_kind, U32))

_SCALAR_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "lg": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
}
# Those that compare a register with a constant too.
CONSTANT_COMPARISONS = {
    f"{relation}_{kind.name}": Relation(holds, (kind, kind))
    for kind in (I32, U32)
    for relation, holds in _SCALAR_RELATIONS.items()
}
# Floats are compared as in vectors.
SCALAR_COMPARISONS = {
    **CONSTANT_COMPARISONS,
    **{
        f"{relation}_u64": Relation(_SCALAR_RELATIONS[relation], (U64, U64))
        for relation in ("eq", "lg")
    },
    **{
        f"{relation}_{kind.name}": COMPARISONS[f"{relation}_{kind.name}"]
        for kind in (F16, F32)
        for relation in _RELATIONS
    },
}
