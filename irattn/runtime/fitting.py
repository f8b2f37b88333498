"""A call's arrays, NumPy's or of a device, in the sizes of an artifact that has more room."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.runtime.padding import LENGTHS, filler
from irattn.runtime.resizing import in_shape
from irattn.specs import Spec


def fitted(tensor: TensorType, arrays: Mapping[str, Any], call: Spec) -> Any:
    """An input of the artifact: the call's own with padding, or lengths that the call implies.

    Tokens that are not there have zeros and no slot.
    """
    if tensor.name not in arrays:
        return _lengths(tensor, call)
    return in_shape(arrays[tensor.name], tensor.largest_shape, filler(tensor), tensor.name)


def _lengths(tensor: TensorType, call: Spec) -> np.ndarray:
    """The length that all sequences of a call have; what those see that are not there is cut."""
    # The lengths of a layer are its attention's.
    length = getattr(getattr(call, "attention", call), LENGTHS[tensor.role])
    return np.full(tensor.largest_shape, length, dtype(tensor.dtype).numpy)
