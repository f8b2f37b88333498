"""Numbers that a call gives for each head."""

from typing import Any

import numpy as np

from irattn.core.dtypes import FLOAT_NAMES, any_name
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, taken
from irattn.functional.places import place_of
from irattn.functional.shapes import said

# The fields of attention's specs that say whether there are such numbers, one for each head.
HEAD_FIELDS = {"sinks": "sinks", "alibi_slopes": "alibi"}


def numbers_of_heads(heads: int, **given: Any) -> dict[str, Taken]:
    """The arrays that are given, each of an f32 for each head; ArgumentError for another size."""
    return {name: _of_heads(name, one, heads) for name, one in given.items() if one is not None}


def _of_heads(name: str, given: Any, heads: int) -> Taken:
    if tuple(given.shape) != (heads,):
        raise ArgumentError(f"{name}: expected [{heads}], one for each head, got {said(given)}")
    numbers = taken(name, given)
    if any_name(numbers.dtype) == "f32":
        return numbers
    if place_of(numbers):
        raise ArgumentError(f"{name}: expected f32 on a GPU, got {numbers.dtype}")
    return _as_f32(name, np.asarray(numbers))


def _as_f32(name: str, numbers: np.ndarray) -> np.ndarray:
    if any_name(numbers.dtype) not in FLOAT_NAMES and numbers.dtype.kind not in "fiu":
        raise ArgumentError(f"{name}: expected real numbers, got {numbers.dtype}")
    with np.errstate(over="ignore"):
        narrow = numbers.astype(np.float32)
    beyond = numbers[np.isinf(narrow) & (narrow != numbers)]
    if beyond.size:
        raise ArgumentError(f"{name}: expected numbers that f32 has, got {beyond[0]:g}")
    return narrow
