"""The check of lists of blocks: a block that is listed twice would count twice."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.core.tensors import Role, TensorType


class BlockLists:
    """The check of a call's `block_columns`, by what its `block_counts` say is listed.

    Both are looked at where they are NumPy's: those of a device stay there.
    """

    def __init__(self, tensor: TensorType, inputs: Sequence[TensorType]) -> None:
        self._name = tensor.name
        self._counts = next(i for i, one in enumerate(inputs) if one.role == Role.BLOCK_COUNTS)

    def checked(self, columns: Any, arrays: Sequence[Any]) -> Any:
        """The columns, of which each row lists none twice; ArgumentError where one does."""
        counts = arrays[self._counts]
        if isinstance(columns, np.ndarray) and isinstance(counts, np.ndarray):
            self._check_each_once(columns, counts.sum(axis=-1, keepdims=True))
        return columns

    def _check_each_once(self, columns: np.ndarray, seen: np.ndarray) -> None:
        width = columns.shape[-1]
        is_listed = np.arange(width) < seen
        rows = np.arange(columns.size // width).reshape(seen.shape)
        times = np.bincount((rows * width + columns)[is_listed], minlength=1)
        if times.max() > 1:
            row, column = divmod(int(times.argmax()), width)
            place = ", ".join(map(str, np.unravel_index(row, columns.shape[:-1])))
            raise ArgumentError(
                f"{self._name}[{place}]: expected each block once, got {column} {times.max()} times"
            )
