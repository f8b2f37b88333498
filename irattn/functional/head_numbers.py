"""Numbers that a call gives for each head."""

from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
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
    return np.asarray(numbers).astype(np.float32)
