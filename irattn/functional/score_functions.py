"""Score and mask functions of a call: their expressions, and the arrays that they read."""

from typing import Any

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, reshaped, taken
from irattn.specs.expressions import Captured, traced


def functions_of(**given: Any) -> tuple[dict[str, Any], dict[str, Taken]]:
    """The fields of the spec that functions are, and the inputs of the call that they read."""
    fields: dict[str, Any] = {}
    tensors: dict[str, Taken] = {}
    read: dict[str, Any] = {}
    for field, function in given.items():
        if function is None:
            continue
        if not callable(function):
            raise ArgumentError(f"{field}: expected a function, got {function!r}")
        found = traced(field, function)
        fields[field] = found.expression
        for array in found.expression.captured:
            _check_same(array, found.arrays[array.name], read)
            values = taken(array.name, found.arrays[array.name])
            # An array without axes is an input of one number.
            tensors[array.input_name] = reshaped(values, values.shape or (1,))
    return fields, tensors


def _check_same(array: Captured, value: Any, read: dict[str, Any]) -> None:
    """Refuse two arrays of one name: they would be one input."""
    if read.setdefault(array.name, value) is not value:
        raise ArgumentError(
            f"score_mod, mask_mod: both read an array that is called {array.name}, and each "
            "another; rename one"
        )
