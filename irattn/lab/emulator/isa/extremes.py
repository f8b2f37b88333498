"""The lesser and the greater of floats, which differ in what they do with NaN."""

from collections.abc import Callable
from typing import Any

import numpy as np

Choice = Callable[[Any, Any], Any]

# The bit that quiet NaN have and signalling ones do not, by the bytes of a float.
_QUIET = {2: 1 << 9, 4: 1 << 22, 8: 1 << 51}


def lesser(a: Any, b: Any) -> Any:
    """The lesser number, or the one that is no NaN; -0 is less than 0, which NumPy leaves open."""
    least = _quiet(np.fmin(a, b))
    if np.any(least == 0):
        return np.where(a == b, np.where(np.signbit(a), a, b), least)
    return least


def greater(a: Any, b: Any) -> Any:
    """The greater number, or the one that is no NaN; 0 is more than -0, which NumPy leaves open."""
    most = _quiet(np.fmax(a, b))
    if np.any(most == 0):
        return np.where(a == b, np.where(np.signbit(a), b, a), most)
    return most


def minimum(a: Any, b: Any) -> Any:
    """NaN where one is NaN; -0 is less than 0."""
    return np.where(a == b, np.where(np.signbit(a), a, b), _quiet(np.minimum(a, b)))


def maximum(a: Any, b: Any) -> Any:
    """NaN where one is NaN; 0 is more than -0."""
    return np.where(a == b, np.where(np.signbit(a), b, a), _quiet(np.maximum(a, b)))


def _quiet(a: Any) -> Any:
    """Floats, of which NaN are quiet ones."""
    wrong = np.isnan(a)
    return np.where(wrong, _quieted(a), a) if wrong.any() else a


def _bits(a: Any) -> tuple[Any, Any]:
    """The bits of floats, and the one that says that a NaN is quiet."""
    a = np.ascontiguousarray(a)
    kind = np.dtype(f"u{a.itemsize}").type
    return a.view(kind), kind(_QUIET[a.itemsize])


def is_signalling(a: Any) -> Any:
    """Whether a float is a NaN of the signalling kind."""
    bits, quiet = _bits(a)
    return np.isnan(a) & (bits & quiet == 0)


def _quieted(a: Any) -> Any:
    bits, quiet = _bits(a)
    return (bits | quiet).view(a.dtype)


def of_ieee(choose: Choice) -> Choice:
    """A choice in the mode of IEEE 754: a signalling NaN is the result, made quiet."""

    def compute(a: Any, b: Any) -> Any:
        chosen: Any = choose(a, b)
        wrong: Any = is_signalling(a), is_signalling(b)
        if wrong[0].any() or wrong[1].any():
            return np.select(wrong, [_quieted(a), _quieted(b)], chosen)
        return chosen

    return compute


def by_name(lesser: Choice, greater: Choice) -> dict[str, Callable[..., Any]]:
    """The functions of the lesser and the greater of two, by how instructions' names begin."""
    return {
        "min": lesser,
        "max": greater,
        "min3": lambda a, b, c: lesser(lesser(a, b), c),
        "max3": lambda a, b, c: greater(greater(a, b), c),
        "maxmin": lambda a, b, c: lesser(greater(a, b), c),
        "minmax": lambda a, b, c: greater(lesser(a, b), c),
        "med3": lambda a, b, c: _median(lesser, greater, a, b, c),
    }


def _median(lesser: Choice, greater: Choice, a: Any, b: Any, c: Any) -> Any:
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    most = greater(greater(a, b), c)
    # As the guide writes it, which matters for zeros of different signs.
    others: Any = np.where(most == b, greater(a, c), greater(a, b))
    others = np.where(most == a, greater(b, c), others)
    return np.where(nan, lesser(lesser(a, b), c), others)


EXTREMES = by_name(lesser, greater)
EXTREMES_OF_IEEE = by_name(of_ieee(lesser), of_ieee(greater))
