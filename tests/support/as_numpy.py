"""Values as code that computes with NumPy has them."""

import numpy as np


def as_numpy(value):
    """A field's value as code that computes with NumPy has it."""
    if isinstance(value, list | tuple):
        return [as_numpy(one) for one in value]
    kinds = {bool: np.bool_, int: np.int32, float: np.float64, str: np.str_}
    return kinds[type(value)](value) if type(value) in kinds else value
