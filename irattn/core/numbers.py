"""Numbers that people and files give, checked where they come in."""

import numpy as np

from irattn.core.errors import IrattnError, SpecError, shown

# What IREE's runtime counts sizes in.
MAX_SIZE = 2**63 - 1


def whole(name: str, value: object, *, least: int = 1, error: type[IrattnError] = SpecError) -> int:
    """A whole number, Python's or NumPy's, as Python's; `name` is what errors call it.

    No bool, and no float even where it is whole.
    """
    number = value.item() if isinstance(value, np.generic) else value
    if type(number) is not int or number < least:
        words = "from 0" if least == 0 else f"of at least {least}"
        raise error(f"{name}: expected a whole number {words}, got {shown(value)}")
    if number > MAX_SIZE:
        raise error(f"{name}: expected at most 2**63 - 1, got {shown(number)}")
    return number


def real(
    name: str,
    value: object,
    least: float,
    most: float,
    *,
    expected: str | None = None,
    error: type[IrattnError] = SpecError,
) -> float:
    """A number from `least` to `most`, Python's or NumPy's, as Python's float.

    `expected` are the words for the range, where there are better ones. Whole numbers of any size
    are compared as they are: not all of them are floats.
    """
    number = value.item() if isinstance(value, np.generic) else value
    if type(number) not in (int, float) or not least <= number <= most:  # type: ignore[operator]
        words = expected or f"a number from {least:g} to {most:g}"
        raise error(f"{name}: expected {words}, got {shown(value)}")
    return float(number)  # type: ignore[arg-type]
