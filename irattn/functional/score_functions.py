"""Score and mask functions of a call: their expressions, and the arrays that they read."""

from typing import Any

from irattn.core.dtypes import any_name, dtype
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, check_is_array, library_of, reshaped, taken
from irattn.specs.expressions import Captured, traced_together


def functions_of(**given: Any) -> tuple[dict[str, Any], dict[str, Taken]]:
    """The fields of the spec that functions are, and the inputs of the call that they read."""
    fields: dict[str, Any] = {}
    tensors: dict[str, Taken] = {}
    functions = {field: function for field, function in given.items() if function is not None}
    for field, function in functions.items():
        if not callable(function):
            raise ArgumentError(f"{field}: expected a function, got {function!r}")
    for field, found in traced_together(**functions).items():
        fields[field] = found.expression
        for array in found.expression.captured:
            check_is_array(array.name, found.arrays[array.name])
            values = taken(array.name, _as_read(array, found.arrays[array.name]))
            # An array without axes is an input of one number.
            tensors[array.input_name] = reshaped(values, values.shape or (1,))
    return fields, tensors


def _as_read(array: Captured, given: Any) -> Any:
    """An array whose elements kernels do not have, in the type of those that the function reads."""
    if any_name(given.dtype) in (array.dtype, "i64"):
        return given
    if hasattr(given, "to"):
        return given.to(getattr(library_of(given), dtype(array.dtype).numpy.name))
    if given.dtype.kind == "u" and given.size and given.max() >= 2**31:
        raise ArgumentError(
            f"{array.name}: expected numbers below 2**31, as functions have them, got {given.max()}"
        )
    return given.astype(dtype(array.dtype).numpy)
